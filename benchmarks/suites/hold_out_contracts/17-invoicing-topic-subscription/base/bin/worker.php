<?php

require __DIR__ . '/../vendor/autoload.php';

$worker = new App\Worker\OrderEventWorker(
    new Aws\Sqs\SqsClient(['region' => 'eu-west-1', 'version' => 'latest']),
    new App\Books\Writer(new PDO(getenv('DB_DSN'))),
    getenv('ORDER_QUEUE_URL'),
);
while (true) {
    $worker->poll();
}
