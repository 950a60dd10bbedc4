<?php

declare(strict_types=1);

namespace Shop;

/** Fills the tables of reviews and sales, the same in every database. The products are there already. */
final class Installation
{
    private const REVIEWS = 5;
    private const SALES = 1200;
    private const WORDS = ['good', 'useful', 'too small', 'broken', 'as described', 'late', 'a present', 'cheap'];

    public function __construct(private readonly Connections $connections)
    {
    }

    /** @return list<string> names of the databases */
    public function fill(): array
    {
        $names = Connections::names();
        foreach ($names as $name) {
            $database = $this->connections->open($name);
            $database->exec('CREATE TABLE review (product INTEGER, stars INTEGER, text VARCHAR(100))');
            $database->exec('CREATE INDEX review_product ON review (product)');
            $database->exec('CREATE TABLE sale (product INTEGER, cents INTEGER)');
            $database->exec('CREATE TABLE ordered (product INTEGER, cents INTEGER)');
            $this->insert($database, 'review', 3, $this->reviews());
            $this->insert($database, 'sale', 2, $this->sales());
        }

        return $names;
    }

    /** @return iterable<list<int|string>> */
    private function reviews(): iterable
    {
        for ($i = 0; $i < self::REVIEWS * 200; $i++) {
            yield [1 + $i % 200, 1 + $i * 7 % 5, self::WORDS[$i % 8] . ', ' . self::WORDS[intdiv($i, 8) % 8]];
        }
    }

    /** @return iterable<list<int>> */
    private function sales(): iterable
    {
        for ($i = 0; $i < self::SALES; $i++) {
            yield [1 + $i * 31 % 200, 100 + $i * 7919 % 9000];
        }
    }

    /** @param iterable<list<int|string>> $rows */
    private function insert(\PDO $database, string $table, int $columns, iterable $rows): void
    {
        $database->beginTransaction();
        $insert = $database->prepare("INSERT INTO $table VALUES (?" . str_repeat(', ?', $columns - 1) . ')');
        foreach ($rows as $row) {
            $insert->execute($row);
        }
        $database->commit();
    }
}
