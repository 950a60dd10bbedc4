<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\CannotExport;
use XHProf\Exception\ExportTooLarge;
use XHProf\Exception\StoreError;
use XHProf\Export\Csv;
use XHProf\Export\ExportColumn;
use XHProf\Export\Folded;
use XHProf\Export\Format;
use XHProf\App\Pages;
use XHProf\Export\Formats;
use XHProf\Share\AllFormats;
use XHProf\Export\Proto;
use XHProf\File\Sink;
use XHProf\Functions\FlatReport;
use XHProf\Heap\Export\HeapFormat;
use XHProf\Heap\Export\HeapFormats;
use XHProf\Import\Reader;
use XHProf\Import\Readers;
use XHProf\Profile\CallTree;
use XHProf\Profile\Profile;
use XHProf\Run\ChangedRun;
use XHProf\Run\MadeRun;
use XHProf\Run\Run;
use XHProf\Run\RunMeta;
use XHProf\Tests\Lib\Support\ExportRuns;
use XHProf\Tests\Lib\Support\PprofDecoder;
use XHProf\Tests\Lib\Support\Runs;

require_once __DIR__ . '/Support/Runs.php';
require_once __DIR__ . '/Support/ExportRuns.php';
require_once __DIR__ . '/Support/PprofDecoder.php';

/**
 * Every format of one small run against golden files, and read back. XHPROF_GOLDEN=write writes the files anew: check the
 * difference.
 */
final class ExportTest extends TestCase
{
    private const GOLDEN = __DIR__ . '/golden/export';

    /** Formats that need call paths. */
    private const OF_PATHS = ['speedscope', 'pprof', 'otlp', 'folded', 'chrome'];

    /**
     * @return iterable<string, array{string, string}>
     */
    public static function written(): iterable
    {
        // ExportHtmlTest covers the HTML file, which changes with the pages.
        foreach (Formats::all() as $name => $format) {
            foreach (['small', 'hostile', 'sampled', 'edgesOnly'] as $run) {
                if ($run !== 'edgesOnly' || !$format::NEEDS_PATHS) {
                    yield "$run $name" => [$run, $name];
                }
            }
        }
    }

    #[DataProvider('written')]
    public function testEveryFormatIsWhatItWas(string $run, string $name): void
    {
        $format = Formats::all()[$name];
        $text = ExportRuns::written($name, self::runNamed($run));
        $file = self::GOLDEN . "/$run." . $format::EXTENSION;
        if ($name === 'pprof') {
            // Versions of zlib differ in their output.
            $text = (string) gzdecode($text);
            $file = substr($file, 0, -3);
        }
        if (getenv('XHPROF_GOLDEN') === 'write') {
            file_put_contents($file, $text);
        }
        self::assertSame(bin2hex((string) file_get_contents($file)), bin2hex($text), $file);
    }

    #[DataProvider('written')]
    public function testTextIsUtf8AndJsonIsJson(string $run, string $name): void
    {
        $text = ExportRuns::written($name, self::runNamed($run));
        if (!in_array($name, ['pprof', 'otlp', 'xhprof'], true)) {
            self::assertSame(1, preg_match('//u', $text));
        }
        if (in_array($name, ['speedscope', 'chrome', 'json'], true)) {
            self::assertIsArray(json_decode($text, true, 32, JSON_THROW_ON_ERROR));
        }
        self::assertNotSame('', $text);
    }

    /** Files are read in terminals too: names, titles, paths of files and metadata come from anywhere. */
    #[DataProvider('ofText')]
    public function testNothingActsInATerminal(string $name): void
    {
        $hidden = ["\u{AD}", "\u{FEFF}"];
        foreach (file(dirname(__DIR__, 2) . '/extension/tests/unprintable.tsv', FILE_IGNORE_NEW_LINES) ?: [] as $line) {
            [$first, $last] = explode("\t", $line);
            for ($code = (int) hexdec($first); $code <= hexdec($last); $code++) {
                $hidden[] = (string) mb_chr($code, 'UTF-8');
            }
        }
        // Of the formats themselves.
        $structure = ["\t", "\r", "\n"];
        $acting = array_diff(array_slice($hidden, 2), $structure);
        self::assertCount(79 - 3, $acting);
        $names = ['main()'];
        foreach ($hidden as $character) {
            $names[] = "a{$character}b";
        }
        $all = implode('', $hidden);
        $run = ExportRuns::named($names, $all);
        $text = ExportRuns::written($name, $run);
        $found = array_filter($acting, static fn (string $character): bool => str_contains($text, $character));
        self::assertSame([], array_map(bin2hex(...), array_values($found)));
        if (in_array($name, ['speedscope', 'chrome', 'json'], true)) {
            $strings = [];
            $decoded = json_decode($text, true, 32, JSON_THROW_ON_ERROR);
            array_walk_recursive($decoded, static function (mixed $value) use (&$strings): void {
                $strings[] = $value;
            });
            self::assertSame([], array_diff($names, $strings), 'the same names');
            self::assertContains($run->title(), $strings, 'the same title');
        }
    }

    /** @return iterable<string, array{string}> pprof and OTLP are bytes, the classic file is what serialize() makes of the names */
    public static function ofText(): iterable
    {
        foreach (array_diff_key(Formats::all(), ['pprof' => true, 'otlp' => true, 'xhprof' => true]) as $name => $_) {
            yield $name => [$name];
        }
    }

    public function testFormatsDescribeThemselves(): void
    {
        $names = ['speedscope', 'pprof', 'callgrind', 'folded', 'chrome', 'csv', 'json', 'xhprof'];
        self::assertSame([], array_diff($names, array_keys(Formats::all())));
        $needPaths = array_keys(array_filter(Formats::all(), static fn (Format $format): bool => $format::NEEDS_PATHS));
        self::assertSame(self::OF_PATHS, $needPaths);
        foreach (Formats::all() as $format) {
            self::assertMatchesRegularExpression('/\A[a-z.]+\z/', $format::EXTENSION);
            self::assertMatchesRegularExpression('~\A[a-z]+/[a-z.+-]+\z~', $format::MIME_TYPE);
            self::assertNotSame('', $format::LABEL . $format::OPENS);
            self::assertStringEndsNotWith('.', $format::OPENS);
        }
        $names = [];
        foreach (Formats::all() as $format) {
            $names[] = Formats::fileName(ExportRuns::small(), $format);
        }
        self::assertSame($names, array_unique($names));
        self::assertSame([], preg_grep('/\Ae0000000000000000000000000000007\.shop\.[a-z.]+\z/', $names, PREG_GREP_INVERT));
    }

    public function testEveryFormatHasAllConstants(): void
    {
        $lists = [Format::class => Formats::all(), HeapFormat::class => HeapFormats::all(), Reader::class => Readers::all()];
        foreach ($lists as $interface => $formats) {
            $needed = array_keys((new \ReflectionClass($interface))->getConstants(), '', true);
            self::assertContains('NAME', $needed);
            foreach ($formats as $name => $format) {
                self::assertSame($name, $format::NAME);
                foreach ($needed as $constant) {
                    self::assertNotSame('', constant($format::class . "::$constant"), $format::class . "::$constant");
                }
            }
        }
    }

    #[DataProvider('ofPaths')]
    public function testWithoutPathsNoStacksAreInvented(string $name): void
    {
        $bytes = '';
        try {
            Formats::all()[$name]->write(ExportRuns::edgesOnly(), Sink::toText($bytes));
            self::fail('stacks were invented');
        } catch (CannotExport $e) {
            self::assertSame(ExportColumn::NO_PATHS, $e->getMessage());
        }
        self::assertSame('', $bytes);
    }

    /**
     * @return iterable<string, array{string}>
     */
    public static function ofPaths(): iterable
    {
        foreach (self::OF_PATHS as $name) {
            yield $name => [$name];
        }
    }

    public function testUnknownNamesSayWhatIsKnown(): void
    {
        try {
            AllFormats::named('pdf', Pages::all());
            self::fail();
        } catch (CannotExport $e) {
            self::assertStringContainsString('"pdf"; take html, speedscope, pprof', $e->getMessage());
        }
        foreach (['folded', 'csv'] as $format) {
            try {
                ExportRuns::written($format, ExportRuns::small(), 'ir');
                self::fail();
            } catch (CannotExport $e) {
                self::assertStringStartsWith('this run has no metric "ir", but wt, c', $e->getMessage());
            }
        }
        try {
            ExportRuns::written('xhprof', ExportRuns::small(), 'corrected_wt');
            self::fail('a file of calls alone');
        } catch (CannotExport $e) {
            self::assertStringContainsString('"corrected_wt" is computed', $e->getMessage());
        }
        $this->expectExceptionMessage('a trace shows time, and "mu" is not a time');
        ExportRuns::written('chrome', ExportRuns::small(), 'mu');
    }

    public function testOneMetric(): void
    {
        self::assertSame("function,ct,cpu_us,excl_cpu_us\r\n", self::line(ExportRuns::written('csv', ExportRuns::small(), 'cpu')));
        self::assertSame("main() 200000\n", self::line(ExportRuns::written('folded', ExportRuns::small(), 'cpu')));
        self::assertSame("main() 640\n", self::line(ExportRuns::written('folded', ExportRuns::small(), 'allocated_bytes')));
        $pprof = PprofDecoder::decode(ExportRuns::written('pprof', ExportRuns::small(), 'cpu'));
        self::assertSame(['cpu/nanoseconds'], $pprof['types']);
        $speedscope = json_decode(ExportRuns::written('speedscope', ExportRuns::small(), 'pmu'), true);
        self::assertSame(['Peak growth (pmu)'], array_column($speedscope['profiles'], 'name'));
    }

    public function testPprof(): void
    {
        $run = ExportRuns::small();
        $pprof = PprofDecoder::decode(ExportRuns::written('pprof', $run));
        self::assertSame([
            'wall/nanoseconds', 'cpu/nanoseconds', 'memory/bytes', 'memory_peak_growth/bytes', 'wall_corrected/nanoseconds',
            'alloc_space/bytes', 'alloc_objects/count', 'calls/count',
        ], $pprof['types']);
        self::assertSame('wall', $pprof['default']);
        self::assertSame([1076000, 1763680000250000000], [$pprof['duration'], $pprof['time']]);
        self::assertSame(['php bin/console "orders:close"'], $pprof['comments']);
        $leaf = $pprof['samples']['{closure:src/Shop.php:12} < array_map < App\Shop::order < main()'];
        self::assertSame([75375, 30], [$leaf[0], end($leaf)]);
        // Freed memory is below 0, not lost.
        self::assertContains(-4096, $pprof['samples']['array_map < App\Shop::order < main()']);
        self::assertSame(50000, $pprof['samples']['App\Price::sum < App\Price::sum < main()'][0]);
        self::assertSame(array_sum($run->tree()->self['wt'] ?? []), array_sum(array_column($pprof['samples'], 0)));
    }

    public function testATraceStaysWithTheRun(): void
    {
        $small = ExportRuns::small();
        $ids = ['trace_id' => '4bf92f3577b34da6a3ce929d0e0e4736', 'span_id' => '00f067aa0ba902b7'];
        $meta = RunMeta::fromArray($ids + $small->meta()->toArray());
        $run = new MadeRun($small->id, $small->path, $meta, $small->tree(), $small->profile());
        $chrome = json_decode(ExportRuns::written('chrome', $run), true);
        self::assertSame($ids, array_intersect_key($chrome['metadata'], $ids));
        $speedscope = json_decode(ExportRuns::written('speedscope', $run), true);
        self::assertSame($ids, array_intersect_key($speedscope, $ids));
        self::assertSame(
            [$small->title(), "trace_id: $ids[trace_id]", "span_id: $ids[span_id]"],
            PprofDecoder::decode(ExportRuns::written('pprof', $run))['comments'],
        );
    }

    public function testSmallPathsAreLeftOutAndTheTotalsStay(): void
    {
        $wall = static fn (Run $run): array => [
            'folded' => (int) array_sum(array_map(
                static fn (string $line): int => (int) substr((string) strrchr($line, ' '), 1),
                explode("\n", ExportRuns::written('folded', $run)),
            )),
            'speedscope' => json_decode(ExportRuns::written('speedscope', $run), true)['profiles'][0]['endValue'],
            'chrome' => array_column(array_slice(json_decode(ExportRuns::written('chrome', $run), true)['traceEvents'], -1), 'ts'),
            'pprof' => array_sum(array_column(PprofDecoder::decode(ExportRuns::written('pprof', $run))['samples'], 0)),
            'callgrind' => preg_match('/^totals: (\d+)/m', ExportRuns::written('callgrind', $run), $match) === 1 ? $match[1] : null,
        ];
        $run = ExportRuns::large(3000);
        $few = ChangedRun::above($run, 0.005);
        self::assertNotNull($few);
        self::assertEqualsCanonicalizing(Formats::prunable(), [...array_keys($wall($run)), 'otlp']);
        self::assertEquals($wall($run), $wall($few));
        foreach ([...array_keys($wall($run)), 'otlp'] as $format) {
            $size = strlen(ExportRuns::written($format, $few));
            self::assertLessThan(strlen(ExportRuns::written($format, $run)) / 2, $size, $format);
        }
        // Samples have times of their own: only the tree is left.
        $sampled = ChangedRun::above(ExportRuns::sampled(), 0.25);
        self::assertNotNull($sampled);
        self::assertNull($sampled->samples());
        self::assertStringContainsString('"evented"', ExportRuns::written('speedscope', $sampled));
        self::assertNull(ChangedRun::above(ExportRuns::edgesOnly(), 0.01));
    }

    public function testPprofKeepsHostileNamesApart(): void
    {
        $pprof = PprofDecoder::decode(ExportRuns::written('pprof', ExportRuns::hostile()));
        self::assertCount(2 * count(ExportRuns::HOSTILE) + 1, $pprof['samples']);
        self::assertArrayHasKey("line\nbreak\r\n < main()", $pprof['samples']);
        self::assertArrayHasKey('bad\xFF\xC3(utf-8 < main()', $pprof['samples']);
    }

    public function testNumbersOfProtocolBuffers(): void
    {
        self::assertSame('00', bin2hex(Proto::varint(0)));
        self::assertSame('ac02', bin2hex(Proto::varint(300)));
        self::assertSame('ffffffffffffffffff01', bin2hex(Proto::varint(-1)));
        self::assertSame('ffffffffffffffff7f', bin2hex(Proto::varint(PHP_INT_MAX)));
        self::assertSame('80808080808080808001', bin2hex(Proto::varint(PHP_INT_MIN)));
        self::assertSame('', Proto::int(4, 0));
    }

    public function testSpeedscopeEventsNestAndAddUp(): void
    {
        foreach (['small', 'hostile'] as $name) {
            $run = self::runNamed($name);
            $file = json_decode(ExportRuns::written('speedscope', $run), true, 32, JSON_THROW_ON_ERROR);
            $names = array_column($file['shared']['frames'], 'name');
            self::assertSame($names, array_unique($names));
            foreach ($file['profiles'] as $profile) {
                $open = [];
                $at = 0;
                foreach ($profile['events'] as $event) {
                    self::assertGreaterThanOrEqual($at, $event['at']);
                    $at = $event['at'];
                    if ($event['type'] === 'O') {
                        $open[] = $event['frame'];
                    } else {
                        self::assertSame(array_pop($open), $event['frame']);
                    }
                }
                self::assertSame([], $open);
                self::assertSame($profile['endValue'], $at);
            }
            self::assertSame(array_sum($run->tree()->self['wt'] ?? []), $file['profiles'][0]['endValue']);
        }
    }

    public function testChromeTraceIsSoundAndSaysThatItIsNoTimeline(): void
    {
        $run = ExportRuns::small();
        $file = json_decode(ExportRuns::written('chrome', $run), true, 32, JSON_THROW_ON_ERROR);
        self::assertStringContainsString('not a timeline', $file['metadata']['layout']);
        $events = self::completed($file['traceEvents']);
        self::assertCount((int) $run->tree()?->count(), $events);
        self::assertSame(1076, max([0, ...array_column($events, 'dur')]));
        self::assertSame(1076000, array_sum(array_column(array_column($events, 'args'), 'self_ns')));
        self::assertNested($events);

        $file = json_decode(ExportRuns::written('chrome', ExportRuns::sampled()), true, 32, JSON_THROW_ON_ERROR);
        self::assertStringStartsWith('a timeline', $file['metadata']['layout']);
        $events = self::completed($file['traceEvents']);
        self::assertNested($events);
        self::assertSame(['c', 200000, 100000, ['samples' => 1]], array_slice(array_values($events[0]), 4, 4));
    }

    /** Times of odd nanoseconds: a reader that adds beginning and length as floating point numbers must not see them overlap. */
    public function testEventsOfAChromeTraceNestExactly(): void
    {
        mt_srand(12);
        for ($round = 0; $round < 20; $round++) {
            $names = array_map(static fn (int $i): string => "f$i", range(0, 9));
            $tree = ['n' => 60, 'names' => $names, 'fn' => [0], 'depth' => [0]];
            for ($i = 1; $i < 60; $i++) {
                $tree['fn'][] = mt_rand(1, 9);
                $tree['depth'][] = mt_rand(1, $tree['depth'][$i - 1] + 1);
            }
            $own = array_map(static fn (): int => mt_rand(0, 3) === 0 ? 0 : mt_rand(1, 99999999), range(1, 60));
            $tree += ['ct' => array_fill(0, 60, 1), 'self' => ['wt' => $own]];
            $run = ChangedRun::withTree(ExportRuns::small(), CallTree::fromArray($tree));
            $file = json_decode(ExportRuns::written('chrome', $run), true, 32, JSON_THROW_ON_ERROR);
            $events = self::completed($file['traceEvents']);
            self::assertCount(60, $events);
            self::assertNested($events);
        }
    }

    /**
     * Combines begins and ends into events with a length, by their names, as speedscope and Perfetto do.
     *
     * @param list<array<string, mixed>> $events
     *
     * @return list<array<string, mixed>>
     */
    private static function completed(array $events): array
    {
        $open = [];
        $completed = [];
        $now = 0;
        foreach ($events as $event) {
            if ($event['ph'] === 'M') {
                continue;
            }
            self::assertIsNumeric($event['ts']);
            if ($event['ph'] === 'X') {
                $completed[] = $event + ['end' => $event['ts'] + $event['dur']];
                self::assertIsInt($event['end'] ?? $event['ts'] + $event['dur'], 'sums of integers are exact');
                continue;
            }
            self::assertGreaterThanOrEqual($now, $event['ts'], 'in order');
            $now = $event['ts'];
            if ($event['ph'] === 'B') {
                $open[] = $event;
                continue;
            }
            self::assertSame('E', $event['ph']);
            $began = array_pop($open);
            self::assertNotNull($began);
            self::assertSame($began['name'] ?? null, $event['name']);
            $completed[] = ['dur' => $now - $began['ts'], 'end' => $now] + $began;
        }
        self::assertSame([], $open);

        return $completed;
    }

    public function testCsvIsRfc4180AndHoldsNoFormula(): void
    {
        $run = ExportRuns::hostile();
        $stream = fopen('php://memory', 'w+b');
        self::assertIsResource($stream);
        $out = Sink::toStream($stream, 'memory');
        (new Csv())->write($run, $out);
        $out->end();
        rewind($stream);
        $rows = [];
        while (($row = fgetcsv($stream, null, ',', '"', '')) !== false) {
            $rows[] = $row;
        }
        $head = array_shift($rows);
        self::assertSame(['function', 'ct', 'wt_us', 'excl_wt_us'], array_slice($head ?? [], 0, 4));
        $report = FlatReport::compute($run->profile())->rows();
        self::assertCount(count($report), $rows);
        foreach ($rows as $row) {
            self::assertCount(count($head ?? []), $row);
            self::assertDoesNotMatchRegularExpression('/\A[=+\-@\t\r\n]/', (string) $row[0]);
        }
        $names = array_column($rows, 0);
        self::assertContains('\'=cmd|"/c calc"!A1', $names);
        self::assertContains("'\tTab", $names);
        self::assertContains("line\nbreak\r\n", $names);
        self::assertContains('control\x00\x07\x1B[31m', $names);
        $texts = array_map(Csv::text(...), ['=1+1', '@a', '-b', '+c', 'a,b', 'a"b', '=a,b', "\u{FF1D}1", 'a;=1+1', "a\t=1"]);
        $safe = ["'=1+1", "'@a", "'-b", "'+c", '"a,b"', '"a""b"', '"\'=a,b"', "'\u{FF1D}1", '"a;=1+1"', "\"a\t=1\""];
        self::assertSame($safe, $texts);
    }

    public function testClassicIsWhatSerializeWrites(): void
    {
        $run = ExportRuns::edgesOnly();
        self::assertSame(serialize(Runs::small()), ExportRuns::written('xhprof', $run));
    }

    public function testMeansCanBeWritten(): void
    {
        $mean = Profile::mean(Runs::small(), 3);
        $small = ExportRuns::edgesOnly();
        $run = new MadeRun(null, 'mean', $small->meta(), null, $mean);
        self::assertMatchesRegularExpression('/\r\na,0\.66666\d*,200,93\.3333\d*,/', ExportRuns::written('csv', $run));
        self::assertSame('run.csv', Formats::fileName($run, new Csv()));
        foreach (['json', 'callgrind', 'xhprof', 'dot'] as $format) {
            self::assertNotSame('', ExportRuns::written($format, $run));
        }
    }

    public function testDeepPathsEnd(): void
    {
        $depth = 5000;
        $tree = \XHProf\Profile\CallTree::fromArray([
            'names' => ['main()', 'f'],
            'fn' => [0, ...array_fill(0, $depth, 1)],
            'depth' => range(0, $depth),
            'ct' => array_fill(0, $depth + 1, 1),
            'self' => ['wt' => array_fill(0, $depth + 1, 7)],
        ]);
        $small = ExportRuns::small();
        $run = new MadeRun(null, 'deep', $small->meta(), $tree, Profile::fromEdges(['main()' => ['wt' => 1]]));
        $folded = explode("\n", trim(ExportRuns::written('folded', $run)));
        self::assertCount($depth + 1, $folded);
        self::assertStringEndsWith(';f;(deeper) 7', $folded[$depth]);
        self::assertSame(960, substr_count($folded[$depth], ';'));
        $samples = PprofDecoder::decode(ExportRuns::written('pprof', $run))['samples'];
        self::assertCount(961, $samples);
        self::assertSame(7 * ($depth + 1), array_sum(array_column($samples, 0)));
    }

    public function testAFullDiskIsAnError(): void
    {
        $full = @fopen('/dev/full', 'wb');
        if ($full === false) {
            self::markTestSkipped('there is no /dev/full');
        }
        stream_set_write_buffer($full, 0);
        $out = Sink::toStream($full, 'FILE');
        $this->expectException(StoreError::class);
        $this->expectExceptionMessage('FILE cannot be written: ');
        $out->write(str_repeat('x', 100000));
        $out->end();
    }

    public function testALargeRunIsWrittenInBoundedMemory(): void
    {
        $run = ExportRuns::large(20000);
        ExportColumn::wanted($run, null);
        foreach (Formats::all() as $name => $format) {
            if ($name === 'dot' || $name === 'html') {
                continue;
            }
            $largest = 0;
            $sum = 0;
            $out = new Sink(static function (string $piece) use (&$largest, &$sum): void {
                $largest = max($largest, strlen($piece));
                $sum += strlen($piece);
            });
            $format->write($run, $out);
            $out->end();
            self::assertGreaterThan(50000, $sum, $name);
            self::assertLessThan(600000, $largest, $name);
            self::assertSame($sum, $out->bytes(), $name);
        }
    }

    private static function runNamed(string $name): Run
    {
        return match ($name) {
            'small' => ExportRuns::small(),
            'hostile' => ExportRuns::hostile(),
            'sampled' => ExportRuns::sampled(),
            default => ExportRuns::edgesOnly(),
        };
    }

    private static function line(string $text): string
    {
        return substr($text, 0, (int) strpos($text, "\n") + 1);
    }

    /**
     * @param list<array<string, mixed>> $events
     */
    private static function assertNested(array $events): void
    {
        foreach ($events as $i => $a) {
            foreach (array_slice($events, $i + 1) as $b) {
                // not rounded: the figure that a reader uses
                [$a0, $a1] = [$a['ts'], $a['end']];
                [$b0, $b1] = [$b['ts'], $b['end']];
                $apart = $a1 <= $b0 || $b1 <= $a0;
                $within = ($a0 <= $b0 && $b1 <= $a1) || ($b0 <= $a0 && $a1 <= $b1);
                self::assertTrue($apart || $within, "$a[name] and $b[name] overlap");
            }
        }
    }

    public function testASinkThatMeasuresKeepsNothingAndEndsWhereItIsTooMuch(): void
    {
        $out = Sink::measuring(1 << 20);
        $out->write(str_repeat('x', 1 << 20));
        $out->end();
        self::assertSame(1 << 20, $out->bytes());
        $much = (1 << 20) + 1;
        $writers = [static fn (Sink $out) => $out->write(str_repeat('x', $much)), static fn (Sink $out) => $out->expect($much)];
        foreach ($writers as $more) {
            try {
                $more(Sink::measuring(1 << 20));
                self::fail('it was too much');
            } catch (ExportTooLarge) {
                // As expected.
            }
        }
    }

    /** A format estimates its size exactly: otherwise a file that fits is refused, or one that does not is begun. */
    public function testFoldedStacksKnowTheirSize(): void
    {
        foreach ([3, 959, 960, 961, 1500] as $depth) {
            $ones = array_fill(0, $depth, 7);
            $tree = CallTree::fromArray([
                'names' => ['main()', "caf\u{E9};\n", 'f'],
                'fn' => array_map(static fn (int $i): int => $i % 3, range(0, $depth - 1)),
                'depth' => range(0, $depth - 1),
                'ct' => $ones,
                'self' => ['wt' => $ones],
            ]);
            $run = new MadeRun(null, 'x', RunMeta::fromArray([]), $tree, $tree->toEdges());
            $text = '';
            (new Folded())->write($run, $out = Sink::toText($text));
            $out->end();
            (new Folded())->write($run, Sink::measuring(strlen($text)));
            try {
                (new Folded())->write($run, Sink::measuring(strlen($text) - 1));
                self::fail('one byte more');
            } catch (ExportTooLarge) {
                self::assertSame(substr_count($text, "\n"), $depth);
            }
        }
    }
}
