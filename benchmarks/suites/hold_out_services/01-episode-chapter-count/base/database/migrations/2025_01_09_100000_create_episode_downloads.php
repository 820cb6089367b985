<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Support\Facades\Schema;

return new class extends Migration
{
    public function up(): void
    {
        Schema::create('episode_downloads', function (Blueprint $table) {
            $table->id();
            $table->unsignedBigInteger('episode_id')->index();
            $table->char('ip_hash', 16);
            $table->string('agent', 120);
            $table->dateTime('fetched_at');
        });
    }
};
