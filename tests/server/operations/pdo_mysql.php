<?php

declare(strict_types=1);

// A program of OperationsTest: PDO with MariaDB. Each value has "hunter2" or "8675309" in it.

namespace PdoMysql;

function connect(string $user = 'root', string $password = ''): \PDO
{
    return new \PDO((string) getenv('SHOP_MYSQL'), $user, $password, [\PDO::ATTR_ERRMODE => \PDO::ERRMODE_EXCEPTION]);
}

function prepare(\PDO $db): void
{
    $db->exec('DROP TABLE IF EXISTS author');
    $db->exec("DROP USER IF EXISTS 'hunter2'@localhost");
    $db->exec('CREATE TABLE author (id INT PRIMARY KEY, name VARCHAR(99))');
    $db->exec("INSERT INTO author VALUES (8675309, 'hunter2'), (2, 'it''s hunter2'), (3, \"hunter2 \\\" '\")");
    $db->exec("CREATE USER 'hunter2'@localhost IDENTIFIED BY 'hunter2 password'");
    $db->exec("GRANT SELECT ON shop.* TO 'hunter2'@localhost");
}

function name(\PDOStatement $statement, int $id): mixed
{
    $statement->execute([$id]);

    return $statement->fetchColumn();
}

/** One query for each of 200 books, of which each second has the author of the one before. */
function books(\PDO $db): void
{
    $statement = $db->prepare('SELECT name FROM author WHERE id = ?');
    for ($book = 0; $book < 200; $book++) {
        name($statement, 8675309 + intdiv($book, 2));
    }
}

function quotes(\PDO $db): void
{
    $db->query("SELECT `name`, \"hunter2\", 'hunter2\\'', x'68756e74657232', 0x8675309, 8675309.5e1, N'hunter2', _utf8mb4'hunter2'
        FROM author -- hunter2
        # 8675309
        WHERE /* hunter2 */ id IN (8675309, 2, 3) AND name LIKE 'hunter2%' AND -8675309 < id LIMIT 8675309")->fetchAll();
}

function duplicates(\PDO $db): void
{
    foreach (['hunter2', 'hunter2', 'hunter2', 'not hunter2'] as $name) {
        $db->query("SELECT id FROM author WHERE name = '$name'")->fetchAll();
    }
}

/** PDO puts the values into the text, or the server gets them by themselves. */
function bound(\PDO $db, bool $emulate): void
{
    $db->setAttribute(\PDO::ATTR_EMULATE_PREPARES, $emulate);
    $statement = $db->prepare('SELECT id, :name FROM author WHERE name = :name2 AND id = :id');
    foreach ([8675309, 8675309, 2] as $id) {
        $statement->bindValue(':name', 'hunter2');
        $statement->bindValue('name2', 'hunter2');
        $statement->bindParam(':id', $id, \PDO::PARAM_INT);
        $statement->execute();
        $statement->fetchAll();
    }
}

function transaction(\PDO $db): void
{
    $db->beginTransaction();
    $db->exec("UPDATE author SET name = 'hunter2 again' WHERE id = 8675309");
    $db->rollBack();
    $db->beginTransaction();
    $db->exec("REPLACE INTO author SET id = 8675309, name = 'hunter2'");
    $db->commit();
}

function statements(\PDO $db): void
{
    $db->setAttribute(\PDO::ATTR_EMULATE_PREPARES, true);
    $results = $db->query("SET @a = 'hunter2'; SELECT @a, 8675309");
    while ($results->nextRowset()) {
        $results->fetchAll();
    }
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
    failure(static fn() => connect('hunter2', 'not the hunter2 password'));
    failure(static fn() => $db->query("SELECT secret FROM missing WHERE name = 'hunter2'"));
    failure(static fn() => $db->query("SELECT 'hunter2 without an end"));
    $insert = $db->prepare('INSERT INTO author VALUES (?, ?)');
    failure(static fn() => $insert->execute([8675309, 'hunter2']));
    failure(static fn() => $insert->execute([8675309]));
    failure(static fn() => $db->query("SET STATEMENT max_statement_time = 0.05 FOR SELECT SLEEP(60), 'hunter2'"));
}

/** Another client ends the connection. */
function lost(\PDO $db): void
{
    $id = $db->query('SELECT CONNECTION_ID()')->fetchColumn();
    connect()->exec("KILL $id");
    failure(static fn() => @$db->query("SELECT 'hunter2' FROM author WHERE id = 8675309"), true);
}

$db = connect();
prepare($db);
connect('hunter2', 'hunter2 password');
books($db);
quotes($db);
duplicates($db);
bound($db, true);
bound($db, false);
transaction($db);
statements($db);
failures($db);
lost($db);
