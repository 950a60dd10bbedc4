<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin\Testing;

/** What the cases profile. */
final class Shop
{
    private \PDO $db;

    /** @var list<string> */
    public static array $kept = [];

    public function __construct()
    {
        $this->db = new \PDO('sqlite::memory:');
        $this->db->exec('CREATE TABLE author (id INTEGER, name TEXT)');
    }

    /** @return list<mixed> */
    public function authors(int $count): array
    {
        $names = [];
        for ($i = 0; $i < $count; $i++) {
            $names[] = $this->author($i);
        }

        return $names;
    }

    private function author(int $id): mixed
    {
        $statement = $this->db->prepare('SELECT name FROM author WHERE id = ?');
        $statement->execute([$id]);

        return $statement->fetchColumn();
    }

    public function keep(int $bytes): int
    {
        self::$kept = [str_repeat('x', $bytes)];

        return strlen(self::$kept[0]);
    }

    public function lookUp(string $name): string
    {
        return $this->authors(1) === [$name] ? $name : throw new \DomainException('no such author');
    }
}
