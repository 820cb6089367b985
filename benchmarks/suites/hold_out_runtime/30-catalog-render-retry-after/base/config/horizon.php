<?php

return [
    'defaults' => [
        'catalog' => [
            'connection' => 'redis',
            'queue' => ['catalog'],
            'maxProcesses' => 8,
            'timeout' => 540,
        ],
    ],
];
