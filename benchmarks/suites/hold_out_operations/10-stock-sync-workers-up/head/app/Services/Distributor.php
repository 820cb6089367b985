<?php

namespace App\Services;

use App\Models\Stock;
use Illuminate\Support\Facades\Http;

class Distributor
{
    public function refresh(string $isbn): void
    {
        $r = Http::timeout(10)->get(config('services.distributor.url')."/v3/stock/$isbn")->throw();
        Stock::updateOrCreate(['isbn' => $isbn], ['free' => $r->json('free')]);
    }
}
