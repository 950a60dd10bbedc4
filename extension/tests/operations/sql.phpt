--TEST--
Operations: SQL without its values, by text and call path, however it is executed
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('+pdo', '+pdo_sqlite', '+sqlite3'); ?>
--FILE--
<?php
require __DIR__ . '/operations.inc';

function author(PDO $db, int $id): void
{
    $st = $db->prepare("SELECT name FROM author WHERE id = ? AND name <> 'secret'");
    /* As a number or as its digits: the same value, as drivers make one of the other. */
    $st->execute([$id < 3 ? $id % 2 : (string) ($id % 2)]);
}

function queries(PDO $db): void
{
    $db->exec("INSERT INTO author VALUES (1, 'secret'), (2, NULL)");
    $db->query("SELECT * FROM author WHERE id IN (1, 2) AND name = 'secret'");
    $db->query('SELECT * FROM author  WHERE id IN (3) AND name = "secret" -- secret');
    for ($i = 0; $i < 6; $i++) {
        author($db, $i);
    }
    $st = $db->prepare('SELECT :a');
    foreach (['secret', 'secret', 'other'] as $value) {
        $st->bindValue(':a', $value);
        $st->execute();
    }
    $db->beginTransaction();
    $db->rollBack();
}

function queries3(SQLite3 $db): void
{
    $db->exec('CREATE TABLE t (a)');
    $st = $db->prepare('INSERT INTO t VALUES (:a)');
    for ($i = 0; $i < 2; $i++) {
        $st->bindValue(':a', 'secret');
        $st->execute();
    }
    $db->querySingle('SELECT 5');
}

if (isset($argv[1])) {
    $db = new PDO('sqlite::memory:');
    $db->exec('CREATE TABLE author (id INTEGER, name TEXT)');
    $db3 = new SQLite3(':memory:');
    xhprof_enable((int) $argv[1]);
    queries($db);
    queries3($db3);
    $edges = xhprof_disable();
    if (!(int) $argv[1]) {
        xhprof_test_check_invariants($edges, xhprof_call_tree());
        xhprof_test_edges(array_filter($edges, static fn (string $key): bool => str_contains($key, 'PDO'), ARRAY_FILTER_USE_KEY));
    }
    $json = operations_show(['sql']);
    echo str_contains($json, 'secret') || str_contains(serialize($edges), 'secret') ? "it has values\n" : "it has no values\n";
    exit(0);
}
foreach ([[0, []], [XHPROF_FLAGS_NO_BUILTINS, []], [0, ['xhprof.collect_additional_info' => 0]]] as [$flags, $ini]) {
    echo "-- $flags ", implode(' ', array_keys($ini)), "\n";
    xhprof_test_show(xhprof_test_child(__FILE__, [(string) $flags], $ini, ['pdo', 'pdo_sqlite', 'sqlite3']));
}
?>
--EXPECT--
-- 0 
invariants: ok
author==>PDO::prepare: ct=6
author==>PDOStatement::execute: ct=6
queries==>PDO::beginTransaction: ct=1
queries==>PDO::exec: ct=1
queries==>PDO::prepare: ct=1
queries==>PDO::query: ct=2
queries==>PDO::rollBack: ct=1
queries==>PDOStatement::bindValue: ct=3
queries==>PDOStatement::execute: ct=3
sql: CREATE TABLE t (a): ct=1 distinct=1 by SQLite3::exec
sql: INSERT INTO author VALUES (…): ct=1 distinct=1 by PDO::exec
sql: INSERT INTO t VALUES (…): ct=2 distinct=2 by SQLite3Stmt::execute
sql: PDO::beginTransaction: ct=1 distinct=1 by PDO::beginTransaction
sql: PDO::rollBack: ct=1 distinct=1 by PDO::rollBack
sql: PREPARE INSERT INTO t VALUES (…): ct=1 distinct=1 by SQLite3::prepare
sql: SELECT * FROM author WHERE id IN (…) AND name = ?: ct=2 distinct=2 by PDO::query
sql: SELECT ?: ct=1 distinct=1 by SQLite3::querySingle
sql: SELECT ?: ct=3 distinct=2 by PDOStatement::execute
sql: SELECT name FROM author WHERE id = ? AND name <> ?: ct=6 distinct=2 by PDOStatement::execute
it has no values
-- 1 
sql: CREATE TABLE t (a): ct=1 distinct=1 by queries3
sql: INSERT INTO author VALUES (…): ct=1 distinct=1 by queries
sql: INSERT INTO t VALUES (…): ct=2 distinct=2 by queries3
sql: PDO::beginTransaction: ct=1 distinct=1 by queries
sql: PDO::rollBack: ct=1 distinct=1 by queries
sql: PREPARE INSERT INTO t VALUES (…): ct=1 distinct=1 by queries3
sql: SELECT * FROM author WHERE id IN (…) AND name = ?: ct=2 distinct=2 by queries
sql: SELECT ?: ct=1 distinct=1 by queries3
sql: SELECT ?: ct=3 distinct=2 by queries
sql: SELECT name FROM author WHERE id = ? AND name <> ?: ct=6 distinct=2 by author
it has no values
-- 0 xhprof.collect_additional_info
invariants: ok
author==>PDO::prepare: ct=6
author==>PDOStatement::execute: ct=6
queries==>PDO::beginTransaction: ct=1
queries==>PDO::exec: ct=1
queries==>PDO::prepare: ct=1
queries==>PDO::query: ct=2
queries==>PDO::rollBack: ct=1
queries==>PDOStatement::bindValue: ct=3
queries==>PDOStatement::execute: ct=3
it has no values
