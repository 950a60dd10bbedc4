<?php

declare(strict_types=1);

namespace XHProf\Bench\Workload;

/** A prepared statement of an SQLite database in memory: each call is an operation. */
final class SqlStatement implements Workload
{
    private readonly \PDOStatement $statement;

    public function __construct()
    {
        $this->statement = (new \PDO('sqlite::memory:'))->prepare('SELECT ?');
    }

    public function run(int $units): int
    {
        for ($i = 0; $i < $units; $i++) {
            $this->statement->execute([$i]);
        }

        return $units;
    }
}
