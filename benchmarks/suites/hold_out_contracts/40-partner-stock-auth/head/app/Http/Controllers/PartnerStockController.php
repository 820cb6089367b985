<?php

namespace App\Http\Controllers;

use App\Models\Stock;
use App\Support\Pages;
use Illuminate\Http\Request;

final class PartnerStockController
{
    public function index(Request $request)
    {
        return Stock::query()->orderBy('sku')->paginate(Pages::clamp((int) $request->query('size', '50')));
    }
}
