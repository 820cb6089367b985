<?php

namespace App\Http\Controllers;

use App\Models\Scan;

class DeviceController extends Controller
{
    public function latest(string $ref)
    {
        return Scan::where('device_ref', $ref)->orderByDesc('id')->limit(20)->get();
    }
}
