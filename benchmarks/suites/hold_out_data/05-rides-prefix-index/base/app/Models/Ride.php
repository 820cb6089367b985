<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Model;

class Ride extends Model
{
    public function scopeInCity($query, int $cityId)
    {
        return $query->where('city_id', $cityId);
    }
}
