<?php

namespace App\Books;

final class Writer
{
    public function __construct(private \PDO $db) {}

    public function write(array $event): void
    {
        $q = $this->db->prepare('INSERT INTO entries (order_id, amount_minor, kind) VALUES (?, ?, ?)');
        $q->execute([$event['orderId'], $event['amountMinor'], $event['kind']]);
    }
}
