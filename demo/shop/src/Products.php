<?php

declare(strict_types=1);

namespace Shop;

/**
 * The database.
 *
 * @phpstan-type Row array{id: int, name: string, description: string, cents: int}
 */
final class Products
{
    private readonly \PDO $database;

    public function __construct(string $file)
    {
        $this->database = new \PDO("sqlite:$file", options: [
            \PDO::ATTR_ERRMODE => \PDO::ERRMODE_EXCEPTION,
            \PDO::ATTR_DEFAULT_FETCH_MODE => \PDO::FETCH_ASSOC,
            \PDO::ATTR_TIMEOUT => 30,
        ]);
    }

    /** @return list<Row> */
    public function list(int $count): array
    {
        $query = $this->database->prepare('SELECT * FROM product ORDER BY id LIMIT ?');
        $query->execute([$count]);

        /** @var list<Row> */
        return $query->fetchAll();
    }

    /** @return Row|null */
    public function find(int $id): ?array
    {
        $query = $this->database->prepare('SELECT * FROM product WHERE id = ?');
        $query->execute([$id]);

        return $query->fetch() ?: null;
    }

    /** @return list<Row> */
    public function search(string $text): array
    {
        $query = $this->database->prepare('SELECT * FROM product WHERE description LIKE ? ORDER BY id LIMIT 20');
        $query->execute(["%$text%"]);

        /** @var list<Row> */
        return $query->fetchAll();
    }

    /** @return array{int, int} number of products and sum of their prices */
    public function sum(int $from): array
    {
        $sum = $count = 0;
        foreach ($this->list(1000) as $row) {
            if ($row['id'] >= $from) {
                $sum += (int) $row['cents'];
                $count++;
            }
        }

        return [$count, $sum];
    }

    public function comment(int $product, string $text): void
    {
        $this->database->prepare('INSERT INTO comment (product, text) VALUES (?, ?)')->execute([$product, $text]);
    }
}
