<?php

return [
    'prefix' => 'horizon:',
    'trim' => ['recent' => 60, 'failed' => 43200],
    'environments' => [
        'production' => [
            'supervisor-mail' => [
                'connection' => 'redis',
                'queue' => ['mail'],
                'maxProcesses' => 4,
                'tries' => 3,
            ],
            'supervisor-sync' => [
                'connection' => 'redis',
                'queue' => ['stock-sync'],
                'balance' => 'auto',
                'maxProcesses' => 8,
                'tries' => 3,
                'timeout' => 30,
            ],
        ],
    ],
];
