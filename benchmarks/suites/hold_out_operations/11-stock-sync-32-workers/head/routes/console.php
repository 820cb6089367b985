<?php

use Illuminate\Support\Facades\Schedule;

Schedule::command('stock:sync')->dailyAt('03:00');
