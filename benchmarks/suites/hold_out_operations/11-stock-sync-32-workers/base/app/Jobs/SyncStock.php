<?php

namespace App\Jobs;

use App\Services\Distributor;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Queue\Queueable;

class SyncStock implements ShouldQueue
{
    use Queueable;

    public function __construct(private $isbn) {}

    public function handle(Distributor $distributor): void
    {
        $distributor->refresh($this->isbn);
    }
}
