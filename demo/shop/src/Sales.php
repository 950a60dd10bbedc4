<?php

declare(strict_types=1);

namespace Shop;

/** What was sold. */
final class Sales
{
    /**
     * PLANTED: a slow statement. It compares each sale with every other one, and no index can help: a window function,
     * RANK() OVER (ORDER BY cents), reads the table once.
     */
    private const RANKING = 'SELECT a.product, COUNT(*) AS below FROM sale a, sale b'
        . ' WHERE a.cents > b.cents GROUP BY a.product ORDER BY below DESC, a.product LIMIT 10';

    public function __construct(private readonly \PDO $database)
    {
    }

    /** @return array<int, int> by product: how many sales were of less money */
    public function bestsellers(): array
    {
        $result = $this->database->query(self::RANKING);

        return $result === false ? [] : array_map(intval(...), $result->fetchAll(\PDO::FETCH_KEY_PAIR));
    }

    /** Begins an order: its sales are written together. */
    public function begin(): void
    {
        $this->database->beginTransaction();
    }

    public function commit(): void
    {
        $this->database->commit();
    }

    public function order(int $product, int $cents): void
    {
        $this->database->prepare('INSERT INTO ordered (product, cents) VALUES (?, ?)')->execute([$product, $cents]);
    }
}
