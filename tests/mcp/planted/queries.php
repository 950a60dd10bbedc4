<?php

declare(strict_types=1);

namespace Planted;

/** A report of a library that lends books: asks for the readers of each loan one by one. */
final class Library
{
    public function __construct(private readonly \PDO $database)
    {
    }

    /** @return list<string> */
    public function overdue(): array
    {
        $lines = [];
        $loans = $this->database->query('SELECT id, reader FROM loan ORDER BY id');
        foreach ($loans === false ? [] : $loans->fetchAll() as $loan) {
            $lines[] = $loan['id'] . ' ' . $this->readerOf((int) $loan['reader']);
        }

        return $lines;
    }

    private function readerOf(int $id): string
    {
        $query = $this->database->prepare('SELECT name FROM reader WHERE id = ?');
        $query->execute([$id]);

        return (string) $query->fetchColumn();
    }
}

$database = new \PDO('sqlite::memory:');
$database->exec('CREATE TABLE reader (id INTEGER, name TEXT); CREATE TABLE loan (id INTEGER, reader INTEGER)');
foreach (range(1, 120) as $id) {
    $database->exec("INSERT INTO reader VALUES ($id, 'reader $id')");
}
$database->exec('INSERT INTO loan SELECT a.id * 2, a.id FROM reader a');
echo count((new Library($database))->overdue()), "\n";
