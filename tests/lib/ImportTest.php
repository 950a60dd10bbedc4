<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\XHProfException;
use XHProf\Functions\FlatReport;
use XHProf\Import\ImportResult;
use XHProf\Import\ImportedRun;
use XHProf\Import\Importer;
use XHProf\Import\InputFile;
use XHProf\Import\Readers;
use XHProf\Memory\LiveTree;
use XHProf\Memory\MemoryDump;
use XHProf\Profile\Metrics;
use XHProf\Profile\Profile;
use XHProf\Run\MadeRun;
use XHProf\Run\RunMeta;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\ExportRuns;
use XHProf\Tests\Lib\Support\Runs;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/Runs.php';
require_once __DIR__ . '/Support/ExportRuns.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/**
 * Files of other tools become runs: an exported run comes back with the same figures, and no file does harm.
 */
final class ImportTest extends TestCase
{
    use TemporaryFolder;

    public function testSpeedscopeComesBackAsItWas(): void
    {
        $run = ExportRuns::small();
        $back = $this->single(ExportRuns::written('speedscope', $run), 'speedscope');
        self::assertNotNull($back->tree);
        $tree = $run->tree();
        self::assertNotNull($tree);
        self::assertSame($tree->names, $back->tree->names);
        self::assertSame([$tree->fn, $tree->depth, $tree->ct], [$back->tree->fn, $back->tree->depth, $back->tree->ct]);
        self::assertSame($tree->self['wt'], $back->tree->self['wt']);
        self::assertSame($tree->self['cpu'], $back->tree->self['cpu']);
        self::assertSame($tree->corrected, $back->tree->corrected);
        self::assertSame($tree->allocations, $back->tree->allocations);
        // Calls that freed memory have no width; the name of the profile says so.
        self::assertSame(array_map(static fn (int $mu): int => max(0, $mu), $tree->self['mu']), $back->tree->self['mu']);
        self::assertSame($run->title(), $back->meta['command']);
    }

    /** Of one metric there may be one that a run has only beside another. */
    public function testAMetricAloneComesBack(): void
    {
        $run = ExportRuns::small();
        foreach (['speedscope', 'pprof'] as $format) {
            $back = $this->single(ExportRuns::written($format, $run, 'corrected_wt'), $format);
            self::assertSame(array_sum($run->tree()->corrected['wt'] ?? []), array_sum($back->tree->self['wt'] ?? []), $format);
        }
        $dump = MemoryDump::fromJsonFile(__DIR__ . '/../../extension/tests/unit/golden/memory.json');
        $live = MadeRun::ofMemory(null, 'memory.json', RunMeta::fromArray([]), LiveTree::fromMemory($dump->memory));
        foreach (['speedscope', 'pprof'] as $format) {
            $back = $this->single(ExportRuns::written($format, $live), $format);
            self::assertSame(array_sum($dump->memory->bytes), array_sum($back->tree->self['mu'] ?? []), $format);
        }
        $back = $this->single(ExportRuns::written('callgrind', $live), 'callgrind');
        self::assertSame(['live_bytes', 'live_blocks'], $back->profile->metrics());
        // What was allocated before is beside main(): our JSON has call trees of one root.
        $this->expectExceptionMessage('this is live memory, which has calls beside main()');
        $this->single(ExportRuns::written('json', $live), 'json');
    }

    public function testHostileNamesComeBack(): void
    {
        $run = ExportRuns::hostile();
        $back = $this->single(ExportRuns::written('speedscope', $run), 'speedscope');
        $names = array_map(\XHProf\Export\Utf8Names::utf8(...), $run->tree()->names ?? []);
        self::assertSame($names, $back->tree?->names);
        $back = $this->single(ExportRuns::written('callgrind', $run), 'callgrind');
        foreach ($run->tree()->names ?? [] as $name) {
            self::assertTrue($back->profile->hasSymbol(\XHProf\Export\Utf8Names::line($name)), $name);
        }
        $back = $this->single(ExportRuns::written('folded', $run), 'folded');
        self::assertSame($run->tree()?->self['wt'], $back->tree?->self['samples']);
        $back = $this->single(ExportRuns::written('xhprof', $run), 'xhprof');
        self::assertSame(self::raw($run->profile()), $back->profile->edges());
        $back = $this->single(ExportRuns::written('json', $run), 'json');
        self::assertSame($run->tree()?->self, $back->tree?->self);
    }

    public function testCallgrindComesBackWithTheSameFunctions(): void
    {
        $run = ExportRuns::edgesOnly();
        $back = $this->single(ExportRuns::written('callgrind', $run), 'callgrind');
        // Levels of a recursion are one function in that format.
        $before = FlatReport::compute($run->profile(), true)->rows();
        $after = FlatReport::compute($back->profile)->rows();
        self::assertSame(self::sortedKeys($before), self::sortedKeys($after));
        foreach ($before as $name => $row) {
            foreach (['ct', 'wt', 'cpu', 'excl_wt', 'excl_cpu'] as $column) {
                self::assertSame($row[$column] ?? null, $after[$name][$column] ?? '', "$column of $name");
            }
        }
        self::assertSame($run->profile()->totals()['wt'], $back->profile->totals()['wt']);
        self::assertSame('edges only', $back->meta['command']);
    }

    public function testJsonComesBackWhole(): void
    {
        $run = ExportRuns::small();
        $back = $this->single(ExportRuns::written('json', $run), 'json');
        self::assertEquals($run->tree(), $back->tree);
        self::assertSame(self::raw($run->profile()), $back->profile->edges());
        self::assertSame(['ts' => 1763680000.25, 'pid' => 4242], array_intersect_key($back->meta, ['ts' => 1, 'pid' => 1]));
        $edges = ExportRuns::edgesOnly();
        $back = $this->single(ExportRuns::written('json', $edges), 'json');
        self::assertNull($back->tree);
        self::assertSame($edges->profile()->edges(), $back->profile->edges());
    }

    public function testUnevenSamplesComeBackWithTheirTimes(): void
    {
        $run = ExportRuns::sampled();
        $back = $this->single(ExportRuns::written('speedscope', $run), 'speedscope');
        self::assertSame($run->tree()?->self['wt'], $back->tree?->self['wt']);
        self::assertSame($run->tree()?->ct, $back->tree?->ct);
        // One of the times is half an interval: the samples' order is no log of a timer.
        self::assertNull($back->log);
        self::assertSame(['the order of the samples: their times are not multiples of an interval'], $back->notes);
    }

    public function testFoldedComesBackInTheUnitThatIsSaid(): void
    {
        $run = ExportRuns::small();
        $file = $this->file(ExportRuns::written('folded', $run));
        $back = self::runs($file, 'folded', 'ns')[''];
        self::assertInstanceOf(ImportedRun::class, $back);
        // json_encode took no time: its path is not in the file.
        $paths = array_filter($run->tree()->self['wt'] ?? []);
        self::assertSame(array_values($paths), $back->tree?->self['wt']);
    }

    /** In Xdebug's form: a block for each call, when it ends. */
    private const CACHEGRIND = <<<'CACHEGRIND'
        version: 1
        creator: xdebug 3.4.0 (PHP 8.2.35)
        cmd: /app/index.php
        part: 1
        positions: line

        events: Time_(10ns) Memory_(bytes)

        fl=(1) php:internal
        fn=(1) php::strlen
        5 200 64

        fl=(2) /app/index.php
        fn=(2) App\Cart->total
        10 1000 0
        cfl=(1)
        cfn=(1)
        calls=1 0 0
        11 200 64

        fl=(1)
        fn=(1)
        5 300 0

        fl=(2)
        fn=(3) fib
        3 400 8

        fl=(2)
        fn=(3)
        3 100 0
        cfn=(3)
        calls=1 0 0
        4 400 8

        fn=(4) require_once::/app/boot.php
        1 700 -32

        fl=(2)
        fn=(5) {main}
        1 5000 10
        cfn=(2)
        calls=1 0 0
        3 1200 24
        cfl=(1)
        cfn=(1)
        calls=1 0 0
        4 300 0
        cfn=(3)
        calls=1 0 0
        5 500 8
        cfn=(4)
        calls=1 0 0
        6 700 -32

        summary: 7700 50
        CACHEGRIND;

    public function testXdebugHasCallPaths(): void
    {
        $back = $this->single(self::CACHEGRIND, 'callgrind');
        self::assertNotNull($back->tree);
        self::assertSame(
            ['main()', 'App\Cart::total', 'strlen', 'strlen', 'fib', 'fib', 'load::/app/boot.php'],
            array_map(static fn (int $fn): string => $back->tree->names[$fn], $back->tree->fn),
        );
        self::assertSame([0, 1, 2, 1, 1, 2, 1], $back->tree->depth);
        self::assertSame([50000, 10000, 2000, 3000, 1000, 4000, 7000], $back->tree->self['wt']);
        // The memory that total() freed is 0 in its own block, and 40 in main()'s call of it.
        self::assertSame([10, -40, 64, 0, 0, 8, -32], $back->tree->self['mu']);
        $edges = $back->profile->edges();
        self::assertSame(['ct' => 1, 'wt' => 77, 'mu' => 10], $edges['main()']);
        self::assertSame(['ct' => 1, 'wt' => 12, 'mu' => 24], $edges['main()==>App\Cart::total']);
        self::assertSame(['ct' => 1, 'wt' => 4, 'mu' => 8], $edges['fib==>fib@1']);
        self::assertSame('/app/index.php', $back->meta['command']);
    }

    public function testXdebugSaysWhereFunctionsAre(): void
    {
        $tree = $this->single(self::CACHEGRIND, 'callgrind')->tree;
        self::assertNotNull($tree);
        $places = array_map(static fn (int $name): ?string => $tree->places->at($name)?->text(), array_flip($tree->names));
        ksort($places);
        self::assertSame([
            'App\Cart::total' => '/app/index.php:10',
            'fib' => '/app/index.php:3',
            'load::/app/boot.php' => '/app/index.php:1',
            'main()' => '/app/index.php:1',
            'strlen' => null,
        ], $places);
    }

    public function testXdebugWithoutABlockPerCallHasEdgesOnly(): void
    {
        $back = $this->single(str_replace("calls=1 0 0\n4 400 8", "calls=2 0 0\n4 400 8", self::CACHEGRIND), 'callgrind');
        self::assertNull($back->tree);
        $edges = $back->profile->edges();
        self::assertSame(['ct' => 1, 'wt' => 77, 'mu' => 10], $edges['main()']);
        self::assertSame(['ct' => 2, 'wt' => 4, 'mu' => 8], $edges['fib==>fib']);
        $rows = FlatReport::compute($back->profile)->rows();
        $own = array_combine(array_keys($rows), array_column($rows, 'excl_wt'));
        self::assertSame([5, 50, 5], [$own['fib'], $own['main()'], $own['strlen']]);
        self::assertSame(2, $rows['strlen']['ct']);
    }

    public function testValgrind(): void
    {
        $back = $this->single(<<<'CALLGRIND'
            # callgrind format
            version: 1
            creator: callgrind-3.19.0
            pid: 4711
            cmd:  ./program
            positions: instr line
            events: Ir Dr
            fl=file1.c
            fn=main
            0x401000 16 20 1
            cob=libc
            cfi=file2.c
            cfn=func2
            calls=3 0x402000 20
            +3 +2 400 3
            jump=2 0x30 *
            fn=(2) func2
            0x402000 20 700 3
            * +1 0

            CALLGRIND, 'callgrind');
        self::assertSame(['Ir', 'Dr'], $back->profile->metrics());
        $edges = $back->profile->edges();
        self::assertSame(['ct' => 3, 'Ir' => 400, 'Dr' => 3], $edges['main==>func2']);
        self::assertSame(['ct' => 1, 'Ir' => 420, 'Dr' => 4], $edges['main()==>main']);
        // main() accounts for 400 of the 700 only: another thread has begun there.
        self::assertSame(['ct' => 1, 'Ir' => 300], $edges['main()==>func2']);
        self::assertSame(['the file was cut short: it has no "totals:" line'], $back->notes);
        self::assertSame(4711, $back->meta['pid']);
    }

    public function testACycleHasABeginning(): void
    {
        $back = $this->single("events: Ir\nfn=a\n0 5\ncfn=b\ncalls=1 0\n0 9\nfn=b\n0 2\ncfn=a\ncalls=1 0\n0 1\n", 'callgrind');
        self::assertSame(7, $back->profile->totals()['Ir'], 'what both have spent');
        self::assertSame(['ct' => 1, 'Ir' => 7], $back->profile->edges()['main()==>a']);
    }

    public function testXhguiLinesEachAreARunOrAFailure(): void
    {
        $meta = [
            'url' => '/orders?page=2&token=SECRET',
            'get' => ['token' => 'SECRET'],
            'env' => ['DB_PASSWORD' => 'SECRET'],
            'SERVER' => ['REQUEST_METHOD' => 'GET', 'SERVER_NAME' => 'shop.example', 'HTTP_COOKIE' => 'SECRET'],
            'request_ts_micro' => ['sec' => 1763680000, 'usec' => 250000],
        ];
        $edges = Runs::small() + ['main()==>load::app/Order_php' => ['ct' => 1, 'wt' => 5]];
        $edges += ['main()==>App\Order%2Ejson' => ['ct' => '2', 'wt' => 1.5]];
        $lines = [
            json_encode(['profile' => $edges, 'meta' => $meta]),
            '{"profile": "broken',
            json_encode(['profile' => json_encode(Runs::changed()), 'meta' => ['request_ts' => 5]]),
            '',
            json_encode(['meta' => $meta]),
            json_encode(Runs::small()),
        ];
        $outcomes = self::runs($this->file(implode("\n", $lines)), 'auto');
        self::assertSame(['line 1', 'line 2', 'line 3', 'line 5', 'line 6'], array_keys($outcomes));
        $first = $outcomes['line 1'];
        self::assertInstanceOf(ImportedRun::class, $first);
        self::assertSame([
            'ts' => 1763680000.25,
            'url' => '/orders?page=2&token=SECRET',
            'method' => 'GET',
            'host' => 'shop.example',
        ], $first->meta);
        $store = new RunFolder($this->folder);
        $saved = $store->save($first->profile, 'xhgui', 'saved', $first->meta);
        $url = $store->open($saved)->meta()->origin->url;
        self::assertSame('/orders?page=2&token=REDACTED', $url, 'the same rule as for all that is saved');
        self::assertTrue($first->profile->hasSymbol('load::app/Order.php'));
        self::assertSame(['ct' => 2, 'wt' => 2], $first->profile->edges()['main()==>App\Order.json']);
        self::assertInstanceOf(InvalidProfile::class, $outcomes['line 2']);
        self::assertStringStartsWith('not JSON: ', $outcomes['line 2']->getMessage());
        self::assertInstanceOf(ImportedRun::class, $outcomes['line 3']);
        self::assertSame(5.0, $outcomes['line 3']->meta['ts']);
        self::assertEquals(new InvalidProfile('it has no profile'), $outcomes['line 5']);
        self::assertInstanceOf(ImportedRun::class, $outcomes['line 6']);
        $list = self::runs($this->file((string) json_encode([['profile' => $edges], 7], JSON_PRETTY_PRINT)), 'auto');
        self::assertInstanceOf(ImportedRun::class, $list['record 1']);
        self::assertEquals(new InvalidProfile('it is not an object'), $list['record 2']);
        self::assertInstanceOf(ImportedRun::class, self::runs(
            $this->file((string) json_encode(['meta' => $meta, 'profile' => $edges], JSON_PRETTY_PRINT)),
            'auto',
        )['']);
    }

    public function testGoodRecordsAreSavedAndBadOnesReported(): void
    {
        $store = new RunFolder($this->folder);
        $file = $this->file(json_encode(['profile' => Runs::small(), 'meta' => []]) . "\n{]\n");
        $input = new InputFile($file, 'dump.jsonl');
        $outcomes = [];
        foreach ((new Importer($store, 'xhgui'))->import($input, Readers::for($input)) as $outcome) {
            $outcomes[] = $outcome;
        }
        $errors = array_map(static fn (ImportResult $one): ?string => $one->error, $outcomes);
        // PHP 8.6 names the place as well.
        json_decode('{]');
        self::assertSame([null, 'not JSON: ' . lcfirst(json_last_error_msg())], $errors);
        self::assertNotNull($outcomes[0]->id);
        self::assertEquals(Profile::fromEdges(Runs::small()), $store->open($outcomes[0]->id)->profile());
        self::assertSame(['imported from' => 'XHGui JSON', 'file' => 'dump.jsonl'], $store->open($outcomes[0]->id)->meta()->meta);

        $input = new InputFile($this->file(ExportRuns::written('speedscope', ExportRuns::small())), 'x');
        foreach ((new Importer($store))->import($input, Readers::for($input)) as $outcome) {
            self::assertNotNull($outcome->id);
            $tree = $store->open($outcome->id)->tree();
            self::assertSame(ExportRuns::tree()->self['wt'], $tree?->self['wt']);
            self::assertSame([9, 'imported'], [$store->open($outcome->id)->meta()->totals->nodes, $outcome->id->source]);
        }
        $input = new InputFile($this->file(ExportRuns::written('speedscope', ExportRuns::sampled())), 'x');
        foreach ((new Importer($store))->import($input, Readers::for($input)) as $outcome) {
            self::assertNotNull($outcome->id);
            $run = $store->open($outcome->id);
            self::assertSame(500000, $run->profile()->totals()['wt']);
            self::assertStringContainsString('the order of the samples', $run->meta()->meta[Importer::NOTES] ?? '');
            self::assertSame('x', $run->meta()->meta['file'] ?? null);
        }
    }

    public function testGzippedFilesAreRead(): void
    {
        $back = $this->single((string) gzencode(ExportRuns::written('callgrind', ExportRuns::small())), 'auto');
        self::assertSame(1076, $back->profile->totals()['wt']);
    }

    public function testSpeedscopeOfOthers(): void
    {
        $file = [
            '$schema' => 'https://www.speedscope.app/file-format-schema.json',
            'shared' => ['frames' => [['name' => 'a', 'file' => 'x.php', 'line' => 3], ['name' => 'b']]],
            'profiles' => [
                ['type' => 'sampled', 'name' => 'cpu', 'unit' => 'milliseconds', 'startValue' => 0, 'endValue' => 3,
                    'samples' => [[0], [0, 1], []], 'weights' => [1, 1.5, 0.5]],
                ['type' => 'evented', 'name' => 'heap', 'unit' => 'bytes', 'startValue' => 10, 'endValue' => 50, 'events' => [
                    ['type' => 'O', 'frame' => 0, 'at' => 10], ['type' => 'O', 'frame' => 1, 'at' => 30],
                    ['type' => 'C', 'frame' => 1, 'at' => 40], ['type' => 'C', 'frame' => 0, 'at' => 50],
                ]],
                ['type' => 'evented', 'unit' => 'none', 'startValue' => 0, 'endValue' => 1, 'events' => [
                    ['type' => 'C', 'frame' => 0, 'at' => 10],
                ]],
            ],
        ];
        $runs = self::runs($this->file((string) json_encode($file)), 'auto');
        self::assertSame(['profile 1', 'profile 2', 'profile 3'], array_keys($runs));
        self::assertInstanceOf(ImportedRun::class, $runs['profile 1']);
        self::assertSame(['wt' => [500000, 1000000, 1500000]], $runs['profile 1']->tree?->self);
        self::assertSame('cpu', $runs['profile 1']->meta['command']);
        self::assertSame([2, 3, 1], array_slice($runs['profile 1']->log['n'] ?? [], 0), 'half milliseconds');
        self::assertInstanceOf(ImportedRun::class, $runs['profile 2']);
        self::assertSame(['mu' => [0, 30, 10]], $runs['profile 2']->tree?->self);
        self::assertEquals(new InvalidProfile('events do not close what was opened'), $runs['profile 3']);
        // An unknown unit is no unit.
        foreach ([[], 1e308, null, true] as $unit) {
            $file['profiles'] = [['type' => 'sampled', 'unit' => $unit, 'samples' => [[0]], 'weights' => [2]]];
            $run = self::runs($this->file((string) json_encode($file)), 'auto')[''];
            self::assertInstanceOf(ImportedRun::class, $run);
            self::assertSame(['samples' => [0, 2]], $run->tree?->self);
        }
    }

    /**
     * @return iterable<string, array{string, string}>
     */
    public static function broken(): iterable
    {
        $deep = str_repeat('[', 100);
        yield 'nothing' => ['', 'the file is empty'];
        yield 'spaces' => ["  \n ", 'the file is empty'];
        yield 'a picture' => ["\x89PNG\r\n\x1A\n\0\0", 'the content is not in a known format: xhprof, '];
        yield 'objects' => ['a:1:{s:6:"main()";O:8:"stdClass":0:{}}', 'is __PHP_Incomplete_Class, not an array of metrics'];
        yield 'cut off' => [substr(serialize(Runs::small()), 0, 200), 'not serialized data, or cut off'];
        yield 'deep' => ['{"$schema":"speedscope","profiles":' . $deep, 'not JSON: maximum stack depth exceeded'];
        yield 'no profiles' => ['{"$schema":"speedscope"}', 'the file has no profiles, or too many'];
        yield 'no events' => ["# callgrind format\nfn=a\n1 2\n", 'does not say what it counts ("events:"): line 3 ("1 2")'];
        yield 'large cost' => ["events: Ir\nfn=a\n1 9999999999999999999\n", 'has no costs: line 3 ("1 9999999999999999999")'];
        yield 'large sum' => ["events: Ir\nfn=a\n" . str_repeat("1 999999999999999999\n", 3), 'too large to be added up'];
        yield 'cost in letters' => ["events: Ir\nfn=a\n1 abc\n", 'the file has no costs: line 3 ("1 abc")'];
        yield 'other text' => ["events: Ir\nfn=a\nhello world\n", 'the file has no costs: line 3 ("hello world")'];
        yield 'old json' => ['{"v":2,"kind":"xhprof-run"}', 'not a run of version 1'];
        $tree = '{"names":["other()"],"fn":[0],"depth":[0],"ct":[1],"self":{"wt":[5]},"corrected":{"wt":[4]}}';
        yield 'the tree of another' => [
            '{"v":1,"kind":"xhprof-run","names":["main()"],"edges":{"p":[-1],"c":[0],"m":{"ct":[1]}},"tree":' . $tree . '}',
            'the call tree is not the one of this run',
        ];
        yield 'wrong edges' => ['{"v":1,"kind":"xhprof-run","names":["a"],"edges":{"p":[0],"c":[7]}}', 'a number out of range'];
    }

    #[DataProvider('broken')]
    public function testBrokenFilesAreRefusedInOneSentence(string $bytes, string $why): void
    {
        try {
            self::runs($this->file($bytes), 'auto');
            self::fail('it was taken for a run');
        } catch (InvalidProfile $e) {
            self::assertStringContainsString($why, $e->getMessage());
            self::assertStringNotContainsString($this->folder, $e->getMessage());
        }
    }

    public function testASmallFileIsNoLargeOne(): void
    {
        $bomb = '';
        $deflate = deflate_init(ZLIB_ENCODING_GZIP, ['level' => 9]);
        self::assertNotFalse($deflate);
        $bomb .= deflate_add($deflate, 'a:1:{s:6:"', ZLIB_NO_FLUSH);
        for ($i = 0; $i < 70; $i++) {
            $bomb .= deflate_add($deflate, str_repeat('x', 1 << 20), ZLIB_NO_FLUSH);
        }
        $bomb .= deflate_add($deflate, '', ZLIB_FINISH);
        self::assertLessThan(100000, strlen($bomb));
        $this->expectException(InvalidProfile::class);
        $this->expectExceptionMessage('the file is larger than 64 MB');
        self::runs($this->file($bomb), 'auto');
    }

    public function testMutatedFilesNeverDoMoreThanFail(): void
    {
        mt_srand(20261121);
        $files = [];
        foreach (['speedscope', 'callgrind', 'json', 'xhprof', 'folded'] as $format) {
            $files[$format] = ExportRuns::written($format, ExportRuns::small());
        }
        $files['xhgui'] = (string) json_encode([['profile' => Runs::small(), 'meta' => ['url' => '/', 'SERVER' => []]]]);
        $pieces = ['', '-', '9999999999999999999', '"', '{', '[', ']', "\n", "\0", ';', 'null', '1e400', ' ', '==>', "\xFF", 'fn='];
        $read = 0;
        $files['xdebug'] = self::CACHEGRIND;
        foreach ($files as $format => $bytes) {
            for ($round = 0; $round < 60; $round++) {
                $mutant = $bytes;
                for ($i = mt_rand(1, 4); $i > 0; $i--) {
                    $at = mt_rand(0, strlen($mutant));
                    $mutant = substr_replace($mutant, $pieces[array_rand($pieces)], $at, mt_rand(0, 6));
                }
                if ($round % 10 === 0) {
                    $mutant = substr($mutant, 0, mt_rand(0, strlen($mutant)));
                }
                foreach ([$format === 'xdebug' ? 'callgrind' : $format, 'auto'] as $how) {
                    try {
                        $store = new RunFolder($this->folder);
                        $input = new InputFile($this->file($mutant), 'mutant');
                        foreach ((new Importer($store))->import($input, Readers::for($input, $how)) as $outcome) {
                            $read += $outcome->id === null ? 0 : 1;
                            self::assertSame($outcome->id === null, $outcome->error !== null);
                        }
                    } catch (XHProfException $e) {
                        self::assertStringNotContainsString("\n", $e->getMessage());
                    }
                }
            }
        }
        self::assertGreaterThan(50, $read);
    }

    private function single(string $bytes, string $format): ImportedRun
    {
        $runs = self::runs($this->file($bytes), $format === 'folded' ? $format : 'auto');
        self::assertSame([''], array_keys($runs));
        self::assertInstanceOf(ImportedRun::class, $runs['']);
        if ($format !== 'auto') {
            self::assertSame($format, Readers::for(InputFile::at("$this->folder/input"), 'auto')::NAME);
        }

        return $runs[''];
    }

    private function file(string $bytes): string
    {
        file_put_contents("$this->folder/input", $bytes);

        return "$this->folder/input";
    }

    /**
     * @param 'samples'|'ns'|'us'|'ms'|'bytes' $unit
     *
     * @return array<string, ImportedRun|InvalidProfile>
     */
    private static function runs(string $file, string $format, string $unit = 'samples'): array
    {
        $input = InputFile::at($file);

        return iterator_to_array((static fn () => yield from Readers::for($input, $format, $unit)->read($input))());
    }

    /**
     * @return array<string, array<string, int|float>> without corrected times: those are computed from the tree again
     */
    private static function raw(Profile $profile): array
    {
        return array_map(static fn (array $row): array => array_filter(
            $row,
            static fn (string $metric): bool => !Metrics::isCorrected($metric),
            ARRAY_FILTER_USE_KEY,
        ), $profile->recorded()->edges());
    }

    /**
     * @param array<string, mixed> $array
     *
     * @return list<string>
     */
    private static function sortedKeys(array $array): array
    {
        $keys = array_keys($array);
        sort($keys);

        return $keys;
    }
}
