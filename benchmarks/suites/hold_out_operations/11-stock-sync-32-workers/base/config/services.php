<?php

return [
    'distributor' => ['url' => env('DISTRIBUTOR_URL', 'https://api.bookline.example')],
];
