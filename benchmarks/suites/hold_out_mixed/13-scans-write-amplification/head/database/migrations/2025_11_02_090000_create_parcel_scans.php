<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Support\Facades\Schema;

return new class extends Migration
{
    public function up(): void
    {
        Schema::create('parcel_scans', function (Blueprint $table) {
            $table->id();
            $table->unsignedBigInteger('parcel_id')->index();
            $table->string('depot_code', 12);
            $table->timestamp('scanned_at');
            $table->string('device_ref', 40)->index('parcel_scans_device_ref_index');
            $table->index(['depot_code', 'scanned_at']);
        });
    }
};
