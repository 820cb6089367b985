<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Model;

final class Stock extends Model
{
    protected $table = 'stock';
}
