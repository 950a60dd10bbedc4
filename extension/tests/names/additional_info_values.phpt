--TEST--
xhprof.collect_additional_info: odd statements and values are shown, never evaluated, and never hurt
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

class Text
{
    public static int $converted = 0;

    public function __toString(): string
    {
        self::$converted++;
        return 'text';
    }
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
    $names = [];
    foreach ($edges as $key => $values) {
        if (preg_match('/==>(PDO::(?:exec|query)|PDOStatement::execute)(#.*)?$/s', $key, $m)) {
            $names[] = $m[1] . addcslashes($m[2] ?? '', "\0");
        }
    }
    $long = 'PDOStatement::execute#SELECT 1 WHERE 1 IN (' . implode(',', range(1, 300)) . ')';
    echo in_array($long, $names, true) ? "300 values\n" : "not 300 values\n";
    foreach (
        ["PDO::exec#SELECT 'nul\\000byte'", 'PDO::exec#SELECT 2', 'PDO::exec#SELECT 4', 'PDO::exec#SELECT 5',
            'PDO::query#SELECT 1'] as $name
    ) {
        echo in_array($name, $names, true) ? $name : "no $name", "\n";
    }
    $executes = preg_grep('/^PDOStatement::execute#SELECT/', $names);
    foreach (['/^.*SELECT .\?., .?a\?b.?, 1\.5$/', '/^.*SELECT .?:ab.?, 7$/', '/^.*SELECT .?by reference.?$/'] as $pattern) {
        echo count(preg_grep($pattern, $executes)), "\n";
    }
    $calls = 0;
    foreach ($edges as $key => $values) {
        $calls += preg_match('/==>PDOStatement::execute/', $key) ? $values['ct'] : 0;
    }
    echo "$calls executes\n";
    xhprof_test_check_invariants($edges, xhprof_call_tree());
    exit(0);
}
xhprof_test_show(xhprof_test_child(__FILE__, ['child'], ['xhprof.collect_additional_info' => 1], ['pdo', 'pdo_sqlite']));
?>
--EXPECTF--
converted: 1
300 values
PDO::exec#SELECT 'nul\000byte'
PDO::exec#SELECT 2
PDO::exec#SELECT 4
PDO::exec#SELECT 5
PDO::query#SELECT 1
1
1
1
11 executes
invariants: ok
