<?php

use App\Http\Controllers\DepotController;
use App\Http\Controllers\DeviceController;
use Illuminate\Support\Facades\Route;

Route::get('/devices/{ref}/scans', [DeviceController::class, 'latest']);
Route::get('/depots/{code}/today', [DepotController::class, 'today']);
