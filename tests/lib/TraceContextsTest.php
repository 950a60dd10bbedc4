<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use Opentelemetry\Proto\Collector\Profiles\V1development\ExportProfilesServiceRequest;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\DamagedRun;
use XHProf\Export\Otlp;
use XHProf\Export\Pprof;
use XHProf\File\Sink;
use XHProf\Run\ChangedRun;
use XHProf\Run\Run;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\ExportRuns;
use XHProf\Tests\Lib\Support\PprofDecoder;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/ExportRuns.php';
require_once __DIR__ . '/Support/PprofDecoder.php';
require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** Of which spans of distributed traces samples and operations are: in files, in pprof and in OTLP, against planted truth. */
final class TraceContextsTest extends TestCase
{
    use TemporaryFolder;

    private const RUN = 'c0000000000000000000000000000001.traced';

    /** @return array{trace_id: string, span_id: string} */
    private static function ids(int $number): array
    {
        return ['trace_id' => str_repeat(sprintf('%08x', $number), 4), 'span_id' => str_repeat(sprintf('%08x', $number), 2)];
    }

    /** @param array{trace_id: string, span_id: string} $ids */
    private static function label(array $ids): string
    {
        return " {trace_id=$ids[trace_id]} {span_id=$ids[span_id]}";
    }

    /** @param array<string, array<mixed>> $documents */
    private function saved(array $documents): Run
    {
        RunFiles::write($this->folder, self::RUN, $documents);

        return (new RunFolder($this->folder))->open(RunId::fromStrings(...explode('.', self::RUN)));
    }

    /**
     * A sampled run of so many functions, contexts and samples, by chance.
     *
     * @return array{array<string, array<mixed>>, array<string, int>} its documents; samples by stack and labels
     */
    private static function sampled(int $seed, int $functions, int $contexts, int $samples, bool $repeated = false): array
    {
        mt_srand($seed);
        $names = ['main()'];
        $fn = $depth = [0];
        $stacks = ['main()'];
        $open = ['main()'];
        for ($i = 1; $i <= $functions; $i++) {
            $names[] = "f$i";
            $fn[] = $i;
            $depth[] = $at = mt_rand(1, min(8, end($depth) + 1));
            $open = [...array_slice($open, 0, $at), "f$i"];
            $stacks[] = implode(' < ', array_reverse($open));
        }
        $ct = array_fill(0, $functions + 1, 0);
        $columns = ['t' => [], 'n' => [], 'node' => [], 'context' => []];
        $truth = [];
        for ($i = $t = 0; $i < $samples; $i++) {
            $node = mt_rand(0, $functions);
            $context = mt_rand(0, $contexts);
            $n = mt_rand(1, 4);
            foreach (['t' => $t, 'n' => $n, 'node' => $node, 'context' => $context] as $name => $value) {
                $columns[$name][] = $value;
            }
            $t += $n + mt_rand(0, 2);
            $ct[$node] += $n;
            // Two entries of the table may be one context.
            $number = $context === 0 ? 0 : ($repeated ? intdiv($context + 1, 2) : $context);
            $stack = $stacks[$node] . ($number === 0 ? '' : self::label(self::ids($number)));
            $truth[$stack] = ($truth[$stack] ?? 0) + $n;
        }
        $ids = array_map(
            static fn (int $number): array => self::ids($repeated ? intdiv($number + 1, 2) : $number),
            $contexts > 0 ? range(1, $contexts) : [],
        );
        $documents = [
            'meta' => ['ts' => 1763680000, 'mode' => 'sample', 'samples' => array_sum($ct), 'sample_interval_us' => 1000],
            'tree' => [
                'names' => $names, 'fn' => $fn, 'depth' => $depth, 'ct' => $ct,
                'self' => ['wt' => array_map(static fn (int $n): int => $n * 1_000_000, $ct)],
            ],
            'samples' => ['interval_us' => 1000, 'clock' => 'wall', 'start_us' => 1763680000000000] + $columns,
            'contexts' => [
                'dropped' => 0,
                'trace_id' => array_column($ids, 'trace_id'),
                'span_id' => array_column($ids, 'span_id'),
            ],
        ];

        return [$documents, $truth];
    }

    /** @return iterable<string, array{int, int, int, int, bool}> */
    public static function programs(): iterable
    {
        yield 'one function, one context' => [1, 1, 1, 5, false];
        yield 'few of both' => [2, 4, 3, 200, false];
        yield 'many contexts' => [3, 10, 900, 3000, false];
        yield 'many functions' => [4, 800, 5, 3000, false];
        yield 'contexts that are there twice' => [5, 20, 40, 2000, true];
    }

    #[DataProvider('programs')]
    public function testSamplesHaveTheirSpans(int $seed, int $functions, int $contexts, int $samples, bool $repeated): void
    {
        [$documents, $truth] = self::sampled($seed, $functions, $contexts, $samples, $repeated);
        $run = $this->saved($documents);
        $pprof = PprofDecoder::decode(ExportRuns::written('pprof', $run));
        ksort($truth);
        $found = array_map(static fn (array $values): int => $values[1], $pprof['samples']);
        ksort($found);
        self::assertSame(['wall/nanoseconds', 'calls/count'], $pprof['types']);
        self::assertSame($truth, $found);
        foreach ($pprof['samples'] as $stack => $values) {
            self::assertSame($truth[$stack] * 1_000_000, $values[0]);
        }
        [$wall, $calls] = [self::otlp($run, 'wall'), self::otlp($run, 'calls')];
        self::assertSame($truth, $calls);
        self::assertSame(array_map(static fn (int $n): int => $n * 1_000_000, $truth), $wall);
        // One encoder: what is sent of it is the same.
        $sent = Otlp::request($run, Otlp::resource($run, 'traced', ''), '', (string) $run->id, 1000);
        self::assertSame($sent, ExportRuns::written('otlp', $run));
        // Names may change on the way; with other call paths nothing is known of nodes.
        $renamed = PprofDecoder::decode(ExportRuns::written('pprof', ChangedRun::renamed($run, ['f1' => 'other'])));
        self::assertSame(count($truth), count($renamed['samples']));
        $few = ChangedRun::above($run, 0.2);
        self::assertNotNull($few);
        self::assertNull($few->contexts());
        $stacks = array_keys(PprofDecoder::decode(ExportRuns::written('pprof', $few))['samples']);
        self::assertStringNotContainsString('trace_id', implode($stacks));
    }

    /** @return array<string, int> values of samples by "leaf < caller {attribute=value} {trace_id=...} {span_id=...}", sorted */
    private static function otlp(Run $run, string $type): array
    {
        $request = new ExportProfilesServiceRequest();
        $request->mergeFromString(ExportRuns::written('otlp', $run));
        $all = $request->getDictionary() ?? throw new \LogicException('there is no dictionary');
        $strings = iterator_to_array($all->getStringTable());
        [$functions, $locations, $stacks, $links] = array_map(iterator_to_array(...), [
            $all->getFunctionTable(), $all->getLocationTable(), $all->getStackTable(), $all->getLinkTable(),
        ]);
        $bytes = array_map(static fn ($link): string => $link->getTraceId() . $link->getSpanId(), $links);
        self::assertSame($bytes, array_unique($bytes));
        $found = [];
        foreach ($request->getResourceProfiles()[0]->getScopeProfiles()[0]->getProfiles() as $profile) {
            if ($strings[$profile->getSampleType()?->getTypeStrindex()] !== $type) {
                continue;
            }
            foreach ($profile->getSamples() as $sample) {
                $frames = [];
                foreach ($stacks[$sample->getStackIndex()]->getLocationIndices() as $index) {
                    $frames[] = $strings[$functions[$locations[$index]->getLines()[0]->getFunctionIndex()]->getNameStrindex()];
                }
                $text = implode(' < ', $frames);
                foreach ($sample->getAttributeIndices() as $index) {
                    $attribute = $all->getAttributeTable()[$index];
                    $text .= " {{$strings[$attribute->getKeyStrindex()]}={$attribute->getValue()?->getStringValue()}}";
                }
                $link = $links[$sample->getLinkIndex()];
                $ids = ['trace_id' => bin2hex($link->getTraceId()), 'span_id' => bin2hex($link->getSpanId())];
                $text .= $sample->getLinkIndex() === 0 ? '' : self::label($ids);
                $found[$text] = ($found[$text] ?? 0) + (int) $sample->getValues()[0];
            }
        }
        ksort($found);

        return $found;
    }

    /** @return array<string, array<mixed>> the documents of an exact run with operations in three contexts */
    private static function exact(): array
    {
        return [
            'meta' => ['ts' => 1763680000, 'mode' => 'exact'],
            'tree' => [
                'names' => ['main()', 'f', 'PDO::query'], 'fn' => [0, 1, 2, 2], 'depth' => [0, 1, 2, 1], 'ct' => [1, 1, 5, 2],
                'self' => ['wt' => [10, 20, 5000, 0]],
            ],
            'operations' => [
                'lost' => 0, 'kinds' => ['sql', 'file'], 'texts' => ['SELECT ?', 'a.txt'], 'kind_of_text' => [0, 1],
                'distinct_of_text' => [1, 1], 'text' => [0, 1, 0], 'node' => [2, 2, 3], 'ct' => [4, 1, 2],
                'total' => [4000, 900, 70],
                'max' => [2000, 900, 40], 'distinct' => [1, 1, 1], 'bounds' => [0, 512],
                'bucket' => ['row' => [0], 'number' => [1], 'ct' => [4]],
                'context' => [
                    'row' => [0, 0, 1, 2], 'context' => [1, 2, 2, 3], 'ct' => [1, 2, 1, 2], 'total' => [500, 3000, 900, 70],
                ],
            ],
            'contexts' => [
                'dropped' => 3,
                'trace_id' => array_map(static fn (int $i): string => self::ids($i)['trace_id'], [1, 2, 3]),
                'span_id' => array_map(static fn (int $i): string => self::ids($i)['span_id'], [1, 2, 3]),
            ],
        ];
    }

    public function testOperationsOfAnExactRunAreSamplesOfTheirOwn(): void
    {
        $run = $this->saved(self::exact());
        self::assertSame(3, $run->contexts()?->dropped);
        $pprof = PprofDecoder::decode(ExportRuns::written('pprof', $run));
        self::assertSame(['wall/nanoseconds', 'calls/count', 'operations/count', 'operation_time/nanoseconds'], $pprof['types']);
        $query = 'PDO::query < f < main()';
        [$one, $two, $three] = array_map(self::label(...), array_map(self::ids(...), [1, 2, 3]));
        self::assertEquals([
            'main()' => [10, 1, 0, 0],
            'f < main()' => [20, 1, 0, 0],
            $query => [5000, 5, 0, 0],
            "$query {operation=SELECT ?}$one" => [0, 0, 1, 500],
            "$query {operation=SELECT ?}$two" => [0, 0, 2, 3000],
            "$query {operation=a.txt}$two" => [0, 0, 1, 900],
            'PDO::query < main()' => [0, 2, 0, 0],
            "PDO::query < main() {operation=SELECT ?}$three" => [0, 0, 2, 70],
        ], $pprof['samples']);
        $counts = [
            "$query {operation=SELECT ?}$one" => 1, "$query {operation=SELECT ?}$two" => 2, "$query {operation=a.txt}$two" => 1,
            "PDO::query < main() {operation=SELECT ?}$three" => 2,
        ];
        ksort($counts);
        self::assertSame($counts, self::otlp($run, 'operations'));
        self::assertSame(4470, array_sum(self::otlp($run, 'operation_time')));
        self::assertSame(['main()' => 10, $query => 5000, 'f < main()' => 20], [
            'main()' => self::otlp($run, 'wall')['main()'], ...self::otlp($run, 'wall'),
        ]);
        // A single metric has none.
        self::assertSame(['wall/nanoseconds'], PprofDecoder::decode(ExportRuns::written('pprof', $run, 'wt'))['types']);
    }

    /** What leaves the host has no texts; a receiver that makes a series of each label gets no spans. */
    public function testTextsAndSpansCanBeLeftOut(): void
    {
        $sent = $this->saved(self::exact())->contexts()?->withoutOperations();
        self::assertSame([[self::ids(1), self::ids(2), self::ids(3)], []], [$sent?->ids, $sent?->operations]);
        [$documents, $truth] = self::sampled(6, 5, 4, 100);
        $run = $this->saved($documents);
        self::assertEquals($run->contexts()?->parts(1, 100, [700]), $run->contexts()?->withoutOperations()->parts(1, 100, [700]));
        $text = '';
        $out = Sink::toText($text);
        (new Pprof('', false))->write($run, $out);
        $out->end();
        $samples = PprofDecoder::decode($text)['samples'];
        self::assertStringNotContainsString('_id', implode(array_keys($samples)));
        self::assertSame(array_sum($truth), array_sum(array_column($samples, 1)));
    }

    public function testRunsWithoutContextsAreAsBefore(): void
    {
        $documents = array_diff_key(self::exact(), ['contexts' => 1]);
        unset($documents['operations']['context']);
        $run = $this->saved($documents);
        self::assertNull($run->contexts());
        self::assertSame(['wall/nanoseconds', 'calls/count'], PprofDecoder::decode(ExportRuns::written('pprof', $run))['types']);
        self::assertSame([], self::otlp($run, 'operations'));
    }

    /** @return iterable<string, array{\Closure(array<string, array<mixed>>): array<string, array<mixed>>}> */
    public static function damages(): iterable
    {
        $change = static fn (string $document, string $name, mixed $value): \Closure
            => static fn (array $all): array => [$document => [$name => $value] + $all[$document]] + $all;
        $context = static fn (string $name, mixed $value): \Closure => static function (array $all) use ($name, $value): array {
            $all['operations']['context'][$name] = $value;

            return $all;
        };
        yield 'fewer spans than traces' => [$change('contexts', 'span_id', [self::ids(1)['span_id']])];
        $odd = array_map(static fn (string $digit): string => str_repeat($digit, 32), ['x', 'a', 'b']);
        yield 'an id that is none' => [$change('contexts', 'trace_id', $odd)];
        yield 'a short id' => [$change('contexts', 'span_id', ['a', 'b', 'c'])];
        yield 'a context that is not there' => [$context('context', [1, 2, 2, 4])];
        yield 'context 0' => [$context('context', [0, 2, 2, 3])];
        yield 'a row that is not there' => [$context('row', [0, 0, 1, 3])];
        yield 'fewer calls than rows' => [$context('ct', [1])];
        yield 'a text without a kind' => [$change('operations', 'kind_of_text', [0, 7])];
    }

    /** @param \Closure(array<string, array<mixed>>): array<string, array<mixed>> $change */
    #[DataProvider('damages')]
    public function testDamagedContextsAreRefused(\Closure $change): void
    {
        $run = $this->saved($change(self::exact()));
        $this->expectException(DamagedRun::class);
        $run->contexts();
    }

    public function testSamplesOfContextsThatAreNotThereAreRefused(): void
    {
        [$documents] = self::sampled(1, 3, 2, 20);
        $documents['samples']['context'] = array_fill(0, 20, 3);
        $run = $this->saved($documents);
        $this->expectException(DamagedRun::class);
        $run->contexts();
    }

    /** @return iterable<string, array{string}> */
    public static function modes(): iterable
    {
        yield 'sampled' => ['sample'];
        yield 'exact' => ['exact'];
    }

    /** The real packages: what each function of a program does belongs to its span. */
    #[DataProvider('modes')]
    public function testOpenTelemetrysActiveSpanIsTheContext(string $mode): void
    {
        $root = dirname(__DIR__, 2);
        $extension = "$root/extension/modules/xhprof.so";
        if (!is_file($extension) || !is_dir("$root/vendor/open-telemetry/sdk")) {
            self::markTestSkipped('the extension is not built, or OpenTelemetry\'s packages are not installed');
        }
        $command = [
            PHP_BINARY, '-d', "extension=$extension", '-d', "xhprof.output_dir=$this->folder",
            __DIR__ . '/Support/otel-program.php', "$root/vendor", $mode,
        ];
        $output = (string) shell_exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1');
        $said = json_decode($output, true);
        self::assertIsArray($said, $output);
        $run = (new RunFolder($this->folder))->open(RunId::fromStrings($said['id'], 'xhprof'));
        $pprof = PprofDecoder::decode(ExportRuns::written('pprof', $run));
        $of = [];
        foreach ($pprof['samples'] as $text => $values) {
            preg_match('/\bin_(\w+)/', $text, $function);
            preg_match('/ \{trace_id=(\w+)\} \{span_id=(\w+)\}/', $text, $ids);
            $waits = str_contains($text, 'usleep') || ($mode === 'exact' && ($values[count($pprof['types']) - 2] ?? 0) > 0);
            if (isset($function[1]) && $waits) {
                $of[$function[1]][($ids[1] ?? '-') . ($ids[2] ?? '')] = true;
            }
        }
        $spans = array_map(static fn (array $ids): array => ["$ids[trace_id]$ids[span_id]" => true], $said['spans']);
        // Outside of spans, the operations of an exact run have no samples of their own.
        $expected = $spans + ($mode === 'sample' ? ['none' => ['-' => true], 'after' => ['-' => true]] : []);
        self::assertCount(7, $spans);
        if ($mode === 'sample') { // a busy machine may take no sample of one of them
            self::assertGreaterThan(5, count($of));
            $expected = array_intersect_key($expected, $of);
        }
        self::assertEquals($expected, $of);
    }
}
