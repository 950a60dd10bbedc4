<?php

declare(strict_types=1);

// A program of OperationsTest: pgsql with PostgreSQL. Each value has "hunter2" or "8675309" in it.

namespace Pgsql;

use PgSql\Connection;

function connect(): Connection
{
    $name = strtr(substr((string) getenv('SHOP_POSTGRES'), strlen('pgsql:')), ';', ' ');

    return pg_connect("$name password='hunter2 password'", PGSQL_CONNECT_FORCE_NEW) ?: exit(1);
}

function prepare(Connection $db): void
{
    pg_query($db, 'DROP TABLE IF EXISTS writer');
    pg_query($db, 'CREATE TABLE writer (id INT PRIMARY KEY, name TEXT)');
    pg_query($db, "INSERT INTO writer VALUES (8675309, 'hunter2'), (2, E'it\\'s hunter2'), (3, \$a\$hunter2's\$a\$)");
}

function name(Connection $db, int $id): void
{
    pg_query_params($db, 'SELECT name FROM writer WHERE id = $1', [$id]);
}

/** One query for each of 200 books, of which each second has the author of the one before. */
function books(Connection $db): void
{
    for ($book = 0; $book < 200; $book++) {
        name($db, 8675309 + intdiv($book, 2));
    }
}

function prepared(Connection $db, Connection $other): void
{
    pg_prepare($db, 'by name', "SELECT id FROM writer WHERE name = $1 OR name = 'hunter2'");
    pg_prepare($db, '', 'SELECT $1::int + 8675309');
    // Each connection has names of its own.
    pg_prepare($other, '', "SELECT 'hunter2 of the other', $1::int");
    foreach (['hunter2', 'hunter2', 'not hunter2'] as $name) {
        pg_execute($db, 'by name', [$name]);
        pg_execute($db, '', [8675309]);
    }
    pg_execute($other, '', [8675309]);
}

function rows(Connection $db): void
{
    pg_insert($db, 'writer', ['id' => 4, 'name' => 'hunter2']);
    pg_update($db, 'writer', ['name' => 'hunter2'], ['id' => 4]);
    pg_select($db, 'writer', ['name' => 'hunter2']);
    pg_delete($db, 'writer', ['id' => 4, 'name' => 'hunter2']);
    pg_copy_from($db, 'writer', ["5\thunter2\n", "86753090\thunter2\n"]);
    pg_copy_to($db, 'writer');
    pg_meta_data($db, 'writer');
    pg_convert($db, 'writer', ['name' => 'hunter2']);
}

function meanwhile(Connection $db): void
{
    pg_send_query($db, "SELECT 'hunter2', pg_sleep(0)");
    pg_get_result($db);
    pg_get_result($db);
    pg_send_query_params($db, 'SELECT $1::text, 8675309', ['hunter2']);
    pg_get_result($db);
    pg_get_result($db);
    pg_send_prepare($db, 'sent', "SELECT 'hunter2' || $1");
    pg_get_result($db);
    pg_get_result($db);
    pg_send_execute($db, 'sent', ['hunter2']);
    pg_get_result($db);
    pg_get_result($db);
    pg_ping($db);
}

/** @param \Closure(): mixed $fails */
function failure(Connection $db, \Closure $fails): void
{
    echo @$fails() === false ? preg_replace('/:.*/s', '', pg_last_error($db)) : 'it does not fail', "\n";
}

function failures(Connection $db): void
{
    failure($db, static fn() => pg_query($db, "SELECT secret FROM missing WHERE name = 'hunter2'"));
    failure($db, static fn() => pg_query_params($db, 'INSERT INTO writer VALUES ($1, $2)', [8675309, 'hunter2']));
    failure($db, static fn() => pg_prepare($db, 'fails', "SELECT 'hunter2' FROM missing"));
    failure($db, static fn() => pg_execute($db, 'hunter2 does not exist', ['hunter2']));
    pg_query($db, 'SET statement_timeout = 50');
    failure($db, static fn() => pg_query($db, "SELECT pg_sleep(60), 'hunter2'"));
    pg_query($db, 'RESET statement_timeout');
}

/** Another client ends the connection, and waits until that has happened. */
function lost(Connection $db, Connection $other): void
{
    pg_query_params($other, 'SELECT pg_terminate_backend($1, 60000)', [pg_get_pid($db)]);
    echo @pg_query($db, "SELECT 'hunter2' FROM writer WHERE id = 8675309") === false ? 'lost' : 'it does not fail', "\n";
}

$db = connect();
$other = connect();
prepare($db);
books($db);
prepared($db, $other);
rows($db);
meanwhile($db);
failures($db);
lost($db, $other);
