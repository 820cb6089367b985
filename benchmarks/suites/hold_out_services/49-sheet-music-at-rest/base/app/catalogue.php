<?php
$pdo = new PDO(getenv('SCORES_DSN'));
$stmt = $pdo->prepare('SELECT id, composer, title FROM scores WHERE composer = ?');
$stmt->execute([$_GET['composer']]);
echo json_encode($stmt->fetchAll(PDO::FETCH_ASSOC));
