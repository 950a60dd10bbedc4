<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use PHPUnit\Framework\Attributes\DataProvider;

require_once __DIR__ . '/CliTestCase.php';

/** `xhprof report --findings` of programs that have a problem, and of the same without it. */
final class FindingsTest extends CliTestCase
{
    private const QUERIES = <<<'PHP'
        final class Repository
        {
            private PDOStatement $one;

            public function __construct(public readonly PDO $db)
            {
                $db->exec('CREATE TABLE t (id INTEGER, name TEXT)');
                $this->one = $db->prepare('SELECT name FROM t WHERE id = ?');
            }

            public function find(int $id): mixed
            {
                return $this->run([$id]);
            }

            private function run(array $values): mixed
            {
                $this->one->execute($values);

                return $this->one->fetchAll();
            }

            public function all(): array
            {
                return $this->db->query('SELECT name FROM t')->fetchAll();
            }
        }
        PHP;

    /** @return iterable<string, array{string, string, string, string, list<string>}> rule, function, program with it, without, options */
    public static function programs(): iterable
    {
        yield 'a query per turn of a loop, behind a repository' => ['n-plus-one', 'showOrders', self::QUERIES . <<<'PHP'

            function showOrders(Repository $orders): void
            {
                foreach (range(1, 200) as $id) {
                    $orders->find($id);
                }
            }
            showOrders(new Repository(new PDO('sqlite::memory:')));
            PHP, self::QUERIES . <<<'PHP'

            function showOrders(Repository $orders): void
            {
                foreach (range(1, 200) as $id) {
                    $names[$id] = strlen((string) $id);
                }
                $orders->all();
            }
            showOrders(new Repository(new PDO('sqlite::memory:')));
            PHP, []];
        $numbers = <<<'PHP'
            function numbers(PDO $db, int $count): void
            {
                $all = "WITH RECURSIVE c(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM c WHERE v < $count) SELECT v FROM c";
                $db->exec("CREATE TABLE n AS $all");
            }
            PHP;
        yield 'one statement that takes the time' => ['slow-operation', 'pairs', $numbers . <<<'PHP'

            function pairs(PDO $db): int
            {
                return (int) $db->query('SELECT count(*) FROM n a, n b WHERE a.v < b.v AND b.v % 3 <> 1')->fetchColumn();
            }
            $db = new PDO('sqlite::memory:');
            numbers($db, 3000);
            echo pairs($db);
            PHP, $numbers . <<<'PHP'

            function pairs(PDO $db): int
            {
                $sum = (int) $db->query('SELECT count(*) FROM n WHERE v % 3 <> 1')->fetchColumn();
                // So much else that the machine may well pause meanwhile, and hardly within the statement.
                for ($i = 0; $i < 20_000_000; $i++) {
                    $sum += $i % 7;
                }
                return $sum;
            }
            $db = new PDO('sqlite::memory:');
            numbers($db, 100);
            echo pairs($db);
            PHP, []];
        $nodes = <<<'PHP'
            final class Node
            {
                public mixed $self = null;
                public function __construct(public mixed $to) { }
            }
            function visit(array $all, bool $isCycle): int
            {
                for ($i = 0; $i < 300000; $i++) {
                    $node = new Node($all[0]);
                    $node->self = $isCycle ? $node : null;
                }
                return $i;
            }
            for ($i = 0, $all = []; $i < COUNT; $i++) {
                $all[] = new Node($all[$i - 1] ?? null);
            }
            $all[0]->to = $all;
            PHP;
        yield 'cycles of objects' => [
            'garbage-collection', 'visit', "const COUNT = 100000;\n$nodes\necho visit(\$all, true);",
            "const COUNT = 100;\n$nodes\necho visit(\$all, false);", [],
        ];
        yield 'one function that takes the time' => ['dominant-function', 'primes', <<<'PHP'
            function primes(int $most): int
            {
                for ($found = 0, $n = 2; $n < $most; $n++) {
                    for ($d = 2; $d < $n && $n % $d !== 0; $d++);
                    $found += $d === $n ? 1 : 0;
                }
                return $found;
            }
            echo primes(6000);
            PHP, implode("\n", array_map(static fn (int $i): string => "function f$i(int \$n): int { for (\$s = 0; \$n > 0; \$n--)"
                . " { \$s += \$n % $i; } return \$s; }", range(1, 12)))
            . "\n" . 'for ($i = 0; $i < 200; $i++) { foreach (range(1, 12) as $f) { ("f$f")(3000); } }', []];
        yield 'code that is loaded' => ['loading-code', 'load::', self::loading(200), self::loading(5), []];
        yield 'exceptions for what is usual' => ['exceptions', 'parse', <<<'PHP'
            final class Wrong extends RuntimeException
            {
                public function __construct(string $what)
                {
                    parent::__construct("wrong: $what");
                }
            }
            function parse(string $text): int
            {
                return ctype_digit($text) ? (int) $text : throw new Wrong($text);
            }
            for ($i = 0; $i < 500; $i++) {
                try { parse("a$i"); } catch (Wrong) { }
            }
            PHP, <<<'PHP'
            function parse(string $text): ?int
            {
                return ctype_digit($text) ? (int) $text : null;
            }
            for ($i = 0; $i < 500; $i++) {
                parse("a$i");
            }
            try { throw new RuntimeException(); } catch (RuntimeException) { }
            PHP, []];
        $tree = 'function depth(int $levels): int { return $levels === 0 ? 0 : 1 + depth($levels - 1); } echo depth(%d);';
        yield 'a recursion' => ['deep-recursion', 'depth', sprintf($tree, 400), sprintf($tree, 20), []];
        yield 'memory that is kept' => ['kept-memory', 'remember', <<<'PHP'
            final class Log { public static array $lines = []; }
            function remember(string $line): void
            {
                Log::$lines[] = str_pad($line, 4000, '-') . count(Log::$lines);
            }
            for ($i = 0; $i < 1500; $i++) {
                remember("line $i");
            }
            PHP, <<<'PHP'
            function show(string $line): int
            {
                return strlen(str_pad($line, 4000, '-'));
            }
            for ($i = 0; $i < 1500; $i++) {
                show("line $i");
            }
            PHP, ['--alloc']];
        yield 'waiting' => ['waiting', 'usleep', 'for ($i = 0; $i < 20; $i++) { usleep(30000); }', 'echo md5("no wait");', []];
    }

    /** @param list<string> $options of run */
    #[DataProvider('programs')]
    public function testAProblemIsFoundWhereItIs(
        string $rule,
        string $function,
        string $with,
        string $without,
        array $options,
    ): void {
        $this->writeClasses();
        $found = array_column($this->findings($with, $options), null, 'rule');
        self::assertArrayHasKey($rule, $found);
        self::assertStringContainsString($function, $found[$rule]['function']);
        self::assertMatchesRegularExpression('/[0-9]/', $found[$rule]['figure']);
        self::assertStringEndsWith('.', $found[$rule]['why']);
        $this->assertItsPlaceIsThatOfTheFunction($found[$rule]);

        self::assertNotContains($rule, array_column($this->findings($without, $options), 'rule'));
    }

    /** Of a connection that all share, as frameworks have it, each place has what its own calls ask. */
    public function testAPlaceHasItsOwnOperationsOnly(): void
    {
        $found = $this->findings(<<<'PHP'
            final class Connection
            {
                private PDO $db;

                public function select(string $text, int $id): mixed
                {
                    return $this->run(fn () => $this->statement($text, $id)->fetchColumn());
                }

                private function run(Closure $query): mixed
                {
                    $this->db ??= new PDO('sqlite::memory:');

                    return $query();
                }

                private function statement(string $text, int $id): PDOStatement
                {
                    $statement = $this->db->prepare($text);
                    $statement->execute([$id]);

                    return $statement;
                }
            }
            function session(Connection $db): void { $db->select('SELECT 1 + ?', 1); $db->select('SELECT 2 + ?', 1); }
            function total(Connection $db, int $most): void
            {
                for ($i = 0; $i < $most; $i++) {
                    $db->select('SELECT 3 * ?', $i);
                }
            }
            function menu(Connection $db): void
            {
                foreach (range(1, 60) as $i) {
                    $db->select('SELECT 4 * ?', $i);
                }
            }
            $db = new Connection();
            session($db);
            total($db, 150);
            menu($db);
            session($db);
            PHP, []);
        $figures = [];
        foreach ($found as $finding) {
            if ($finding['rule'] === 'n-plus-one') {
                $figures[$finding['function']] = (string) strstr($finding['figure'], ',', true);
            }
        }
        ksort($figures);
        self::assertSame(['menu' => '60 queries', 'total' => '150 queries'], $figures);
    }

    /** @param array{function: string, file: ?string, line: ?int} $finding */
    private function assertItsPlaceIsThatOfTheFunction(array $finding): void
    {
        $name = (string) preg_replace('/\A.*::|@\d+\z/', '', $finding['function']);
        if ($finding['line'] === null) {
            // PHP's own functions, files that are loaded, and main() have none.
            self::assertStringNotContainsString("function $name(", (string) file_get_contents("$this->folder/script.php"));

            return;
        }
        $lines = file((string) $finding['file']) ?: [];
        self::assertStringContainsString("function $name(", $lines[$finding['line'] - 1] ?? '');
    }

    public function testThereAreFiveAtMostAndScriptsLearnOfThem(): void
    {
        $this->store()->save(['main()' => ['ct' => 1, 'wt' => 100], 'main()==>f' => ['ct' => 1, 'wt' => 10]], 'cli', 'fine');
        $edges = ['main()' => ['ct' => 1, 'wt' => 1000]];
        for ($i = 0; $i < 8; $i++) {
            $edges["main()==>place$i"] = ['ct' => 1, 'wt' => 100 + $i];
            $edges["place$i==>PDOStatement::execute#SELECT \xff$i"] = ['ct' => 60, 'wt' => 90 + $i];
        }
        $this->store()->save($edges, 'cli', 'slow');

        $fine = $this->xhprof(['report', 'fine', '--fail-on-findings']);
        self::assertSame([0, true], [$fine->exitCode, str_contains($fine->out, 'Nothing stands out.')]);
        $slow = $this->xhprof(['report', 'slow', '--findings']);
        self::assertSame(0, $slow->exitCode);
        self::assertStringContainsString("60 queries, 9.7 % of the wall time  place7\n", $slow->out);
        self::assertSame(5, substr_count($slow->out, ' queries, '));
        self::assertLessThanOrEqual(80, self::widestLine($slow->out));
        $strict = $this->xhprof(['report', 'slow', '--fail-on-findings', '--json']);
        self::assertSame([3, 5], [$strict->exitCode, count($strict->json()['findings'])]);
        self::assertUsageError('--findings excludes', $this->xhprof(['report', 'slow', '--findings', '--tree']));
    }

    /**
     * @param list<string> $options
     *
     * @return list<array{rule: string, figure: string, function: string, file: ?string, line: ?int, why: string}>
     */
    private function findings(string $program, array $options): array
    {
        $result = $this->xhprof(['run', ...$options, '--', $this->script($program)]);
        self::assertSame(0, $result->exitCode, $result->err);

        return $this->xhprof(['report', 'latest', '--findings', '--json'])->json()['findings'];
    }

    private static function loading(int $files): string
    {
        return "foreach (range(1, $files) as \$i) { require __DIR__ . \"/class\$i.php\"; }";
    }

    /** Files of classes that the programs may load. */
    private function writeClasses(): void
    {
        $methods = '';
        foreach (range(1, 40) as $m) {
            $methods .= "    public function m$m(array \$a): int { return count(\$a) + $m * 2; }\n";
        }
        foreach (range(1, 200) as $i) {
            file_put_contents("$this->folder/class$i.php", "<?php\nfinal class C$i\n{\n$methods}\n");
        }
    }
}
