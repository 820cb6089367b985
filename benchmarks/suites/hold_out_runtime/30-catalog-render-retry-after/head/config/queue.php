<?php

return [
    'default' => env('QUEUE_CONNECTION', 'redis'),

    'connections' => [
        'database' => [
            'driver' => 'database',
            'table' => 'jobs',
            'queue' => 'default',
            'retry_after' => 90,
        ],

        'redis' => [
            'driver' => 'redis',
            'connection' => 'queue',
            'queue' => 'catalog',
            'retry_after' => 60,
            'block_for' => 5,
        ],
    ],

    'failed' => [
        'driver' => 'database-uuids',
        'table' => env('FAILED_JOBS_TABLE', 'failed_jobs'),
    ],
];
