<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\TestCase;
use Symfony\Component\Console\Input\ArrayInput;
use Symfony\Component\Console\Output\BufferedOutput;
use XHProf\App\Application;
use XHProf\App\Site;
use XHProf\Export\Csv;
use XHProf\Export\Folded;
use XHProf\App\Pages;
use XHProf\Share\Answer;
use XHProf\Share\Html;
use XHProf\Export\Utf8Names;
use XHProf\File\Sink;
use XHProf\Profile\CallTree;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\FileSums;
use XHProf\Tests\Lib\Support\TreeSums;
use XHProf\Web\Http\Request;

require_once __DIR__ . '/../lib/Support/FileSums.php';
require_once __DIR__ . '/../lib/Support/PprofDecoder.php';
require_once __DIR__ . '/../lib/Support/TreeSums.php';

/**
 * A function has the same figures wherever they are shown, to the nanosecond and the byte: in the API behind the pages, in the
 * pages' own modules, on the command line and in other tools' files. FoldTest compares the folding of the same programs.
 *
 * @phpstan-type Rows array<string, array<string, mixed>>
 */
final class EqualityTest extends TestCase
{
    private const ROOT = __DIR__ . '/../..';
    private const PROGRAMS = 50;
    /** What many processes took together in weeks: more digits than a float has by default. */
    private const LONG = [
        'names' => ['main()', 'a', 'b', 'c'],
        'fn' => [0, 1, 2, 1, 3, 2],
        'depth' => [0, 1, 2, 3, 1, 2],
        'ct' => [1, 2000000001, 3, 4000000000, 5, 6],
        'self' => [
            'wt' => [3600000000000001, 1234567890123, 999999999999999, 7, 12345678901234, 1001],
            'cpu' => [360000000000011, 123456789012, 99999999999997, 6, 1234567890123, 1003],
            'mu' => [4503599627370497, -123456789012345, 1, 0, 99999999999, -5],
            'pmu' => [4503599627370497, 0, 1, 0, 12345678901, 5],
        ],
    ];
    private const METRICS = ['wt', 'cpu', 'mu', 'pmu'];

    private static string $folder;
    private static Site $app;
    private static Application $console;

    /** @var array<string, array{edges: array<string, array<string, int>>, sums: TreeSums, tree: array<string, mixed>}> by id of the run */
    private static array $runs = [];

    public static function setUpBeforeClass(): void
    {
        $extension = self::ROOT . '/extension/modules/xhprof.so';
        if (!is_file($extension)) {
            self::markTestSkipped('the extension is not built');
        }
        self::$folder = sys_get_temp_dir() . '/xhprof-equality-' . bin2hex(random_bytes(6));
        mkdir(self::$folder, 0700);
        $options = ['-n', '-d', "extension=$extension", '-d', 'xhprof.output_dir=' . self::$folder];
        $program = [self::ROOT . '/tests/lib/Support/fold-programs.php', self::$folder, '1', (string) self::PROGRAMS, 'all'];
        foreach (self::lines([PHP_BINARY, ...$options, ...$program]) as $line) {
            $run = unserialize((string) base64_decode($line, true), ['allowed_classes' => false]);
            self::assertIsArray($run, $line);
            self::$runs[$run['id']] = ['edges' => $run['edges'], 'sums' => TreeSums::of($run['tree']), 'tree' => $run['tree']];
        }
        self::assertCount(self::PROGRAMS, self::$runs);
        $tree = CallTree::fromArray(self::LONG);
        $edges = $tree->toEdges();
        $id = (new RunFolder(self::$folder))->save($edges->edges(), 'fold', null, [], $tree);
        self::$runs[$id->id] = [
            'edges' => array_map(static fn (array $row): array => array_map(intval(...), $row), $edges->recorded()->edges()),
            'sums' => TreeSums::of(self::LONG),
            'tree' => self::LONG,
        ];
        self::$app = new Site(self::ROOT . '/xhprof_html', new RunFolder(self::$folder));
        self::$console = new Application(self::ROOT);
    }

    public static function tearDownAfterClass(): void
    {
        exec('rm -rf ' . escapeshellarg(self::$folder));
        self::$runs = [];
    }

    public function testTheProgramsAreOfAllKinds(): void
    {
        $kinds = ['recursive', 'called by some only while it runs', 'resumed only', 'not UTF-8', 'without builtins'];
        $met = array_fill_keys($kinds, 0);
        foreach (self::$runs as ['sums' => $sums, 'tree' => $tree]) {
            self::assertSame(self::METRICS, $sums->metrics());
            $met['recursive'] += count($sums->functions) > count($sums->flat) ? 1 : 0;
            $met['resumed only'] += in_array(0, $tree['ct'], true) ? 1 : 0;
            $met['not UTF-8'] += array_map(Utf8Names::utf8(...), $tree['names']) !== $tree['names'] ? 1 : 0;
            $met['without builtins'] += isset($sums->functions['strlen']) ? 0 : 1;
            $callees = array_merge(...array_map(array_keys(...), array_values($sums->calls)));
            foreach (array_count_values($callees) as $callee => $callers) {
                $met['called by some only while it runs'] += count($sums->waysIn[$callee]) < $callers ? 1 : 0;
            }
        }
        self::assertGreaterThan(5, min($met), json_encode($met, JSON_THROW_ON_ERROR));
    }

    public function testFunctions(): void
    {
        foreach (self::$runs as $id => ['sums' => $sums]) {
            foreach (['' => $sums->functions, '1' => $sums->levels] as $levels => $expected) {
                $answer = self::api(['get' => 'functions', 'run' => $id, 'levels' => (string) $levels]);
                self::assertRows($expected, self::ofColumns($answer['names'], $answer['m']), "functions of $id, levels=$levels");
            }
        }
    }

    public function testCallGraph(): void
    {
        foreach (self::$runs as $id => ['sums' => $sums]) {
            foreach (self::METRICS as $metric) {
                $query = ['get' => 'graph', 'run' => $id, 'metric' => $metric, 'threshold' => '0', 'nodes' => '1000'];
                $graph = self::api($query)['graph'];
                $shown = [];
                foreach ($graph['nodes'] as $node) {
                    $shown[$node['name']] = ['ct' => $node['ct'], $metric => $node['incl'], "excl_$metric" => $node['excl']];
                }
                self::assertRows(self::only($sums->functions, $metric), $shown, "graph of $id");
                self::assertNotSame([], $graph['edges']);
                foreach ($graph['edges'] as $edge) {
                    [$from, $to] = [$graph['nodes'][$edge['from']]['name'], $graph['nodes'][$edge['to']]['name']];
                    $expected = self::only($sums->calls[$from], $metric)[$to];
                    $drawn = ['ct' => $edge['ct'], $metric => $edge['now']];
                    self::assertRows([$expected], [$drawn], "$from calls $to in the graph of $id");
                }
            }
        }
    }

    public function testSymbols(): void
    {
        $turn = 0;
        foreach (self::$runs as $id => ['sums' => $sums]) {
            foreach ($sums->functions as $name => $row) {
                $where = "$name of $id";
                $answer = self::api(['get' => 'symbol', 'run' => $id, 'symbol' => $name]);
                $callers = self::named($answer['callers']);
                self::assertRows([$row], [$answer['row']], $where);
                self::assertRows($sums->callers($name), $callers, "callers of $where");
                self::assertRows($sums->calls[$name] ?? [], self::named($answer['callees']), "callees of $where");
                $inner = array_column($answer['recursion'], 'ct', 'name');
                self::assertEqualsCanonicalizing($sums->inner[$name] ?? [], $inner, $where);
                if ($name !== 'main()') {
                    foreach (['ct', ...self::METRICS] as $metric) {
                        if ($metric !== 'ct' || in_array($name, $sums->flat, true)) {
                            $sum = array_sum(array_column($sums->callers($name), $metric));
                            self::assertSame($row[$metric], $sum, "$metric of what calls $where");
                        }
                    }
                }
                // Each has figures of one metric: testCallGraph() has all.
                $metric = self::METRICS[$turn++ % count(self::METRICS)];
                $answer = self::api(['get' => 'graph', 'run' => $id, 'metric' => $metric, 'symbol' => $name]);
                self::assertRows(self::only([$row], $metric), [$answer['row']], "graph's $where");
                $all = array_filter(array_map(static fn (array $callees): ?array => $callees[$name] ?? null, $sums->calls));
                self::assertRows(self::only($all, $metric), self::named($answer['callers']), "graph's callers of $where");
                $callees = self::only($sums->calls[$name] ?? [], $metric);
                self::assertRows($callees, self::named($answer['callees']), "graph's callees of $where");
            }
        }
    }

    public function testComparison(): void
    {
        foreach (self::$runs as $id => ['sums' => $sums]) {
            $answer = self::api(['get' => 'diff', 'run1' => $id, 'run2' => $id]);
            foreach (['a', 'b'] as $side) {
                $shown = self::ofColumns($answer['names'], $answer[$side]);
                self::assertRows($sums->functions, $shown, "comparison of $id with itself");
            }
        }
    }

    public function testPagesModules(): void
    {
        mkdir(self::$folder . '/columns');
        foreach (self::$runs as $id => $_) {
            file_put_contents(self::$folder . "/columns/$id.columns", self::bytes([
                'get' => 'columns', 'documents' => 'tree,timeline', 'run' => $id,
            ]));
            $made = (new Html(Pages::all(), PHP_INT_MAX))->file((new RunFolder(self::$folder))->named($id));
            $columns = array_filter($made->document->answers, static fn (Answer $answer): bool => !$answer->isJson);
            $html = $columns === [] ? '' : $columns[array_key_first($columns)]->body;
            file_put_contents(self::$folder . "/columns/$id html.columns", $html);
        }
        $printed = implode('', self::lines(['node', __DIR__ . '/tree-figures.mjs', self::$folder . '/columns']));
        $timelines = $allocating = 0;
        foreach ((array) json_decode($printed, true, 32, JSON_THROW_ON_ERROR) as $name => $shown) {
            $id = explode(' ', (string) $name)[0];
            $sums = self::$runs[$id]['sums'];
            // What is still live is in no file: the extension, the library and the pages compute it.
            $live = array_intersect_key(self::$runs[$id]['tree']['self'], ['live_bytes' => true, 'live_blocks' => true]);
            $saved = (new RunFolder(self::$folder))->named($id)->tree()->allocations ?? [];
            foreach ($live as $metric => $column) {
                self::assertSame($column, $saved[$metric] ?? null, "$metric of $id");
                self::assertSame($column, $shown['live'][$metric] ?? null, "$metric of $name");
            }
            $allocating += $live === [] ? 0 : 1;
            foreach ($shown['views'] as $view => $metrics) {
                foreach (self::METRICS as $metric) {
                    $rows = array_map(
                        static fn (array $row): array => ['ct' => $row[0], $metric => $row[1], "excl_$metric" => $row[2]],
                        $metrics[$metric],
                    );
                    self::assertRows(self::only($sums->functions, $metric), $rows, "$metric in the $view of $name", true);
                }
            }
            foreach ($shown['symbols'] === null ? [] : $sums->functions as $function => $row) {
                $symbol = $shown['symbols'][$function];
                $where = "$function in the tree of $name";
                // Allocations are there too.
                $raw = static fn (array $figures): array => array_intersect_key($figures, $row);
                self::assertRows([$row], [$raw($symbol['row'])], $where, true);
                $callers = array_map($raw, self::named($symbol['callers']));
                self::assertRows($sums->callers($function), $callers, "callers of $where", true);
                $callees = array_map($raw, self::named($symbol['callees']));
                self::assertRows($sums->calls[$function] ?? [], $callees, "callees of $where", true);
                $inner = array_column($symbol['recursion'], 'ct', 'name');
                self::assertEqualsCanonicalizing($sums->inner[$function] ?? [], $inner, $where);
            }
            if ($shown['range'] !== null) {
                $timelines++;
                $this->assertRange($id, $shown['range']);
                $whole = self::api(['get' => 'functions', 'run' => $id, 'x0' => '0', 'x1' => '99999999']);
                $calls = array_map(static fn (array $row): int => $row['ct'], $sums->functions);
                self::assertEquals($calls, array_combine($whole['names'], $whole['m']['ct']), "all of the time of $id");
            }
        }
        self::assertGreaterThan(self::PROGRAMS / 4, $timelines);
        self::assertGreaterThan(5, $allocating);
    }

    /** @param array{from: int, to: int, functions: array<string, list<int>>} $range */
    private function assertRange(string $id, array $range): void
    {
        $query = ['run' => $id, 'x0' => (string) $range['from'], 'x1' => (string) $range['to']];
        $answer = self::api(['get' => 'functions'] + $query);
        $expected = [];
        foreach ($range['functions'] as $function => [$calls, $inclusive, $exclusive]) {
            $expected[$function] = ['ct' => $calls, 'wt' => $inclusive, 'excl_wt' => $exclusive];
        }
        $shown = self::ofColumns($answer['names'], array_intersect_key($answer['m'], ['ct' => 0, 'wt' => 0, 'excl_wt' => 0]));
        self::assertRows($expected, $shown, "$range[from] to $range[to] µs of $id");
    }

    public function testCommandLine(): void
    {
        foreach (self::$runs as $id => ['sums' => $sums, 'tree' => $tree]) {
            foreach ([[$sums->functions, []], [$sums->levels, ['--levels' => true]]] as [$expected, $options]) {
                $report = self::console(['report', 'run' => $id, '--limit' => '0', '--json' => true] + $options);
                self::assertRows($expected, self::named($report['functions']), "report of $id");
            }
            $paths = self::console(['report', 'run' => $id, '--limit' => '0', '--json' => true, '--tree' => true])['paths'];
            $columns = ['depth' => $tree['depth'], 'ct' => $tree['ct'], 'excl_wt_ns' => $tree['self']['wt']];
            foreach ($columns as $column => $values) {
                self::assertSame($values, array_column($paths, $column), "$column of the paths of $id");
            }
            foreach ($sums->functions as $name => $row) {
                $where = "$name of $id";
                $report = self::console(['report', 'run' => $id, '--symbol' => $name, '--limit' => '0', '--json' => true]);
                self::assertRows([$row], [$report['self']], $where);
                self::assertRows($sums->callers($name), self::named($report['parents']), "callers of $where");
                self::assertRows($sums->calls[$name] ?? [], self::named($report['children']), "callees of $where");
                self::assertEqualsCanonicalizing($sums->inner[$name] ?? [], $report['recursive_calls'], $where);
            }
            $diff = self::console(['diff', 'a' => $id, 'b' => $id, '--json' => true, '--limit' => '0']);
            foreach (['a', 'b'] as $side) {
                $rows = array_column($diff['functions'], $side, 'name');
                self::assertRows($sums->functions, $rows, "comparison of $id with itself");
            }
        }
    }

    public function testFilesOfOtherTools(): void
    {
        foreach (self::$runs as $id => ['sums' => $sums]) {
            $where = "of $id";
            $levels = array_combine(self::cells(array_keys($sums->levels)), $sums->levels);
            self::assertRows($levels, FileSums::csv(self::export($id, 'csv')), "CSV $where");
            $json = self::json(self::export($id, 'json'));
            $name = static fn (int $fn): string => (string) $json['names'][$fn];
            $functions = array_map($name, array_values($json['functions']['fn']));
            // Corrected times are beside the recorded ones.
            $columns = array_intersect_key($json['functions']['m'], $sums->functions['main()']);
            self::assertRows($sums->levels, self::ofColumns($functions, $columns), "JSON $where");
            self::assertCallgrind($sums, self::export($id, 'callgrind'), $where);
            self::assertSums($sums, FileSums::pprof(self::export($id, 'pprof')), "pprof $where", null, strval(...));
            $positive = $sums->withoutNegative();
            $speedscope = FileSums::speedscope(self::json(self::export($id, 'speedscope')));
            $line = static fn (string $name): string => Utf8Names::line($name, Folded::SEPARATOR);
            foreach (self::METRICS as $metric) {
                self::assertSums($positive, self::only($speedscope, $metric), "speedscope $where", $metric, strval(...));
                $rows = FileSums::folded(self::export($id, 'folded', $metric), $metric);
                self::assertSums($positive, $rows, "folded stacks $where", $metric, $line);
            }
        }
    }

    /**
     * @param list<string> $names
     *
     * @return list<string> as a reader of CSV gets them
     */
    private static function cells(array $names): array
    {
        return array_map(static fn (string $name): string => (string) str_getcsv(Csv::text($name), ',', '"', '')[0], $names);
    }

    public function testTheArrayOfEveryXHProf(): void
    {
        foreach (self::$runs as $id => ['edges' => $edges]) {
            $expected = array_combine(array_map(Utf8Names::utf8(...), array_keys($edges)), $edges);
            $written = unserialize(self::export($id, 'xhprof'), ['allowed_classes' => false]);
            self::assertSame($expected, $written, $id);
        }
    }

    private static function assertCallgrind(TreeSums $sums, string $text, string $where): void
    {
        ['own' => $own, 'calls' => $calls] = FileSums::callgrind($text);
        // Costs are counts.
        $cost = static fn (int $value): int => max(0, $value);
        foreach ($sums->functions as $function => $row) {
            $name = Utf8Names::line($function);
            foreach (self::METRICS as $metric) {
                self::assertSame($cost($row["excl_$metric"]), $own[$name][$metric], "$function, $metric in callgrind $where");
            }
            foreach ($sums->callers($function) as $caller => $call) {
                $found = $calls[$name][Utf8Names::line($caller)];
                self::assertSame(array_map($cost, $call), $found, "$caller calls $function in callgrind $where");
            }
            $began = array_sum(array_column($calls[$name] ?? [], 'ct')) + ($function === 'main()' ? 1 : 0);
            self::assertSame($row['ct'], $began, "$function in callgrind $where");
        }
    }

    /**
     * @param array<string, array<string, int>> $found 0 is left out
     * @param \Closure(string): string          $text  how names are written
     */
    private static function assertSums(TreeSums $sums, array $found, string $where, ?string $metric, \Closure $text): void
    {
        $rows = [];
        foreach ($sums->functions as $function => $row) {
            $row = $metric === null ? $row : array_intersect_key($row, [$metric => 0, "excl_$metric" => 0]);
            $rows[$text($function)] = array_filter($row);
        }
        self::assertRows(array_filter($rows), array_filter(array_map(array_filter(...), $found)), $where, true);
    }

    /**
     * @param array<array<string, int>>   $expected nanoseconds and bytes
     * @param array<array<string, mixed>> $shown    microseconds with fractions, and bytes
     * @param bool                        $isExact  whether the times shown are nanoseconds
     */
    private static function assertRows(array $expected, array $shown, string $where, bool $isExact = false): void
    {
        foreach ($isExact ? [] : $shown as $name => $row) {
            foreach ($row as $column => $figure) {
                $isTime = preg_match('/\A(?:excl_)?(?:wt|cpu)\z/', (string) $column) === 1;
                $ns = is_int($figure) || is_float($figure) ? (int) round($figure * 1000) : null;
                // No digits beyond the nanoseconds: anything else stays as it is, and is wrong.
                $shown[$name][$column] = $isTime && $ns !== null && $figure == $ns / 1000 ? $ns : $figure;
            }
        }
        self::assertSame(self::inOrder($expected), self::inOrder($shown), $where);
    }

    /**
     * @param array<array<string, mixed>> $rows
     *
     * @return array<array<string, mixed>>
     */
    private static function inOrder(array $rows): array
    {
        ksort($rows, SORT_STRING);
        foreach ($rows as &$row) {
            ksort($row, SORT_STRING);
        }

        return $rows;
    }

    /**
     * @param array<array<string, int>> $rows
     *
     * @return array<array<string, int>> calls, inclusive and exclusive figures of one metric, as far as there are
     */
    private static function only(array $rows, string $metric): array
    {
        return array_map(static fn (array $row): array => array_intersect_key(
            $row,
            ['ct' => 0, $metric => 0, "excl_$metric" => 0],
        ), $rows);
    }

    /**
     * @param list<string> $names
     * @param array<string, list<int|float>> $columns
     *
     * @return Rows
     */
    private static function ofColumns(array $names, array $columns): array
    {
        $rows = [];
        foreach ($names as $at => $name) {
            $rows[$name] = array_map(static fn (array $column): int|float => $column[$at], $columns);
        }
        self::assertCount(count($names), $rows, 'a name is there twice');

        return $rows;
    }

    /**
     * @param list<array<string, mixed>> $list
     *
     * @return Rows
     */
    private static function named(array $list): array
    {
        $rows = [];
        foreach ($list as $row) {
            $rows[$row['name']] = array_diff_key($row, ['name' => 0]);
        }
        self::assertCount(count($list), $rows, 'a name is there twice');

        return $rows;
    }

    /** The file that the command line writes, which is the one that the pages offer. */
    private static function export(string $id, string $format, ?string $metric = null): string
    {
        $file = self::$folder . '/exported';
        $options = $metric === null ? [] : ['--metric' => $metric];
        self::command(['export', 'run' => $id, '--format' => $format, '--output' => $file] + $options);
        $written = (string) file_get_contents($file);
        $query = ['get' => 'export', 'run' => $id, 'format' => $format];
        self::assertSame($written, self::bytes($query + ($metric === null ? [] : ['metric' => $metric])));

        return $written;
    }

    /**
     * @param array<array-key, string|true> $words
     *
     * @return array<string, mixed>
     */
    private static function console(array $words): array
    {
        return self::json(self::command($words));
    }

    /** @param array<array-key, string|true> $words */
    private static function command(array $words): string
    {
        $output = new BufferedOutput();
        $status = self::$console->run(new ArrayInput($words + ['--output-dir' => self::$folder]), $output);
        $text = $output->fetch();
        self::assertSame(0, $status, $text);

        return $text;
    }

    /**
     * @param array<string, string> $query
     *
     * @return array<string, mixed>
     */
    private static function api(array $query): array
    {
        return self::json(self::bytes($query));
    }

    /** @param array<string, string> $query */
    private static function bytes(array $query): string
    {
        $response = self::$app->file('api.php', new Request('GET', $query + ['source' => 'fold']));
        self::assertSame(200, $response->status, http_build_query($query) . $response->body);
        ob_start();
        $response->sendBody();

        return (string) ob_get_clean();
    }

    /** @return array<string, mixed> */
    private static function json(string $text): array
    {
        return (array) json_decode($text, true, 64, JSON_THROW_ON_ERROR);
    }

    /**
     * @param list<string> $command
     *
     * @return list<string>
     */
    private static function lines(array $command): array
    {
        exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $lines, $status);
        self::assertSame(0, $status, implode("\n", array_slice($lines, -8)));

        return $lines;
    }
}
