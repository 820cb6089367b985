<?php

declare(strict_types=1);

header('Cache-Control: public, max-age=60');
echo json_encode(['routes' => []]);
