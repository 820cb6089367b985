<?php

use App\Http\Controllers\PartnerStockController;
use App\Http\Controllers\StockController;
use Illuminate\Support\Facades\Route;

Route::get('/stock/{sku}', [StockController::class, 'show']);

Route::prefix('partner')->middleware('auth:sanctum')->group(function () {
    Route::get('/stock', [PartnerStockController::class, 'index']);
});
