<?php

namespace Tests\Feature;

use Tests\TestCase;

final class PartnerStockTest extends TestCase
{
    public function testNeedsToken(): void
    {
        $this->getJson('/api/partner/stock')->assertUnauthorized();
    }
}
