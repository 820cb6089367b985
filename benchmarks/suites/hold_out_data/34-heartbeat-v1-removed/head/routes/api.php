<?php

use App\Http\Controllers\HeartbeatController;
use App\Http\Controllers\ScheduleController;
use Illuminate\Support\Facades\Route;

Route::prefix('v2')->group(function () {
    Route::get('/schedule/{serial}', [ScheduleController::class, 'show']);
    Route::post('/heartbeat', HeartbeatController::class);
});
