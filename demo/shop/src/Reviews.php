<?php

declare(strict_types=1);

namespace Shop;

/** What customers write: in MariaDB where it is there. */
final class Reviews
{
    private readonly \PDO $database;

    public function __construct(Connections $connections)
    {
        $this->database = $connections->first('mysql');
    }

    /** @return array{number: int, stars: float} */
    public function of(int $product): array
    {
        $query = $this->database->prepare('SELECT COUNT(*) AS number, AVG(stars) AS stars FROM review WHERE product = ?');
        $query->execute([$product]);
        $row = $query->fetch();

        return ['number' => (int) ($row['number'] ?? 0), 'stars' => (float) ($row['stars'] ?? 0)];
    }

    /**
     * The same of many, by one statement.
     *
     * @param list<int> $products
     * @return array<int, array{number: int, stars: float}> by product
     */
    public function ofAll(array $products): array
    {
        $places = implode(', ', array_fill(0, count($products), '?'));
        $query = $this->database->prepare(
            "SELECT product, COUNT(*) AS number, AVG(stars) AS stars FROM review WHERE product IN ($places) GROUP BY product",
        );
        $query->execute($products);
        $reviews = [];
        foreach ($query->fetchAll() as $row) {
            $reviews[(int) $row['product']] = ['number' => (int) $row['number'], 'stars' => (float) $row['stars']];
        }

        return $reviews;
    }
}
