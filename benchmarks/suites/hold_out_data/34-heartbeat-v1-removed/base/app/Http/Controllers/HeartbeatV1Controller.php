<?php

namespace App\Http\Controllers;

use App\Models\Device;
use Illuminate\Http\Request;

class HeartbeatV1Controller
{
    public function __invoke(Request $request)
    {
        Device::where('serial', $request->input('sn'))->update(['seen_at' => now()]);
        return response('OK');
    }
}
