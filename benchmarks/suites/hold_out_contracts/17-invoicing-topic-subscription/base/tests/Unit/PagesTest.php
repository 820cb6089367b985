<?php

namespace Tests\Unit;

use App\Support\Pages;
use PHPUnit\Framework\TestCase;

final class PagesTest extends TestCase
{
    public function testUpper(): void
    {
        $this->assertSame(200, Pages::clamp(900));
    }
}
