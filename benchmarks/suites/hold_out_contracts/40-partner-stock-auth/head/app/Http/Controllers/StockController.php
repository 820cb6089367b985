<?php

namespace App\Http\Controllers;

use App\Models\Stock;

final class StockController
{
    public function show(string $sku)
    {
        return Stock::query()->where('sku', $sku)->firstOrFail();
    }
}
