<?php

namespace App\Http\Controllers;

use App\Models\Scan;

class DepotController extends Controller
{
    public function today(string $code): int
    {
        return Scan::where('depot_code', $code)->where('scanned_at', '>=', today())->count();
    }
}
