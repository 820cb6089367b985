<?php

namespace App\Http\Controllers;

use App\Models\Device;
use Illuminate\Http\Request;

class HeartbeatController
{
    public function __invoke(Request $request)
    {
        Device::where('serial', $request->json('serial'))->update(['seen_at' => now()]);
        return response()->noContent();
    }
}
