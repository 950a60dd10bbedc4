<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Twig\Environment;
use Twig\Extension\ProfilerExtension;
use Twig\Loader\ArrayLoader;
use Twig\Profiler\Dumper\BlackfireDumper;
use Twig\Profiler\Profile as TwigProfile;
use XHProf\Exception\InvalidProfile;
use XHProf\Functions\FlatReport;
use XHProf\Import\ImportedRun;
use XHProf\Import\Importer;
use XHProf\Import\InputFile;
use XHProf\Import\Readers;
use XHProf\Profile\Profile;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\ImportFixtures as Fixtures;
use XHProf\Tests\Lib\Support\ImportedFiles;
use XHProf\Tests\Lib\Support\Runs;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/Runs.php';
require_once __DIR__ . '/Support/ImportFixtures.php';
require_once __DIR__ . '/Support/ImportedFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** What the writers of each format make of it: names, metadata, several profiles in a file, and what their format only allows. */
final class ImportWritersTest extends TestCase
{
    use ImportedFiles;
    use TemporaryFolder;

    public function testAPartOfAProfileThatWasAppendedIsARun(): void
    {
        $bytes = Fixtures::bytes('xdebug-appended.cachegrind');
        file_put_contents("$this->folder/input", $bytes);
        $runs = $this->runs();
        self::assertSame(['part 1', 'part 2'], array_keys($runs));
        $parts = preg_split('/^====.*$/m', $bytes) ?: [];
        foreach (array_values($runs) as $i => $run) {
            self::assertInstanceOf(ImportedRun::class, $run);
            self::assertNotNull($run->tree);
            self::assertEqualsWithDelta(Fixtures::ownCosts($parts[$i + 1]) / 100, $run->profile->totals()['wt'], 0.999);
            self::assertSame('/app/t.php', $run->meta['command']);
        }
        // A part that nothing can be done with does not cost the others.
        file_put_contents("$this->folder/input", "$bytes==== NEW PROFILING FILE ====\nversion: 1\nfn=a\n");
        $runs = $this->runs();
        self::assertInstanceOf(InvalidProfile::class, $runs['part 3']);
        file_put_contents("$this->folder/input", preg_replace('/\A\n*====.*\n/', '', $parts[1]));
        self::assertSame([''], array_keys($this->runs()), 'one part is the file');
        $trace = Fixtures::bytes('xdebug.xt');
        file_put_contents("$this->folder/input", $trace . $trace);
        self::assertSame(['part 1', 'part 2'], array_keys($this->runs()));
    }

    public function testXdebugNamesAreOurs(): void
    {
        $names = [
            'php::PDO->query' => 'PDO::query',
            'php::strlen' => 'strlen',
            'App\Cart->total' => 'App\Cart::total',
            'php::ArrayObject->count' => 'ArrayObject::count',
            '{anonymous-class:/app/x.php:3-5}->go' => '{anonymous-class:/app/x.php:3-5}::go',
            'App\A->{closure:/app/x.php:3-5}' => 'App\A::{closure:/app/x.php:3-5}',
            'App\A::make' => 'App\A::make',
            'require_once::/app/a->b.php' => 'load::/app/a->b.php',
            '{main}' => 'main()',
        ];
        $text = "version: 1\ncreator: xdebug 3.2.0\nevents: Time\n";
        foreach (array_keys($names) as $name) {
            $text .= "\nfl=x\nfn=$name\n1 5\n";
        }
        $profile = $this->run1("$text\nsummary: 45\n")->profile;
        foreach ($names as $name) {
            self::assertTrue($profile->hasSymbol($name), $name);
        }
        $trace = $this->run1(Fixtures::bytes('xdebug.xt'))->profile;
        self::assertTrue($trace->hasSymbol('App\Cart::total') && $trace->hasSymbol('ArrayObject::count'));
    }

    public function testFilesOfXdebug2HaveCallPathsAndFreedMemory(): void
    {
        // Version 2.0 does not name itself; its sum stands in the middle; 2^64 - 584 bytes were freed.
        $run = $this->run1(<<<'CACHEGRIND'
            version: 0.9.6
            cmd: /app/index.php
            part: 1

            events: Time Memory

            fl=php:internal
            fn=php::PDO->query
            3 10 18446744073709551032

            fl=/app/index.php
            fn={main}

            summary: 35 4

            0 25 600
            cfn=php::PDO->query
            calls=1 0 0
            4 10 18446744073709551032

            CACHEGRIND);
        self::assertSame(['main()', 'PDO::query'], $run->tree?->names);
        self::assertSame(['wt' => [25000, 10000], 'mu' => [600, -584]], $run->tree->self);
        self::assertSame([], $run->notes);
    }

    /** @return iterable<string, array{string}> the same in other words */
    public static function relativeCosts(): iterable
    {
        yield 'none' => ["16 20 3\ncfn=(2) f\ncalls=1 50\n16 400 5\ncfn=(3) g\ncalls=3 20\n16 400 6\nfn=(2)\n51 100 4\ncfn=(3)\n"
            . "calls=2 20\n51 300 1\nfn=(3)\n20 700 7\n"];
        yield 'positions' => ["16 20 3\ncfn=(2) f\ncalls=1 +34\n* 400 5\ncfn=(3) g\ncalls=3 +4\n* 400 6\nfn=(2)\n+35 100 4\n"
            . "cfn=(3)\ncalls=2 -31\n* 300 1\njump=3 -2\n-1\nfn=(3)\n-30 700 7\n"];
        yield 'costs too' => ["16 20 3\ncfn=(2) f\ncalls=1 50\n* 400 5\ncfn=(3) g\ncalls=3 20\n* * +1\nfn=(2)\n+35 -300 -2\n"
            . "cfn=(3)\ncalls=2 20\n* 300 -3\njump=3 -2\n*\nfn=(3)\n-31 +400 +6\n"];
        yield 'other spaces, and names without one' => ["16\t20  3 \ncfn= (2)f\ncalls=1\t50\n  16 400 5\ncfn=(3) g\ncalls= 3 20\n"
            . "0x10 0x190 0x6\nfn= (2)\n51 100 4\ncfn=(3)\ncalls=2 20\n51 300 1\nfn=(3)\n\t20 700 7\n"];
    }

    #[DataProvider('relativeCosts')]
    public function testNumbersOfCallgrindMayBeRelative(string $lines): void
    {
        $run = $this->run1("# callgrind format\nevents: Ir Dr\n\nfn=(1) main\n{$lines}totals: 820 14\n");
        self::assertSame([], $run->notes);
        $rows = FlatReport::compute($run->profile)->rows();
        $own = array_map(static fn (array $row): array => [$row['excl_Ir'] ?? null, $row['excl_Dr'] ?? null], $rows);
        ksort($own);
        self::assertSame(['f' => [100, 4], 'g' => [700, 7], 'main' => [20, 3], 'main()' => [0, 0]], $own);
        self::assertSame([820, 14], [$run->profile->totals()['Ir'], $run->profile->totals()['Dr']]);
        self::assertSame([1, 5], [$rows['f']['ct'], $rows['g']['ct']]);
    }

    public function testAPositionMayBeMoreThanANumberAndEventsMayBeMany(): void
    {
        $many = implode(' ', array_map(static fn (int $i): string => "e$i", range(1, 30)));
        $first = '0x8001 90 5' . str_repeat(' 1', 29);
        $run = $this->run1("positions: instr line\nevents: $many\nfn=a\n$first\n+3 * 6\n+1 +1 *\n");
        self::assertSame([], $run->notes);
        self::assertSame([17, 2], [$run->profile->totals()['e1'], $run->profile->totals()['e2'] + $run->profile->totals()['e16']]);
        // Without relative numbers it is freed memory.
        $run = $this->run1("events: Memory\nfn=a\n0 90\n3 -100\n");
        self::assertSame(-10, $run->profile->totals()['mu']);
    }

    public function testAFileWithoutCallPathsSaysSo(): void
    {
        $text = str_replace('calls=1 0 0', 'calls=2 0 0', Fixtures::bytes('xdebug.cachegrind'));
        $run = $this->run1($text);
        self::assertNull($run->tree);
        self::assertSame(['the file gives no call paths: its calls do not stand in the order in which they ended'], $run->notes);
    }

    /** @return iterable<string, array{string, float|null}> JSON of a request's time, seconds since 1970 */
    public static function times(): iterable
    {
        $time = 1358787612.123;
        yield 'relaxed' => ['{"$date":"2013-01-21T17:00:12.123Z"}', $time];
        yield 'another zone' => ['{"$date":"2013-01-21T18:00:12.123+01:00"}', $time];
        yield 'another form of it' => ['{"$date":"2013-01-21T18:00:12.123+0100"}', $time];
        yield 'canonical' => ['{"$date":{"$numberLong":"1358787612123"}}', $time];
        yield 'milliseconds' => ['{"$date":1358787612123}', $time];
        yield "PHP's old driver" => ['{"sec":1358787612,"usec":123000}', $time];
        yield 'with numbers of Mongo' => ['{"sec":{"$numberLong":"1358787612"},"usec":{"$numberInt":"123000"}}', $time];
        yield 'seconds' => ['1358787612.123', $time];
        yield 'a double of Mongo' => ['{"$numberDouble":"1358787612.123"}', $time];
        yield 'a timestamp' => ['{"$timestamp":{"t":1358787612,"i":1}}', 1358787612.0];
        yield 'a date' => ['"2013-01-21"', 1358726400.0];
        yield 'no time' => ['"yesterday"', null];
        yield 'nonsense' => ['{"$date":["x"]}', null];
    }

    #[DataProvider('times')]
    public function testTimesOfMongoAreRead(string $json, ?float $time): void
    {
        foreach (['request_ts', 'request_ts_micro', 'date', 'request_date'] as $key) {
            $run = $this->run1('{"profile":{"main()":{"ct":1,"wt":5}},"meta":{"' . $key . '":' . $json . '}}');
            self::assertSame($time, $run->meta['ts'] ?? null);
        }
    }

    public function testNumbersOfMongoAreRead(): void
    {
        $run = $this->run1('{"_id":{"$oid":"50fd8a5c1234567890abcdef"},"profile":{"main()":{"ct":{"$numberInt":"1"},'
            . '"wt":{"$numberLong":"5000"},"mu":{"$numberDouble":"-12.0"}},'
            . '"main()==>f":{"ct":2,"wt":"4000","mu":{"$numberDecimal":"3"}}},"meta":{}}');
        self::assertSame(['ct' => 1, 'wt' => 5000, 'mu' => -12], $run->profile->edges()['main()']);
        self::assertSame(['ct' => 2, 'wt' => 4000, 'mu' => 3], $run->profile->edges()['main()==>f']);
    }

    public function testNumbersAreNoNamesInBlackfiresText(): void
    {
        $edges = "main()==>0//1 5\n0==>http://x/7//2 4\nmain()//1 9\n";
        $run = $this->run1("file-format: BlackfireProbe\ncost-dimensions: wt\n\n$edges");
        self::assertSame(['ct' => 2, 'wt' => 4], $run->profile->edges()['(0)==>http://x/7']);
    }

    public function testTheFirstOfManyLinesMayBeCut(): void
    {
        $line = json_encode(['profile' => Runs::small(), 'meta' => ['url' => '/x']]);
        $cut = substr((string) $line, 0, -40);
        file_put_contents("$this->folder/input", "$cut\n$line\n");
        $runs = $this->runs();
        self::assertSame(['line 1', 'line 2'], array_keys($runs));
        self::assertInstanceOf(InvalidProfile::class, $runs['line 1']);
        self::assertInstanceOf(ImportedRun::class, $runs['line 2']);
        self::assertSame('/x', $this->run1(str_replace(',', ",\n", (string) $line))->meta['url'] ?? null, 'of several lines');
    }

    public function testWhatTwigItselfWritesIsRead(): void
    {
        $top = new TwigProfile();
        $twig = new Environment(new ArrayLoader([
            'page' => "{% extends 'base' %}{% block b %}{% for i in 1..3 %}{{ include('part') }}{% endfor %}{% endblock %}",
            'base' => '<{% block b %}{% endblock %}>',
            'part' => 'p',
        ]));
        $twig->addExtension(new ProfilerExtension($top));
        $twig->render('page');
        $twig->render('part');
        $run = $this->run1((new BlackfireDumper())->dump($top));
        self::assertSame([], $run->notes);
        self::assertSame([
            'main()' => 1, 'main()==>page' => 1, 'page==>base' => 1, 'base==>page::block(b)' => 1, 'page::block(b)==>part' => 3,
            'main()==>part' => 1,
        ], array_map(static fn (array $row): int|float => $row['ct'], $run->profile->edges()));
        self::assertSame((int) ($top->getDuration() * 1e6), $run->profile->totals()['wt']);
    }

    public function testTheHeadOfOtherProbesOfBlackfireIsRead(): void
    {
        $run = $this->run1("file-format: BlackfireProbe\nprobed-language: go\nCost-Dimensions: cpu pmu\ngraph-root-id: go\n"
            . "Threshold-0-start: go==>main.main//0 0 0\nThreshold-0-end: go==>main.main//0 9 0\n\n"
            . "==>go//1 100 7\ngo==>main.main//3 60 7\nmain.main==>main.work//30 45 2\n");
        self::assertSame([], $run->notes);
        self::assertSame([
            'main()' => ['ct' => 1, 'cpu' => 100, 'pmu' => 7],
            'main()==>main.main' => ['ct' => 3, 'cpu' => 60, 'pmu' => 7],
            'main.main==>main.work' => ['ct' => 30, 'cpu' => 45, 'pmu' => 2],
        ], $run->profile->edges());
        self::assertSame(['probed-language' => 'go', 'graph-root-id' => 'go'], $run->meta['meta']);
    }

    public function testPayloadsOfBuggregatorKeepWhatTheySay(): void
    {
        $run = $this->run1((string) json_encode([
            'profile' => Runs::small(), 'tags' => ['url' => '/orders', 'php' => '8.2'], 'app_name' => 'shop', 'hostname' => 'web1',
            'date' => 1714564800,
        ]));
        self::assertSame([
            'ts' => 1714564800.0, 'url' => '/orders', 'host' => 'web1', 'meta' => ['app_name' => 'shop', 'tag php' => '8.2'],
        ], $run->meta);
    }

    public function testMetadataOfOtherFilesIsKept(): void
    {
        $calls = Fixtures::bytes('spx.txt');
        $description = Fixtures::bytes('spx.json');
        $reports = ['gzipped' => ['.txt.gz' => (string) gzencode($calls), '.json' => $description], 'text' => ['.txt' => $calls,
            '.json' => (string) gzencode($description)]];
        foreach ($reports as $report => $files) {
            foreach ($files as $ending => $bytes) {
                file_put_contents("$this->folder/$report$ending", $bytes);
            }
        }
        foreach (['gzipped.txt.gz', 'gzipped.json', 'text.txt', 'text.json'] as $name) {
            $file = InputFile::at("$this->folder/$name");
            foreach (Readers::for($file)->read($file) as $run) {
                self::assertInstanceOf(ImportedRun::class, $run);
                self::assertSame([
                    'ts' => 1714564800.0, 'host' => 'shop.example', 'pid' => 4711, 'url' => '/orders?page=2', 'method' => 'GET',
                    'meta' => ['custom' => 'release 7'],
                ], $run->meta);
                $top = FlatReport::compute($run->profile)->rows();
                self::assertSame([2000, 1400, 2000], array_map(
                    static fn (string $metric): int|float => $run->profile->totals()[$metric],
                    ['wt', 'cpu', 'mu'],
                ));
                self::assertSame([1100, 2], [$top['strlen']['excl_wt'] ?? 0, $top['strlen']['ct']]);
                self::assertSame([], $run->notes);
            }
        }
        $meta = $this->run1(Fixtures::bytes('threads.callgrind'))->meta;
        self::assertSame([' ./program', 4711], [$meta['command'], $meta['pid']]);
        self::assertSame('callgrind-3.19.0', $meta['meta']['creator']);
        self::assertSame(1714564800.123456, $this->run1(Fixtures::bytes('twig.blackfire'))->meta['ts']);
    }

    public function testAnSpxReportWithoutItsOtherFileSaysSo(): void
    {
        $calls = Fixtures::bytes('spx.txt');
        file_put_contents("$this->folder/r.txt", $calls);
        foreach (
            [
            'the request and other counters: the .json file of the report is not beside it' => null,
            'the request and other counters: the .json file of the report cannot be read: not JSON: ' => '{"key":',
            'other counters: the .json file names 1 of 5' => '{"enabled_metrics":["wt"]}',
            ] as $note => $description
        ) {
            file_put_contents("$this->folder/r.json", $description);
            if ($description === null) {
                unlink("$this->folder/r.json");
            }
            $file = InputFile::at("$this->folder/r.txt");
            foreach (Readers::for($file)->read($file) as $run) {
                self::assertInstanceOf(ImportedRun::class, $run);
                self::assertCount(1, $run->notes);
                self::assertStringStartsWith($note, $run->notes[0]);
                self::assertSame(2000, $run->profile->totals()['wt']);
            }
        }
        $gzip = (string) gzencode(str_replace("[functions]\n", "[functions]\n" . bin2hex(random_bytes(20000)) . "\n", $calls));
        file_put_contents("$this->folder/r.txt.gz", substr($gzip, 0, -9000));
        file_put_contents("$this->folder/r.json", Fixtures::bytes('spx.json'));
        foreach (['r.json', 'r.txt.gz'] as $name) {
            $file = InputFile::at("$this->folder/$name");
            foreach ((new Importer(new RunFolder($this->folder)))->import($file, Readers::for($file)) as $outcome) {
                $notes = implode('; ', $outcome->notes);
                self::assertSame(1, substr_count($notes, 'the gzip stream has no end'), $notes);
            }
        }
        foreach (['r.txt.gz', 'r.txt'] as $name) {
            unlink("$this->folder/$name");
        }
        $this->expectExceptionMessage('this describes an SPX report, whose calls are in the file of the same name that ends in'
            . ' .txt.gz or .txt: it is not beside this one');
        $this->runs('r.json');
    }

    public function testATraceMayBeginWithinFunctions(): void
    {
        // Level, whether it ends, milliseconds, name. An exception leaves x() and c().
        $events = [[4, 1, 100, ''], [4, 0, 100, 'a'], [5, 0, 200, 'b'], [5, 1, 300, ''], [4, 1, 400, ''], [4, 0, 500, 'c'],
            [5, 0, 550, 'x'], [3, 1, 800, ''], [3, 0, 800, 'd'], [4, 0, 820, 'b'], [4, 1, 850, ''], [3, 1, 900, ''],
            [1, 1, 900, '']];
        $lines = '';
        foreach ($events as $i => [$level, $isEnd, $ms, $name]) {
            $lines .= sprintf("%d\t%d\t%d\t%.6f\t1000", $level, $i, $isEnd, $ms / 1000)
                . ($isEnd === 1 ? "\n" : "\t$name\t1\t\t/x.php\t3\t0\n");
        }
        $tree = $this->run1("Version: 3.2.0\nFile format: 4\nTRACE START [2024-05-01 12:00:00]\n$lines\t\t\t1.0\t1000\n"
            . "TRACE END   [2024-05-01 12:00:01]\n")->tree;
        self::assertNotNull($tree);
        $paths = array_map(
            static fn (int $fn, int $depth, int $ns): string => "$depth {$tree->names[$fn]} " . $ns / 1000000,
            $tree->fn,
            $tree->depth,
            $tree->self['wt']
        );
        self::assertSame(['0 main() 200', '1 a 200', '2 b 100', '1 c 50', '2 x 250', '1 d 70', '2 b 30'], $paths);
    }

    public function testTimesOfSpeedscopeMayBeNanosecondsSince1970(): void
    {
        $at = 1714564800000000000;
        $run = $this->run1((string) json_encode(['$schema' => 'https://www.speedscope.app/file-format-schema.json',
            'shared' => ['frames' => [['name' => 'a'], ['name' => 'b']]],
            'profiles' => [['type' => 'evented', 'unit' => 'nanoseconds', 'startValue' => $at, 'endValue' => $at + 9, 'events' => [
                ['type' => 'O', 'frame' => 0, 'at' => $at], ['type' => 'O', 'frame' => 1, 'at' => $at + 101],
                ['type' => 'C', 'frame' => 1, 'at' => $at + 300], ['type' => 'C', 'frame' => 0, 'at' => $at + 500]]]]]));
        self::assertSame(['wt' => [0, 301, 199]], $run->tree?->self);
    }

    public function testAnEventThatIsRoundedToBeforeTheLastOneTakesNoTime(): void
    {
        $run = $this->run1('{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a"},'
            . '{"name":"b"}]},"profiles":[{"type":"evented","unit":"milliseconds","startValue":0.5,"endValue":3,"events":['
            . '{"type":"O","frame":0,"at":0.5},{"type":"O","frame":1,"at":1},{"type":"C","frame":1,"at":2.001},'
            . '{"type":"O","frame":1,"at":2},{"type":"C","frame":1,"at":2.001},{"type":"C","frame":0,"at":3}]}]}');
        self::assertSame(['wt' => [0, 1499000, 1001000]], $run->tree?->self);
        self::assertSame([1, 1, 2], $run->tree->ct);
    }

    public function testOfAComparisonOfFoldedStacksTheSecondProfileIsRead(): void
    {
        $run = $this->run1("main;a 10 12\nmain;b 3 0\nmain;a;c 0 7\nodd\n");
        self::assertSame(['main()', 'main', 'a', 'b', 'c'], $run->tree?->names);
        self::assertSame(19, $run->profile->totals()['samples']);
        self::assertStringStartsWith('the first number of each line: the file compares two profiles', $run->notes[0]);
        $run = $this->run1("main;worker 1 5\nmain;worker 2 7\nmain;x 1\n");
        self::assertSame(['main()', 'main', 'worker 1', 'worker 2', 'x'], $run->tree?->names, 'a name may end in a number');
    }

    public function testAFileOfSeveralDumpsIsTheirSum(): void
    {
        // In the second dump a call goes on that began in the first: it is no call there.
        $head = "events: Ir\n\nfn=(1) main\n";
        $run = $this->run1("# callgrind format\ncreator: callgrind-3.19.0\npart: 1\n{$head}1 10\ncfn=(2) f\ncalls=1 5\n1 20\n"
            . "fn=(2)\n5 20\ntotals: 30\n\npart: 2\n{$head}1 1\ncfn=(2)\ncalls=0 5\n1 40\nfn=(2)\n5 40\ntotals: 41\n");
        self::assertSame([], $run->notes);
        self::assertSame(71, $run->profile->totals()['Ir']);
        self::assertSame(['ct' => 1, 'Ir' => 60], $run->profile->edges()['main==>f']);
    }

    public function testCostsOfACallOfNothingAreNotTheFunctions(): void
    {
        $profile = $this->run1("events: Ir\nfn=main\n1 10\ncalls=1 5\n1 400\nfn=x\n5 400\n")->profile;
        self::assertSame(410, $profile->totals()['Ir']);
        self::assertSame([10, 400], array_map(
            static fn (string $name): int|float => FlatReport::compute($profile)->rows()[$name]['excl_Ir'] ?? 0,
            ['main', 'x'],
        ));
    }

    public function testRunsThatAStoreHasPackedOrSerializedAreRead(): void
    {
        $document = ['profile' => Runs::small(), 'meta' => ['url' => '/x', 'request_ts' => 1714564800]];
        $table = ['profile' => json_encode(Runs::small()), 'url' => '/x', 'request_ts' => '1714564800',
            'SERVER' => json_encode(['HTTP_HOST' => 'shop.example'])];
        $date = preg_replace('/i:1714564800;/', 'O:9:"MongoDate":2:{s:3:"sec";i:1714564800;s:4:"usec";i:0;}', serialize($document));
        $total = Profile::fromEdges(Runs::small())->totals();
        foreach ([serialize($document), serialize(array_reverse($document)), $date, json_encode($table)] as $bytes) {
            foreach ([null, -1, 0, 9] as $level) {
                $run = $this->run1((string) ($level === null ? $bytes : gzcompress((string) $bytes, $level)));
                self::assertSame($total, $run->profile->totals());
                self::assertSame([1714564800.0, '/x'], [$run->meta['ts'] ?? null, $run->meta['url'] ?? null]);
            }
        }
        self::assertSame('shop.example', $this->run1((string) json_encode($table))->meta['host'] ?? null);
        self::assertSame($total, $this->run1((string) gzcompress(serialize(Runs::small())))->profile->totals());
        $this->expectExceptionMessage('not serialized data, or cut off');
        $this->run1(substr(serialize($document), 0, -9));
    }

    public function testXdebugsDatesAreOfGreenwichWhateverTheZoneIs(): void
    {
        $zone = date_default_timezone_get();
        try {
            foreach (['UTC', 'America/New_York'] as $here) {
                date_default_timezone_set($here);
                $trace = "Version: 3.2.0\nFile format: 4\nTRACE START [%s]\n1\t0\t0\t0.1\t8\t{main}\t1\t\t/x.php\t0\t0\n"
                    . "\t\t\t0.2\t8\nTRACE END   [2024-05-01 12:00:01]\n";
                self::assertSame(1714564800.804273, $this->run1(sprintf($trace, '2024-05-01 12:00:00.804273'))->meta['ts']);
                self::assertSame(1714564800.0, $this->run1(sprintf($trace, '2024-05-01 12:00:00'))->meta['ts'], 'of Xdebug 2');
                self::assertArrayNotHasKey('ts', $this->run1(sprintf($trace, 'now'))->meta);
            }
        } finally {
            date_default_timezone_set($zone);
        }
    }

    public function testCallsThatAreInlinedAreThereAndPlacesToo(): void
    {
        $run = $this->run1(Fixtures::goPprof());
        $tree = $run->tree;
        self::assertNotNull($tree);
        $paths = array_map(static fn (int $fn): string => $tree->names[$fn], $tree->fn);
        self::assertSame(['main()', 'runtime.main', 'main.work', 'main.inlined', '0x401abc'], $paths);
        self::assertSame([0, 1, 2, 3, 1], $tree->depth);
        self::assertSame([0, 0, 40000000, 30000000, 10000000], $tree->self['cpu']);
        self::assertSame([0, 0, 4, 3, 1], $tree->ct);
        self::assertSame('main.go:3', $tree->places->at(array_search('main.work', $tree->names, true) ?: 0)?->text());
        self::assertSame([1714564800.0, 80000], [$run->meta['ts'], $run->meta['duration_us']]);
    }
}
