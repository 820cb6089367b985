<?php

namespace App\Worker;

use App\Books\Writer;
use Aws\Sqs\SqsClient;

final class OrderEventWorker
{
    public function __construct(private SqsClient $sqs, private Writer $writer, private string $queueUrl) {}

    public function poll(): int
    {
        $res = $this->sqs->receiveMessage(['QueueUrl' => $this->queueUrl, 'WaitTimeSeconds' => 20, 'MaxNumberOfMessages' => 10]);
        foreach ($res['Messages'] ?? [] as $m) {
            $this->writer->write(json_decode($m['Body'], true, 32, JSON_THROW_ON_ERROR));
            $this->sqs->deleteMessage(['QueueUrl' => $this->queueUrl, 'ReceiptHandle' => $m['ReceiptHandle']]);
        }
        return count($res['Messages'] ?? []);
    }
}
