--TEST--
xhprof.collect_additional_info: SQL in the names of PDO's methods
--SKIPIF--
<?php
require __DIR__ . '/../lib.inc';
if (!xhprof_test_available('pdo', 'pdo_sqlite')) {
    die('skip needs pdo_sqlite');
}
?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function queries(PDO $db, string $long): void
{
    $db->exec('CREATE TABLE t (id INTEGER, name TEXT)');
    $db->exec("INSERT INTO t VALUES (1, 'one')");
    $db->query('SELECT * FROM t');
    $db->query('SELECT * FROM t');
    $db->query("SELECT '$long'");
    $st = $db->prepare('SELECT * FROM t WHERE id = ? OR id = ?');
    $st->execute([7, 8]);
    $st->execute([9, 10]);
    $st = $db->prepare('SELECT * FROM t WHERE id = :id OR id = :id2');
    $st->execute(['id' => 7, 'id2' => 8]);
    $st->execute([':id' => 9, ':id2' => 10]);
    $st = $db->prepare('SELECT 5');
    $st->execute();
    $st->fetchAll();
}

if (isset($argv[1])) {
    $db = new PDO('sqlite::memory:');
    $long = str_repeat('x', 3000);
    xhprof_enable();
    queries($db, $long);
    $edges = xhprof_disable();
    $shown = [];
    foreach ($edges as $key => $values) {
        $shown[str_replace($long, '<long>', $key)] = $values;
    }
    xhprof_test_edges($shown);
    xhprof_test_check_invariants($edges, xhprof_call_tree());
    xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
    queries(new PDO('sqlite::memory:'), $long);
    xhprof_test_edges(xhprof_disable());
    exit(0);
}
foreach ([1, 0] as $on) {
    echo "-- $on\n";
    xhprof_test_show(xhprof_test_child(__FILE__, ['child'], ['xhprof.collect_additional_info' => $on], ['pdo', 'pdo_sqlite']));
}
?>
--EXPECT--
-- 1
main(): ct=1
main()==>queries: ct=1
main()==>xhprof_disable: ct=1
queries==>PDO::exec#CREATE TABLE t (id INTEGER, name TEXT): ct=1
queries==>PDO::exec#INSERT INTO t VALUES (1, 'one'): ct=1
queries==>PDO::prepare: ct=3
queries==>PDO::query#SELECT '<long>': ct=1
queries==>PDO::query#SELECT * FROM t: ct=2
queries==>PDOStatement::execute#SELECT * FROM t WHERE id = 7 OR id = 8: ct=2
queries==>PDOStatement::execute#SELECT * FROM t WHERE id = 9 OR id = 10: ct=2
queries==>PDOStatement::execute#SELECT 5: ct=1
queries==>PDOStatement::fetchAll: ct=1
invariants: ok
main(): ct=1
main()==>queries: ct=1
-- 0
main(): ct=1
main()==>queries: ct=1
main()==>xhprof_disable: ct=1
queries==>PDO::exec: ct=2
queries==>PDO::prepare: ct=3
queries==>PDO::query: ct=3
queries==>PDOStatement::execute: ct=5
queries==>PDOStatement::fetchAll: ct=1
invariants: ok
main(): ct=1
main()==>queries: ct=1
