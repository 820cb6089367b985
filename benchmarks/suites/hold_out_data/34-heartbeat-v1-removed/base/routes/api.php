<?php

use App\Http\Controllers\HeartbeatController;
use App\Http\Controllers\HeartbeatV1Controller;
use App\Http\Controllers\ScheduleController;
use Illuminate\Support\Facades\Route;

Route::prefix('v2')->group(function () {
    Route::post('/heartbeat', HeartbeatController::class);
    Route::get('/schedule/{serial}', [ScheduleController::class, 'show']);
});

Route::prefix('v1')->group(function () {
    Route::post('/heartbeat', HeartbeatV1Controller::class);
});
