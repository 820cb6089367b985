<?php

namespace App\Console\Commands;

use App\Jobs\SyncStock;
use App\Models\Book;
use Illuminate\Console\Command;

class StockSync extends Command
{
    protected $signature = 'stock:sync';

    protected $description = 'Refresh the stock of all books';

    public function handle(): void
    {
        Book::query()->select('isbn')->cursor()->each(fn ($b) => SyncStock::dispatch($b->isbn)->onQueue('stock-sync'));
    }
}
