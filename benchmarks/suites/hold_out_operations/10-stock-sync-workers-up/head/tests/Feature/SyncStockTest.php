<?php

test('job is queueable', fn () => expect(new App\Jobs\SyncStock('978'))->toBeInstanceOf(Illuminate\Contracts\Queue\ShouldQueue::class));
