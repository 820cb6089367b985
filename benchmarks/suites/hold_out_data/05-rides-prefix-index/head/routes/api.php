<?php

use App\Models\Ride;
use Illuminate\Support\Facades\Route;

Route::get('/cities/{city}/rides', fn (int $city) => Ride::inCity($city)->limit(50)->get());
