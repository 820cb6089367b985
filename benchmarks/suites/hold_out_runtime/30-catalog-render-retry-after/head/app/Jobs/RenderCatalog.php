<?php

namespace App\Jobs;

use App\Services\CatalogPrinter;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Queue\Queueable;

class RenderCatalog implements ShouldQueue
{
    use Queueable;

    public int $tries = 2;
    public int $timeout = 540;

    public function __construct(public int $catalogId)
    {
    }

    public function handle(CatalogPrinter $printer): void
    {
        $printer->print($this->catalogId);
    }
}
