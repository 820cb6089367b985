<?php

namespace App\Http\Controllers;

class ScheduleController
{
    public function show(string $serial)
    {
        return ['serial' => $serial, 'slots' => []];
    }
}
