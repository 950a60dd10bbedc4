--TEST--
Operations: odd statements and values are compared or shown, never evaluated, and never hurt
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('+pdo', '+pdo_sqlite'); ?>
--FILE--
<?php
require __DIR__ . '/operations.inc';

class Text
{
    public static int $converted = 0;

    public function __toString(): string { self::$converted++; return 'text'; }
}

// Only the child has PDO for certain.
if (class_exists('PDO')) {
    class Db extends PDO
    {
        public function query(string $query, ?int $fetchMode = null, mixed ...$args): PDOStatement|false
        {
            return parent::query($query);
        }
    }
}

function queries(PDO $db): void
{
    $st = $db->prepare("SELECT '?', ?, ?");
    $st->execute(['a?b', 1.5]);
    $st = $db->prepare('SELECT :a, :ab');
    $st->execute([':a' => ':ab', ':ab' => 7]);
    $st = $db->prepare('SELECT ?');
    $st->execute([null]);
    $st->execute([true]);
    $st->execute([new Text()]);
    @$st->execute([[1, 2]]);
    @$st->execute([5 => 1]);
    $x = 'by reference';
    $values = [&$x];
    $st->execute($values);
    $st->bindValue(1, 'bound');
    $st->execute();
    $db->exec("SELECT 'nul\0byte'");
    $db->exec(statement: 'SELECT 5');
    $db->query('SELECT 1');
    array_map([$db, 'exec'], ['SELECT 2']);
    $exec = $db->exec(...);
    $exec('SELECT 4');
    foreach ([[], [[]], [new stdClass()]] as $args) {
        try {
            $db->exec(...$args);
        } catch (Error) {
        }
    }
    try {
        (new PDOStatement())->execute([1]);
    } catch (Error) {
    }
    $n = 300;
    $st = $db->prepare('SELECT 1 WHERE 1 IN (' . implode(',', array_fill(0, $n, '?')) . ')');
    $st->execute(range(1, $n));
}

if (isset($argv[1])) {
    $db = new Db('sqlite::memory:', null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_SILENT]);
    xhprof_enable();
    queries($db);
    $edges = xhprof_disable();
    // Once by PDO itself, which binds the value; the profiler calls no code of the program.
    echo 'converted: ', Text::$converted, "\n";
    ob_start();
    $data = json_decode(operations_show(['sql']), true);
    ob_end_clean();
    $names = $data['texts'];
    $long = 'SELECT 1 WHERE 1 IN (' . implode(',', range(1, 300)) . ')';
    echo in_array($long, $names, true) ? "300 values\n" : "not 300 values\n";
    foreach (["SELECT 'nul\0byte'", 'SELECT 2', 'SELECT 4', 'SELECT 5', 'SELECT 1', 'PDO::exec'] as $name) {
        echo in_array($name, $names, true) ? '' : 'no ', addcslashes($name, "\0"), "\n";
    }
    foreach (["SELECT '?', 'a?b', 1.5", "SELECT ':ab', 7", "SELECT 'by reference'", 'SELECT NULL', 'SELECT 1', 'SELECT ?'] as $name) {
        echo count(array_keys($names, $name, true)), "\n";
    }
    $calls = 0;
    foreach ($edges as $key => $values) {
        $calls += preg_match('/==>PDOStatement::execute/', $key) ? $values['ct'] : 0;
    }
    echo "$calls executes\n";
    xhprof_test_check_invariants($edges, xhprof_call_tree());
    exit(0);
}
foreach ([1, 0] as $values) {
    xhprof_test_show(xhprof_test_child(__FILE__, ['child'], ['xhprof.operation_values' => $values], ['pdo', 'pdo_sqlite']));
}
?>
--EXPECT--
converted: 1
300 values
SELECT 'nul\000byte'
SELECT 2
SELECT 4
SELECT 5
SELECT 1
PDO::exec
1
1
1
1
1
1
11 executes
invariants: ok
converted: 1
not 300 values
no SELECT 'nul\000byte'
no SELECT 2
no SELECT 4
no SELECT 5
no SELECT 1
PDO::exec
0
0
0
0
0
1
11 executes
invariants: ok
