<?php

declare(strict_types=1);

// A program of OperationsTest: PDO with PostgreSQL. Each value has "hunter2" or "8675309" in it.

namespace PdoPgsql;

function connect(string $more = ''): \PDO
{
    return new \PDO(getenv('SHOP_POSTGRES') . $more, null, null, [\PDO::ATTR_ERRMODE => \PDO::ERRMODE_EXCEPTION]);
}

function prepare(\PDO $db): void
{
    $db->exec('DROP TABLE IF EXISTS author');
    $db->exec('DROP ROLE IF EXISTS shop');
    $db->exec('CREATE TABLE author (id INT PRIMARY KEY, "full name" TEXT)');
    $db->exec("INSERT INTO author VALUES (8675309, 'hunter2'), (2, E'it\\'s hunter2'), (3, \$\$hunter2's\$\$) RETURNING id");
    $db->exec("CREATE ROLE shop LOGIN PASSWORD 'hunter2 password'");
}

function name(\PDOStatement $statement, int $id): mixed
{
    $statement->execute(['id' => $id]);

    return $statement->fetchColumn();
}

/** One query for each of 200 books, of which each second has the author of the one before. */
function books(\PDO $db): void
{
    $statement = $db->prepare('SELECT "full name" FROM author WHERE id = :id');
    for ($book = 0; $book < 200; $book++) {
        name($statement, 8675309 + intdiv($book, 2));
    }
}

function quotes(\PDO $db): void
{
    $db->query("SELECT \"full name\", 'hunter2''', U&'hunter2', B'1010', X'8675309A', \$a\$ hunter2 \$\$ 8675309 \$a\$,
        8675309::text, '{hunter2}'::text[], interval '8675309' second
        FROM author -- hunter2
        WHERE /* hunter2 /* 8675309 */ */ id = ANY(ARRAY[8675309, 2]) AND id IN (8675309, 3) LIMIT 8675309")->fetchAll();
}

function duplicates(\PDO $db): void
{
    foreach (['hunter2', 'hunter2', 'hunter2', 'not hunter2'] as $name) {
        $db->query("SELECT id FROM author WHERE \"full name\" = '$name'")->fetchAll();
    }
}

/** PDO puts the values into the text, or the server gets them by themselves. */
function bound(\PDO $db, bool $emulate): void
{
    $statement = $db->prepare('SELECT id, ?::text FROM author WHERE id = ?', [\PDO::ATTR_EMULATE_PREPARES => $emulate]);
    foreach ([8675309, 8675309, 2] as $id) {
        $statement->bindValue(1, 'hunter2');
        $statement->bindParam(2, $id, \PDO::PARAM_INT);
        $statement->execute();
        $statement->fetchAll();
    }
}

function transaction(\PDO $db): void
{
    $db->beginTransaction();
    $db->exec("UPDATE author SET \"full name\" = 'hunter2 again' WHERE id = 8675309");
    $db->rollBack();
    $db->beginTransaction();
    $db->exec("INSERT INTO author VALUES (8675309, 'hunter2') ON CONFLICT (id) DO UPDATE SET \"full name\" = 'hunter2'");
    $db->commit();
}

/**
 * @param \Closure(): mixed $fails
 * @param bool $lost without a code: it depends on what the client notices first
 */
function failure(\Closure $fails, bool $lost = false): void
{
    try {
        $fails();
    } catch (\PDOException $e) {
        echo $lost ? 'lost' : $e->getCode(), "\n";

        return;
    }
    echo "it does not fail\n";
}

function failures(\PDO $db): void
{
    failure(static fn() => connect(';dbname=hunter2;password=hunter2'));
    failure(static fn() => $db->query("SELECT secret FROM missing WHERE name = 'hunter2'"));
    failure(static fn() => $db->query("SELECT 'hunter2 without an end"));
    $insert = $db->prepare('INSERT INTO author VALUES (?, ?)');
    failure(static fn() => $insert->execute([8675309, 'hunter2']));
    failure(static fn() => $insert->execute(['hunter2', 'hunter2']));
    $db->exec('SET statement_timeout = 50');
    failure(static fn() => $db->query("SELECT pg_sleep(60), 'hunter2'"));
    $db->exec('RESET statement_timeout');
}

/** Another client ends the connection, and waits until that has happened. */
function lost(\PDO $db): void
{
    $id = $db->query('SELECT pg_backend_pid()')->fetchColumn();
    connect()->query("SELECT pg_terminate_backend($id, 60000)");
    failure(static fn() => $db->query("SELECT 'hunter2' FROM author WHERE id = 8675309"), true);
}

$db = connect();
prepare($db);
connect(';user=shop;password=hunter2');
books($db);
quotes($db);
duplicates($db);
bound($db, true);
bound($db, false);
transaction($db);
failures($db);
lost($db);
