<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Model;

class Scan extends Model
{
    protected $table = 'parcel_scans';

    protected $fillable = ['parcel_id', 'depot_code', 'scanned_at', 'device_ref'];
}
