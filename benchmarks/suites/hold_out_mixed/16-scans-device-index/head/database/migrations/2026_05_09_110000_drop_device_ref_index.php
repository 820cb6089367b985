<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Support\Facades\Schema;

return new class extends Migration
{
    public function up(): void
    {
        Schema::table('parcel_scans', function (Blueprint $table) {
            $table->dropIndex('parcel_scans_device_ref_index');
        });
    }

    public function down(): void
    {
        Schema::table('parcel_scans', function (Blueprint $table) {
            $table->index('device_ref', 'parcel_scans_device_ref_index');
        });
    }
};
