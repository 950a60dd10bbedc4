<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Operations\OperationReport;
use XHProf\Operations\OperationRow;
use XHProf\Operations\Operations;
use XHProf\Profile\CallTree;
use XHProf\Profile\OperationFunctions;
use XHProf\Run\Run;
use XHProf\Run\RunMeta;
use XHProf\Store\RunFolder;
use XHProf\Store\RunQuery;
use XHProf\Tests\Lib\Support\OperationsRun;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/OperationsRun.php';
require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** Operations: reads the extension's files, and sums by text and kind. */
final class OperationsTest extends TestCase
{
    use TemporaryFolder;

    private const QUERY = 'SELECT name FROM author WHERE id = ?';

    /** @param array<string, mixed> $more */
    private static function report(array $more = []): OperationReport
    {
        $tree = CallTree::fromArray(OperationsRun::TREE);

        return new OperationReport(Operations::fromArray(OperationsRun::data(more: $more), $tree->count()), $tree);
    }

    /**
     * @param list<OperationRow> $rows
     *
     * @return list<string>
     */
    private static function texts(array $rows): array
    {
        return array_map(static fn (OperationRow $row): string => $row->text, $rows);
    }

    public function testKindsAreSummedTheSlowestFirst(): void
    {
        self::assertSame([
            'http' => ['ct' => 1, 'total' => 5051000, 'texts' => 1],
            'sql' => ['ct' => 22, 'total' => 150000, 'texts' => 2],
            'file' => ['ct' => 30, 'total' => 30000, 'texts' => 1],
        ], self::report()->kinds());
        self::assertSame('SQL', OperationReport::label('sql'));
        self::assertSame('new kind', OperationReport::label('new kind'));
    }

    public function testOneTextIsOneRowWithItsCallers(): void
    {
        $row = self::report()->rows('sql')[0];
        self::assertSame([self::QUERY, 21, 93000, 78000], [$row->text, $row->ct, $row->total, $row->max]);
        self::assertSame(15, $row->duplicates);
        self::assertSame([20, 1], [$row->callers[0]->ct, $row->callers[1]->ct]);
        self::assertSame(['PDOStatement::execute', 'author', 'page', 'main()'], $row->callers[0]->path);
        self::assertSame(15, $row->callers[0]->duplicates);
        self::assertSame([500, 5500], [$row->median, $row->p95]);
        $single = self::report()->rows('http')[0];
        self::assertSame([1, 5051000, 5051000], [$single->ct, $single->median, $single->p95]);
        $short = self::report()->rows('sql', 'total', 2)[0]->callers[0];
        self::assertSame([['PDOStatement::execute', 'author'], 2], [$short->path, $short->more]);
    }

    public function testWhatIsRepeatedIsFoundWithTheFunctionOfTheLoop(): void
    {
        $rows = self::report()->rows();
        $repeated = $rows[1]->repeated();
        self::assertNotNull($repeated);
        self::assertSame(['page', 1, 20], [$repeated->loop, $repeated->loops, $repeated->ct]);
        foreach ([0, 2, 3] as $other) { // once each; files cost no round trip
            self::assertNull($rows[$other]->repeated());
        }
    }

    /** @return iterable<string, array{value-of<OperationReport::SORTS>, string}> */
    public static function orders(): iterable
    {
        yield 'total' => ['total', 'GET api.example.com/users/{id}'];
        yield 'calls' => ['ct', 'fopen cache/{id}.txt'];
        yield 'longest' => ['max', 'GET api.example.com/users/{id}'];
        yield 'duplicates' => ['duplicates', self::QUERY];
        yield 'text' => ['text', 'GET api.example.com/users/{id}'];
    }

    /** @param value-of<OperationReport::SORTS> $sort */
    #[DataProvider('orders')]
    public function testRowsAreSorted(string $sort, string $first): void
    {
        $rows = self::report()->rows(null, $sort);
        self::assertSame($first, $rows[0]->text);
        self::assertCount(4, $rows);
        self::assertSame([self::QUERY, 'INSERT INTO log VALUES (…)'], self::texts(self::report()->rows('sql')));
    }

    public function testASamplingHasNoValuesAndDurations(): void
    {
        $data = OperationsRun::data(more: ['sampled' => ['interval_us' => 1000, 'clock' => 'wall']]);
        unset($data['distinct_of_text'], $data['max'], $data['distinct'], $data['bounds'], $data['bucket']);
        $tree = CallTree::fromArray(OperationsRun::TREE);
        $report = new OperationReport(Operations::fromArray($data, $tree->count()), $tree);
        $row = $report->rows('sql')[0];
        self::assertTrue($report->operations->isSampled());
        self::assertSame([21, null, null, null, 0], [$row->ct, $row->max, $row->median, $row->p95, $row->duplicates]);
        self::assertNull($row->repeated());
    }

    /** @return iterable<string, array{array<string, mixed>}> */
    public static function damage(): iterable
    {
        $columns = ['texts', 'kinds', 'kind_of_text', 'text', 'node', 'ct', 'total', 'max', 'distinct', 'bounds', 'bucket'];
        foreach ($columns as $column) {
            yield "no $column" => [[$column => null]];
            yield "a short $column" => [[$column => []]];
        }
        yield 'a text that is a number' => [['texts' => [1, 2, 3, 4]]];
        yield 'a kind without a name' => [['kind_of_text' => [0, 0, 9, 0]]];
        yield 'a text that does not exist' => [['text' => [0, 0, 1, 2, 4]]];
        yield 'a node that does not exist' => [['node' => [3, 4, 4, 5, 6]]];
        yield 'a negative count' => [['ct' => [-1, 1, 1, 1, 30]]];
        yield 'a time that is too long' => [['total' => [PHP_INT_MAX, 1, 1, 1, 1]]];
        yield 'a bucket without a bound' => [['bucket' => ['row' => [0], 'number' => [7], 'ct' => [1]]]];
        yield 'a bucket of no row' => [['bucket' => ['row' => [5], 'number' => [0], 'ct' => [1]]]];
        yield 'a negative number of calls' => [['bucket' => ['row' => [0], 'number' => [0], 'ct' => [-1]]]];
        yield 'too few buckets' => [['bucket' => ['row' => [0, 1], 'number' => [0], 'ct' => [1]]]];
        yield 'a negative number of lost ones' => [['lost' => -1]];
    }

    /** @param array<string, mixed> $more */
    #[DataProvider('damage')]
    public function testDamageIsFound(array $more): void
    {
        $this->expectException(InvalidProfile::class);
        self::report($more);
    }

    public function testTheStoreReadsAndRemovesThem(): void
    {
        $store = new RunFolder($this->folder);
        $run = $store->save(CallTree::fromArray(OperationsRun::TREE)->toEdges(), 'shop', 'aaaa1111');
        self::assertFalse($store->open($run)->has(Run::OPERATIONS));
        self::assertNull($store->open($run)->operations());
        $version = $store->open($run)->version();
        RunFiles::put($this->folder, $run, ['tree' => ['n' => 6] + OperationsRun::TREE]);
        OperationsRun::save($store, $run);
        self::assertNotSame($version, $store->open($run)->version());
        self::assertCount(4, $store->open($run)->operations()?->rows() ?? []);
        RunFiles::put($this->folder, $run, ['operations' => ['lost' => 2]]);
        try {
            $store->open($run)->operations();
            self::fail('operations without texts were read');
        } catch (DamagedRun $e) {
            self::assertSame(RunFiles::path($this->folder, $run) . ': the operations have no list texts', $e->getMessage());
        }
        $store->delete($run);
        self::assertFileDoesNotExist(RunFiles::path($this->folder, $run));
    }

    /** extension/base/operation_kind.c has the kinds of functions while a program runs. */
    public function testNamesOfFunctionsSayTheSameAsTheExtension(): void
    {
        $kinds = [
            'SQL' => OperationFunctions::QUERY,
            'XHPROF_OPERATION_HTTP' => OperationFunctions::HTTP,
            'CACHE' => OperationFunctions::CACHE,
        ];
        $source = (string) file_get_contents(dirname(__DIR__, 2) . '/extension/base/operation_kind.c');
        $row = '/^\s*\{(?:NULL|"(\w+)"), "(\w+)", (\w+), XHPROF_TEXT_(\w+)/m';
        self::assertGreaterThan(100, preg_match_all($row, $source, $functions, PREG_SET_ORDER));
        foreach ($functions as [, $class, $function, $kind, $text]) {
            $name = ltrim("$class::$function", ':');
            $named = OperationFunctions::kind($name);
            self::assertContains($named, [null, $kinds[$kind] ?? null], $name);
            $waitsFor = str_replace('xhprof_operation_', '', strtolower($kind));
            self::assertSame($waitsFor === 'gc' ? null : $waitsFor, OperationFunctions::waitsFor($name)?->value, $name);
            self::assertSame($waitsFor !== 'gc', OperationFunctions::waits($name), $name);
            if (in_array($text, ['SQL', 'STATEMENT', 'PREPARED', 'BY_NAME', 'CURL'], true)) {
                self::assertNotNull($named, $name);
            }
        }
    }

    /** Methods of a cache's class ask its server, but those that the extension calls local. */
    public function testMethodsOfCachesSayTheSameAsTheExtension(): void
    {
        $source = (string) file_get_contents(dirname(__DIR__, 2) . '/extension/base/operation_kind.c');
        preg_match_all('/^\s*\{"(\w+)", NULL, CACHE/m', $source, $classes);
        self::assertSame(['redis', 'rediscluster', 'redisarray', 'redissentinel', 'memcached', 'memcache'], $classes[1]);
        preg_match('/ local_methods\[\] = \{(.*?)^\};/ms', $source, $table);
        $rows = preg_match_all('/\{"(\w+)",\s*\{((?:\s*"\w+",?)+)\s*\}/', $table[1] ?? '', $locals, PREG_SET_ORDER);
        self::assertSame(4, $rows);
        foreach ($locals as [, $class, $methods]) {
            preg_match_all('/"(\w+)"/', $methods, $names);
            foreach ($names[1] as $name) {
                self::assertFalse(OperationFunctions::waits("$class::$name"), "$class::$name");
            }
        }
        foreach ($classes[1] as $class) {
            self::assertSame('cache', OperationFunctions::waitsFor("$class::any")?->value);
        }
        self::assertFalse(OperationFunctions::waits('RedisException::getMessage'));
        self::assertFalse(OperationFunctions::waits('App\Redis::any'));
    }

    public function testARunIsFoundByItsTrace(): void
    {
        $trace = '4bf92f3577b34da6a3ce929d0e0e4736';
        $meta = RunMeta::fromArray(['trace_id' => $trace, 'span_id' => '00f067aa0ba902b7']);
        self::assertSame([$trace, '00f067aa0ba902b7'], [$meta->origin->traceId, $meta->origin->spanId]);
        self::assertSame(['v' => 1, 'trace_id' => $trace, 'span_id' => '00f067aa0ba902b7'], $meta->toArray());
        self::assertNull(RunMeta::fromArray(['trace_id' => '<b>'])->origin->traceId);
        $store = new RunFolder($this->folder);
        $profile = CallTree::fromArray(OperationsRun::TREE)->toEdges();
        $store->save($profile, 'shop', 'aaaa1111', $meta->toArray());
        $store->save($profile, 'shop', 'bbbb2222');
        $found = $store->catalog()->find(new RunQuery($trace), 10)->runs;
        self::assertSame(['aaaa1111'], array_map(static fn ($run): string => $run->id->id, $found));
    }
}
