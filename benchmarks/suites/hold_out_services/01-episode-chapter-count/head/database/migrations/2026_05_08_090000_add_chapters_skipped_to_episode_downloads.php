<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Support\Facades\Schema;

return new class extends Migration
{
    public function up(): void
    {
        Schema::table('episode_downloads', function (Blueprint $table) {
            $table->unsignedSmallInteger('chapters_skipped')->default(0);
        });
    }

    public function down(): void
    {
        Schema::table('episode_downloads', function (Blueprint $table) {
            $table->dropColumn('chapters_skipped');
        });
    }
};
