<?php

declare(strict_types=1);

// A program of OperationsTest: SQLite3. Each value has "hunter2" or "8675309" in it.

namespace Sqlite;

function prepare(\SQLite3 $db): void
{
    $db->enableExceptions(true);
    $db->exec('CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT)');
    $db->exec("INSERT INTO author VALUES (8675309, 'hunter2'), (2, 'it''s hunter2'), (3, x'68756e74657232')");
}

/** One query for each of 200 books. */
function books(\SQLite3 $db): void
{
    $statement = $db->prepare("SELECT name FROM author WHERE id = :id AND name <> 'hunter2'");
    for ($book = 0; $book < 200; $book++) {
        $statement->bindValue(':id', 8675309 + $book % 2);
        $statement->execute();
        $statement->reset();
    }
}

function duplicates(\SQLite3 $db): void
{
    foreach (['hunter2', 'hunter2', 'not hunter2'] as $name) {
        $db->querySingle("SELECT id FROM author WHERE name = '$name'");
        $db->query("SELECT [name], `id` FROM author -- $name\n WHERE id IN (8675309, 2)");
    }
}

/** @param \Closure(): mixed $fails what this connection does */
function failure(\SQLite3 $db, \Closure $fails): void
{
    try {
        $fails();
    } catch (\Exception) {
        echo $db->lastErrorCode(), "\n"; // that of the exception is SQLite's from PHP 8.3 on

        return;
    }
    echo "it does not fail\n";
}

/** Two connections at once: the second one waits for the first, 50 ms at most. */
function locked(\SQLite3 $db, string $file): void
{
    $other = new \SQLite3($file);
    $other->enableExceptions(true);
    $other->busyTimeout(50);
    $db->exec('BEGIN EXCLUSIVE');
    failure($other, static fn() => $other->exec("DELETE FROM author WHERE name = 'hunter2' AND id = 8675309"));
    $db->exec('ROLLBACK');
}

$file = (string) tempnam(sys_get_temp_dir(), 'shop');
$db = new \SQLite3($file);
prepare($db);
books($db);
duplicates($db);
failure($db, static fn() => $db->query("SELECT secret FROM missing WHERE name = 'hunter2'"));
failure($db, static fn() => $db->prepare("SELECT 'hunter2' FROM missing"));
failure($db, static fn() => $db->exec("INSERT INTO author VALUES (8675309, 'hunter2')"));
locked($db, $file);
unlink($file);
