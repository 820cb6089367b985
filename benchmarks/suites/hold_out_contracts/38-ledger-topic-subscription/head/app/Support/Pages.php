<?php

namespace App\Support;

final class Pages
{
    public static function clamp(int $size): int
    {
        return max(1, min($size, 200));
    }
}
