<?php

namespace App\Support;

final class Pages
{
    public static function clamp(int $size): int
    {
        if ($size < 1) {
            return 1;
        }
        return $size > 200 ? 200 : $size;
    }
}
