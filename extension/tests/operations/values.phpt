--TEST--
xhprof.operation_values: texts of operations have their values, URLs still no secrets
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('+pdo', '+pdo_sqlite'); ?>
--FILE--
<?php
require __DIR__ . '/operations.inc';

if (isset($argv[1])) {
    $db = new PDO('sqlite::memory:');
    xhprof_enable();
    $db->query("SELECT 'it''s', 5");
    $st = $db->prepare("SELECT ?, '?'");
    $st->execute(['a?b']);
    $st = $db->prepare('SELECT :a, :ab');
    $st->execute([':a' => ':ab', 'ab' => 7]);
    @file_get_contents('http://127.0.0.1:9/users/55?id=7&token=secret');
    @unlink('/no/such/12345.txt');
    xhprof_disable();
    operations_show(['sql', 'http', 'file']);
    exit(0);
}
xhprof_test_show(xhprof_test_child(__FILE__, ['child'], ['xhprof.operation_values' => 1], ['pdo', 'pdo_sqlite']));
?>
--EXPECT--
file: unlink /no/such/12345.txt: ct=1 distinct=1 by unlink
http: GET http://127.0.0.1:9/users/55?id=7&token=REDACTED: ct=1 distinct=1 by file_get_contents
sql: SELECT ':ab', 7: ct=1 distinct=1 by PDOStatement::execute
sql: SELECT 'a?b', '?': ct=1 distinct=1 by PDOStatement::execute
sql: SELECT 'it''s', 5: ct=1 distinct=1 by PDO::query
