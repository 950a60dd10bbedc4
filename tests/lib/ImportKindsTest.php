<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\InvalidProfile;
use XHProf\Import\ImportedRun;
use XHProf\Import\InputFile;
use XHProf\Import\Reader;
use XHProf\Import\Readers;
use XHProf\Import\UnsupportedFormat;
use XHProf\Import\UnsupportedFormats;
use XHProf\Tests\Lib\Support\ExportRuns;
use XHProf\Tests\Lib\Support\ImportFixtures as Fixtures;
use XHProf\Tests\Lib\Support\ImportSizes;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/Runs.php';
require_once __DIR__ . '/Support/ExportRuns.php';
require_once __DIR__ . '/Support/ImportFixtures.php';
require_once __DIR__ . '/Support/ImportSizes.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/**
 * A file that a profiler has written is known by its content: what cannot be imported is named, with what to do.
 */
final class ImportKindsTest extends TestCase
{
    use TemporaryFolder;

    /** @return iterable<string, array{string, string}> bytes, words of the sentence */
    public static function others(): iterable
    {
        yield 'zstd' => ["\x28\xB5\x2F\xFD\x04\x58\x01", 'zstd -d'];
        yield 'xz' => ["\xFD7zXZ\0\0\x04\xE6", 'xz -d'];
        yield 'bzip2' => ["BZh91AY&SY\x12", 'bzip2 -d'];
        yield 'ZIP' => ["PK\x03\x04\x14\0", 'a ZIP archive'];
        yield 'tar' => [str_pad("cachegrind.out.1\0", 257, "\0") . "ustar\x0000", 'a tar archive'];
        yield 'igbinary' => ["\0\0\0\2\x14\x02\x11\x06main()\x14\x01", 'igbinary_unserialize()'];
        yield 'var_export()' => [var_export(['main()' => ['ct' => 1]], true), 'var_export()'];
        yield 'print_r()' => [print_r(['main()' => ['ct' => 1]], true), 'print_r()'];
        yield 'var_dump()' => ["array(1) {\n  [\"main()\"]=>\n  array(1) {\n", 'var_dump()'];
        yield 'our heap snapshot' => ['{"xhprof_heap":1,"php":"8.2.0","pid":1}' . "\n" . '{"a":1,"t":"root"}', 'bin/xhprof heap'];
        yield 'our run' => ["xhprof-run 1 1024\n{\"v\":1,\"meta\":{", 'put it into the run folder'];
        yield 'our dump' => ['{"v":1,"kind":"memory","time":1.5}', 'xhprof export reads'];
        yield 'perf.data' => ["PERFILE2h\0\0\0\0\0\0\0", 'perf script'];
        yield 'perf script' => [
            "php 21251  2199.857674:   10101010 cpu-clock:ppp: \n\t            4e03 zend_execute (/usr/bin/php)\n\n",
            'stackcollapse-perf.pl',
        ];
        yield 'perf script with a processor' => [
            "php-fpm: pool  4711/4712 [001] 12.123: cycles: \n\tffffffff8104f45a native_write ([kernel.kallsyms])\n\n",
            'stackcollapse-perf.pl',
        ];
        yield 'perf report' => ["# To display the perf.data header info\n#\n# Samples: 3  of event 'cycles'\n", 'a report of perf'];
        yield 'DTrace' => [
            "\n\n              libc.so.1`read+0x15\n              php`main+0x4\n              312\n\n",
            'stackcollapse.pl',
        ];
        yield 'Instruments' => [
            "Weight\tSelf Weight\t\tSymbol Name\n1.00 s  100%\t0 s\t\tphp (1)\n",
            'stackcollapse-instruments.pl',
        ];
        yield 'an old Instruments' => ["Running Time\tSelf (ms)\t\tSymbol Name\n", 'Instruments'];
        yield 'sample' => ["Analysis of sampling php (pid 1)\nCall graph:\n    8 Thread_1\n", 'stackcollapse-sample.awk'];
        yield 'a trace for people' => [
            "TRACE START [2026-11-28 20:35:56.821170]\n    0.0010     401448   -> {main}() /app/t.php:0\n",
            'xdebug.trace_format=1',
        ];
        yield 'a trace in HTML' => ["<table style='x' class='xdebug-trace' dir='ltr'>\n\t<tr><th>#</th>", 'xdebug.trace_format=1'];
        yield 'serialized memprof' => [
            serialize(['memory_size' => 3, 'blocks_count' => 1, 'called_functions' => []]),
            'json_encode()',
        ];
        yield 'php-meminfo' => ['{"header":{"memory_usage":405,"memory_usage_real":2},"items":{}}', 'php-meminfo'];
        yield 'a flat profile of SPX' => [
            "\n*** SPX Report ***\n\nGlobal stats:\n\n  Called functions    :       12\n",
            'SPX_REPORT=full',
        ];
        yield 'a flight recording' => ["FLR\0\0\x02\0\x01", 'a flight recording'];
        yield 'a heap of Java' => ["JAVA PROFILE 1.0.2\0", 'a heap dump of Java'];
        yield 'cProfile' => ["\xFB\x29\x03\xFA\x01~\xE9\0\0\0\0\xFA\x300<method", 'pyprof2calltree'];
        yield 'an old cProfile' => ["{(\x03\0\0\0z\x01\0\0\0~i\0\0", 'pyprof2calltree'];
        yield 'stackprof' => ["\x04\x08{\x0D:\x0Cversionf\x081.2", 'stackprof --stackcollapse'];
        yield "stackprof's JSON" => [
            '{"version":1.2,"mode":"wall","interval":1000,"samples":9,"frames":{}}',
            'stackprof --stackcollapse',
        ];
        yield "Go's trace" => ["go 1.22 trace\0\0\0", 'go tool trace'];
        yield "gperftools' heap" => ["heap profile:      1:    584 [     1:    584] @ heapprofile\n", 'pprof -proto'];
        yield "gperftools' CPU" => [pack('P*', 0, 3, 0, 10000, 0, 1, 1, 0x401000), 'pprof -proto'];
        yield 'gmon.out' => ["gmon\x01\0\0\0", 'gprof2dot'];
        yield 'gprof' => ["Flat profile:\n\nEach sample counts as 0.01 seconds.\n", 'gprof2dot'];
        yield '.NET' => ['Nettrace' . "\x14\0\0\0!FastSerialization.1", 'dotnet-trace convert'];
        yield 'a heap snapshot of Chrome' => [
            '{"snapshot":{"meta":{"node_fields":["type","name"]}},"nodes":[]}',
            'a heap snapshot of Chrome',
        ];
        yield 'a heap profile of Chrome' => [
            '{"head":{"callFrame":{"functionName":"(root)"},"selfSize":0}}',
            'a heap profile of Chrome',
        ];
        yield 'a CPU profile of Chrome' => [
            '{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0"},"hitCount":0}],"samples":[1]}',
            'a CPU profile of Chrome',
        ];
        yield 'a trace of Chrome' => [
            '{"traceEvents":[{"pid":1,"tid":1,"ts":22,"ph":"X","name":"x","dur":5}]}',
            'a trace of Chrome',
        ];
        yield 'a trace of Chrome as a list' => [
            '[{"name":"a","ph":"B","pid":1,"ts":0},{"ph":"E","pid":1,"ts":1}]',
            'a trace of Chrome',
        ];
        yield 'our trace for Chrome' => [ExportRuns::written('chrome', ExportRuns::small()), 'a trace of Chrome'];
        yield 'Firefox' => [
            '{"meta":{"interval":1,"startTime":1714564800,"processType":0},"libs":[{"name":"x"}],"threads":[]}',
            'Firefox',
        ];
        yield 'gecko' => [
            '{"meta":{"version":24,"stackwalk":1,"startTime":1,"shutdownTime":null},"libs":[],"threads":[]}',
            'Firefox',
        ];
        yield 'Safari' => ['{"version":1,"recording":{"displayName":"Timeline Recording 1"},"overview":{}}', 'Safari'];
        yield 'SQLite' => ["SQLite format 3\0\x10", 'an SQLite database'];
        yield 'BSON' => ["\x40\0\0\0\x07_id\0PrEfiXXXXXXX", 'mongoexport'];
        yield 'OpenTelemetry' => ['{"resourceProfiles":[{"resource":{}}]}', 'OpenTelemetry'];
        yield 'PHP' => ["<?php\necho 1;\n", 'bin/xhprof run profiles it'];
        yield 'a flame graph' => ["<?xml version=\"1.0\"?>\n<!DOCTYPE svg PUBLIC \"x\">\n<svg version=\"1.1\">", 'a drawing'];
        yield 'a page' => ["<!DOCTYPE html>\n<html><head>", 'a page in HTML'];
        yield 'our page' => [ExportRuns::written('html', ExportRuns::small()), 'a page in HTML'];
        yield 'our table' => [ExportRuns::written('csv', ExportRuns::small()), 'a table (CSV)'];
        yield 'a table' => ["Function,Calls,Wall time\nfoo,3,12\n", 'a table (CSV)'];
    }

    #[DataProvider('others')]
    public function testAKindThatCannotBeImportedIsNamed(string $bytes, string $words): void
    {
        foreach ([$bytes, (string) gzencode($bytes)] as $content) {
            file_put_contents("$this->folder/input", $content);
            try {
                Readers::for(InputFile::at("$this->folder/input"));
                self::fail('it was taken for a run');
            } catch (InvalidProfile $e) {
                self::assertStringStartsWith('this is ', $e->getMessage());
                self::assertStringContainsString(', which cannot be imported: ', $e->getMessage());
                self::assertStringContainsString($words, $e->getMessage());
                self::assertStringNotContainsString("\n", $e->getMessage());
            }
        }
    }

    /** @return iterable<string, array{string, string}> bytes, reader */
    public static function ours(): iterable
    {
        $files = ["a,b;c 5\n", "foo(int,char);bar 5\n", "std::map<int,char>;x 1\n", "Function,Calls 12\n", "<a>;b 1\n",
            "<main>;App\\Cart::total 3\n[unknown];x 1\n", "[unknown] 4\n", "{main};strlen 7\n", "[libc.so.6];read 2\n"];
        foreach ([...$files, Fixtures::bytes('austin.folded'), Fixtures::bytes('excimer-1.0.folded')] as $i => $bytes) {
            yield "folded stacks $i" => [$bytes, 'folded'];
        }
        foreach (glob(__DIR__ . '/imports/*grind') ?: [] as $path) {
            yield basename($path) => [(string) file_get_contents($path), 'callgrind'];
        }
        $names = ['memprof-array.json' => 'memprof', 'spx.json' => 'spx', 'spx.txt' => 'spx', 'twig.blackfire' => 'blackfire',
            'xdebug.xt' => 'xdebug-trace'];
        foreach ($names as $name => $reader) {
            yield $name => [Fixtures::bytes($name), $reader];
        }
        foreach (['speedscope', 'callgrind', 'json', 'xhprof', 'folded', 'pprof'] as $format) {
            $runs = [ExportRuns::small(), ExportRuns::sampled(), ExportRuns::hostile(), ExportRuns::large(50)];
            foreach ($runs as $i => $run) {
                yield "export $i as $format" => [ExportRuns::written($format, $run), $format];
            }
        }
        $pretty = JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES;
        $again = static fn (string $format, int $flags): string => (string) json_encode(array_reverse(
            (array) json_decode(ExportRuns::written($format, ExportRuns::small())),
            true,
        ), $flags);
        foreach (['json', 'speedscope'] as $format) {
            yield "$format, saved again" => [$again($format, 0), $format];
            yield "$format, saved again in lines" => [$again($format, $pretty), $format];
        }
        yield 'speedscope without its name' => [
            '{"profiles":[{"unit":"none","samples":[[0]],"weights":[1],"type":"sampled"}],"shared":{"frames":[{"name":"a"}]}}',
            'speedscope',
        ];
        yield 'samples' => [serialize(['1.5' => 'main()==>a', '1.6' => 'main()']), 'xhprof'];
        yield 'a name that is longer than what is looked at' => [
            serialize(['main()==>' . str_repeat('x', InputFile::HEAD) => ['ct' => 1], 'main()' => ['ct' => 1]]),
            'xhprof',
        ];
        foreach (ImportSizes::all() as $what => [$reader, $bytes]) {
            yield "many: $what" => [$bytes(500), $reader];
        }
        yield "Go's CPU profile" => [Fixtures::goPprof(), 'pprof'];
        yield "Go's heap" => [Fixtures::goHeap(), 'pprof'];
        yield "memprof's pprof" => [Fixtures::memprofPprof(), 'memprof-pprof'];
    }

    #[DataProvider('ours')]
    public function testAFileIsKnownByOneReaderAndByNothingElse(string $bytes, string $reader): void
    {
        file_put_contents("$this->folder/input", $bytes);
        $file = InputFile::at("$this->folder/input");
        self::assertSame([[], $reader === 'folded' ? [] : [$reader]], self::known($file->head()));
        self::assertSame($reader, Readers::for($file)::NAME);
    }

    #[DataProvider('ours')]
    public function testEncodingsAndEmptyLinesMakeNoDifference(string $bytes, string $reader): void
    {
        if (in_array($reader, ['pprof', 'memprof-pprof'], true) || !mb_check_encoding($bytes, 'UTF-8')) {
            $bytes = str_starts_with($bytes, "\x1F\x8B") ? (string) gzdecode($bytes) : $bytes;
            self::assertSame($this->edges($bytes), $this->edges((string) gzencode($bytes)));

            return;
        }
        // One of its files is the description of the other.
        file_put_contents("$this->folder/input.txt", Fixtures::bytes('spx.txt'));
        $edges = $this->edges($bytes);
        self::assertNotSame([], $edges);
        foreach (
            [
            'a mark' => "\xEF\xBB\xBF$bytes",
            'UTF-16LE' => "\xFF\xFE" . mb_convert_encoding($bytes, 'UTF-16LE', 'UTF-8'),
            'UTF-16BE' => "\xFE\xFF" . mb_convert_encoding($bytes, 'UTF-16BE', 'UTF-8'),
            'lines of Windows' => (string) preg_replace('/\r?\n/', "\r\n", $bytes),
            'an empty first line' => "\n$bytes",
            'empty last lines' => "$bytes\n\n",
            'gzip' => (string) gzencode($bytes),
            'zlib' => (string) gzcompress($bytes),
            ] as $what => $other
        ) {
            self::assertSame($edges, $this->edges($other), $what);
        }
    }

    /** @return list<array<string, array<string, int|float>>> by run */
    private function edges(string $bytes): array
    {
        file_put_contents("$this->folder/input.json", $bytes);
        $file = InputFile::at("$this->folder/input.json");
        $edges = [];
        foreach (Readers::for($file)->read($file) as $run) {
            self::assertInstanceOf(ImportedRun::class, $run);
            $edges[] = $run->profile->edges();
        }

        return $edges;
    }

    #[DataProvider('others')]
    public function testAKindIsKnownByItsOwnMarkAndByNoReader(string $bytes): void
    {
        file_put_contents("$this->folder/input", $bytes);
        [$kinds, $readers] = self::known(InputFile::at("$this->folder/input")->head());
        self::assertCount(1, $kinds, implode(', ', $kinds));
        self::assertSame([], $readers);
    }

    public function testEveryKindIsTried(): void
    {
        $tried = [];
        foreach (self::others() as [$bytes]) {
            $tried[] = self::known($bytes)[0][0] ?? '';
        }
        $all = array_map(static fn (UnsupportedFormat $kind): string => $kind->what, UnsupportedFormats::all());
        self::assertEqualsCanonicalizing($all, array_values(array_unique($tried)));
    }

    /** @return array{list<string>, list<string>} kinds, and readers but for the one of folded stacks, whatever their order is */
    private static function known(string $head): array
    {
        $kinds = array_filter(UnsupportedFormats::all(), static fn (UnsupportedFormat $kind): bool => $kind->isOf($head));
        $readers = array_filter(Readers::all(), static fn (Reader $reader): bool => $reader->recognizes($head));
        unset($readers['folded']);

        return [array_values(array_map(static fn (UnsupportedFormat $kind): string => $kind->what, $kinds)), array_keys($readers)];
    }

    public function testTheSameReaderIsFoundWhateverComesFirst(): void
    {
        $names = [];
        foreach (['json', 'speedscope', 'callgrind', 'xhprof', 'pprof'] as $format) {
            file_put_contents("$this->folder/input", ExportRuns::written($format, ExportRuns::large(3000)));
            $names[] = Readers::for(InputFile::at("$this->folder/input"))::NAME;
        }
        self::assertSame(['json', 'speedscope', 'callgrind', 'xhprof', 'pprof'], $names);
        $edges = [];
        for ($i = 0; $i < 900; $i++) {
            $edges["f$i==>App\\Space\\Service::method$i"] = ['ct' => 1, 'wt' => $i];
        }
        foreach ([JSON_HEX_TAG, 0, JSON_PRETTY_PRINT] as $flags) {
            file_put_contents("$this->folder/input", json_encode($edges + ['main()' => ['ct' => 1, 'wt' => 7]], $flags));
            $file = InputFile::at("$this->folder/input");
            self::assertSame('xhgui', Readers::for($file)::NAME);
            foreach (Readers::for($file)->read($file) as $run) {
                self::assertInstanceOf(ImportedRun::class, $run);
                self::assertCount(901, $run->profile->edges());
            }
        }
    }
}
