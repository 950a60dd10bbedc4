<?php

declare(strict_types=1);

// A program of OperationsTest: mysqli with MariaDB. Each value has "hunter2" or "8675309" in it.

namespace Mysqli;

function connect(string $user = 'root', ?string $password = null): \mysqli
{
    preg_match('/unix_socket=([^;]+)/', (string) getenv('SHOP_MYSQL'), $match);

    return new \mysqli(null, $user, $password, 'shop', 0, $match[1] ?? '');
}

function prepare(\mysqli $db): void
{
    $db->query('DROP TABLE IF EXISTS writer');
    $db->query('CREATE TABLE writer (id INT PRIMARY KEY, name VARCHAR(99))');
    $db->query("INSERT INTO writer VALUES (8675309, 'hunter2'), (2, \"hunter2\")");
}

/** One query for each of 200 books. */
function books(\mysqli $db): void
{
    $statement = $db->prepare('SELECT name FROM writer WHERE id = ?');
    for ($book = 0; $book < 200; $book++) {
        $id = 8675309 + $book % 100;
        $statement->bind_param('i', $id);
        $statement->execute();
        $statement->get_result();
    }
}

function duplicates(\mysqli $db): void
{
    $statement = $db->prepare('SELECT id FROM writer WHERE name = ? AND id <> 8675309');
    foreach (['hunter2', 'hunter2', 'not hunter2'] as $name) {
        $statement->execute([$name]);
        $statement->get_result();
        $db->query("SELECT id FROM writer WHERE name = '$name'");
        $db->execute_query('SELECT id FROM writer WHERE name = ? OR id = 8675309', [$name]);
    }
}

function functions(\mysqli $db): void
{
    mysqli_query($db, "SELECT 'hunter2'");
    mysqli_execute_query($db, 'SELECT ?, 8675309', ['hunter2']);
    $statement = mysqli_stmt_init($db);
    mysqli_stmt_prepare($statement, "SELECT ?, \"hunter2\"");
    $name = 'hunter2';
    mysqli_stmt_bind_param($statement, 's', $name);
    mysqli_stmt_execute($statement);
    mysqli_stmt_get_result($statement);
    $other = mysqli_prepare($db, 'SELECT ? + 8675309');
    if ($other !== false) {
        mysqli_execute($other, ['8675309']);
        mysqli_stmt_get_result($other);
    }
    (new \mysqli_stmt($db, "SELECT 'hunter2' LIMIT 8675309"))->execute();
}

function several(\mysqli $db): void
{
    $db->multi_query("SET @a = 'hunter2'; SELECT @a, 8675309; SELECT \"hunter2; hunter2\"");
    do {
        $db->store_result();
    } while ($db->more_results() && $db->next_result());
    mysqli_real_query($db, "SELECT 'hunter2' AS n");
    $db->use_result();
}

function meanwhile(\mysqli $db): void
{
    $db->query("SELECT 'hunter2', 8675309 AS id", MYSQLI_ASYNC);
    do {
        $ready = $errors = $rejected = [$db];
    } while (!\mysqli::poll($ready, $errors, $rejected, 60));
    $db->reap_async_query();
}

function transaction(\mysqli $db): void
{
    $db->begin_transaction(0, 'hunter2');
    $db->query("UPDATE writer SET name = 'hunter2!' WHERE id = 8675309");
    $db->savepoint('hunter2');
    $db->release_savepoint('hunter2');
    $db->rollback();
    $db->autocommit(false);
    $db->commit();
    $db->autocommit(true);
    $db->select_db('shop');
}

/**
 * @param \Closure(): mixed $fails
 * @param bool $lost without a code: it depends on what the client notices first
 */
function failure(\Closure $fails, bool $lost = false): void
{
    try {
        $fails();
    } catch (\mysqli_sql_exception $e) {
        echo $lost ? 'lost' : $e->getCode(), "\n";

        return;
    }
    echo "it does not fail\n";
}

function failures(\mysqli $db): void
{
    failure(static fn() => connect('hunter2', 'not the hunter2 password'));
    failure(static fn() => $db->query("SELECT secret FROM missing WHERE name = 'hunter2'"));
    failure(static fn() => $db->prepare("SELECT 'hunter2' FROM missing"));
    failure(static fn() => $db->multi_query("SELECT 'hunter2' FROM missing; SELECT 8675309"));
    $insert = $db->prepare('INSERT INTO writer VALUES (?, ?)');
    failure(static fn() => $insert->execute([8675309, 'hunter2']));
    failure(static fn() => $db->query("SET STATEMENT max_statement_time = 0.05 FOR SELECT SLEEP(60), 'hunter2'"));
    failure(static fn() => $db->change_user('hunter2', 'not the hunter2 password', 'shop'));
}

/** Another client ends the connection. */
function lost(): void
{
    $db = connect();
    $statement = $db->prepare("SELECT 'hunter2', ?");
    connect()->query("KILL $db->thread_id");
    failure(static fn() => @$statement->execute(['hunter2']), true);
    failure(static fn() => @$db->query("SELECT 'hunter2' FROM writer WHERE id = 8675309"), true);
}

$db = connect();
prepare($db);
books($db);
duplicates($db);
functions($db);
several($db);
meanwhile($db);
transaction($db);
failures($db);
lost();
