<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\CannotExport;
use XHProf\Exception\DamagedRun;
use XHProf\Export\Formats;
use XHProf\Export\PackedStacks;
use XHProf\Memory\LiveTree;
use XHProf\Memory\MarkRange;
use XHProf\Memory\MemoryDump;
use XHProf\Memory\MemoryProfile;
use XHProf\Profile\CallTree;
use XHProf\Run\ChangedRun;
use XHProf\Run\MadeRun;
use XHProf\Run\Run;
use XHProf\Run\RunMeta;
use XHProf\Tests\Lib\Support\ExportRuns;
use XHProf\Tests\Lib\Support\MemoryRun;
use XHProf\Tests\Lib\Support\PprofDecoder;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/ExportRuns.php';
require_once __DIR__ . '/Support/MemoryRun.php';
require_once __DIR__ . '/Support/PprofDecoder.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/**
 * Live memory in other tools' formats: of the golden dump of the extension's own test, against golden files, and of a run.
 * XHPROF_GOLDEN=write writes the files anew: check the difference.
 */
final class LiveMemoryExportTest extends TestCase
{
    use TemporaryFolder;

    private const DUMP = __DIR__ . '/../../extension/tests/unit/golden/memory.json';
    private const GOLDEN = __DIR__ . '/golden/export';
    private const BYTES = 320343;
    private const BLOCKS = 48;

    private static function dump(bool $types = true): Run
    {
        $dump = MemoryDump::fromJsonFile(self::DUMP);
        $meta = RunMeta::fromArray(['ts' => $dump->time, 'pid' => $dump->pid]);

        return MadeRun::ofMemory(null, 'memory.json', $meta, LiveTree::fromMemory($dump->memory, $types));
    }

    /** @return iterable<string, array{string, bool}> */
    public static function formats(): iterable
    {
        foreach (['speedscope', 'pprof', 'folded', 'chrome', 'callgrind', 'csv'] as $format) {
            yield $format => [$format, Formats::all()[$format]::NEEDS_PATHS];
        }
        yield 'chrome without types' => ['chrome', false];
        yield 'folded without types' => ['folded', false];
    }

    #[DataProvider('formats')]
    public function testEveryFormatIsWhatItWas(string $format, bool $types): void
    {
        $text = ExportRuns::written($format, self::dump($types));
        $file = self::GOLDEN . '/memory.' . ($types ? '' : 'plain.') . Formats::all()[$format]::EXTENSION;
        if ($format === 'pprof') {
            $text = (string) gzdecode($text);
            $file = substr($file, 0, -3);
        }
        if (getenv('XHPROF_GOLDEN') === 'write') {
            file_put_contents($file, $text);
        }
        self::assertSame(bin2hex((string) file_get_contents($file)), bin2hex($text), $file);
    }

    public function testPprofHasBytesAndBlocksAndTypesAsLabels(): void
    {
        $profile = PprofDecoder::decode(ExportRuns::written('pprof', self::dump()));
        self::assertSame(['inuse_space/bytes', 'inuse_objects/count'], $profile['types']);
        self::assertSame(['inuse_space', 1700000000250000000], [$profile['default'], $profile['time']]);
        self::assertSame([5700, 3], $profile['samples']['g < f < f < f < main() {type=string}']);
        self::assertSame([4000, 1], $profile['samples']["g < f < f < f < main() {type=object:A\nB;}"]);
        self::assertSame([300000, 0], $profile['samples']['(before) {type=array}']);
        self::assertSame([900, 9], $profile['samples']['(other threads) {type=malloc}']);
        self::assertSame([111, 11], $profile['samples']['(below threshold)']);
        self::assertSame(self::BYTES, array_sum(array_column($profile['samples'], 0)));
        self::assertSame(self::BLOCKS, array_sum(array_column($profile['samples'], 1)));

        $plain = PprofDecoder::decode(ExportRuns::written('pprof', self::dump(false), 'live_blocks'));
        self::assertSame(['inuse_objects/count'], $plain['types']);
        self::assertSame([4], $plain['samples']['g < f < f < f < main()']);
        self::assertSame(self::BLOCKS, array_sum(array_column($plain['samples'], 0)));
    }

    public function testSampledMemoryHasItsPeriod(): void
    {
        $data = json_decode((string) file_get_contents(self::DUMP), true, 16, JSON_THROW_ON_ERROR);
        file_put_contents("$this->folder/sampled.json", json_encode(['sample_bytes' => 524288] + $data));
        $memory = MemoryDump::fromJsonFile("$this->folder/sampled.json")->memory;
        $run = MadeRun::ofMemory(null, 'sampled', RunMeta::fromArray([]), LiveTree::fromMemory($memory));
        $bytes = (string) gzdecode(ExportRuns::written('pprof', $run));
        self::assertStringContainsString("\x60\x80\x80\x20", $bytes, 'field 12: 524288');
    }

    public function testTheFormatsAgree(): void
    {
        $folded = ExportRuns::written('folded', self::dump());
        self::assertSame(self::BYTES, array_sum(array_map(
            static fn (string $line): int => (int) substr((string) strrchr($line, ' '), 1),
            explode("\n", rtrim($folded)),
        )));
        self::assertStringContainsString("main();f;f;f;g;[object:A\\x0AB\\x3B] 4000\n", $folded);
        self::assertStringContainsString("main();f;f;f;g 4\n", ExportRuns::written('folded', self::dump(false), 'live_blocks'));
        self::assertStringContainsString("\nsummary: 320343 48\n", ExportRuns::written('callgrind', self::dump(false)));
        $json = json_decode(ExportRuns::written('json', self::dump(false)), true, 32, JSON_THROW_ON_ERROR);
        self::assertSame([self::BYTES, self::BLOCKS], [$json['total']['live_bytes'], $json['total']['live_blocks']]);
        preg_match_all('/Self: [^(]+\(([0-9.]+) %\)/', ExportRuns::written('dot', self::dump(false)), $shares);
        self::assertLessThanOrEqual(100.5, array_sum($shares[1]), 'what was allocated before is a part of it');
        foreach ([true, false] as $types) {
            $trace = json_decode(ExportRuns::written('chrome', self::dump($types)), true, 32, JSON_THROW_ON_ERROR);
            [$name, $event] = $trace['traceEvents'];
            self::assertSame(['M', 'process_name', 'v', 4711], [$name['ph'], $name['name'], $event['ph'], $event['pid']]);
            $dumps = $event['args']['dumps'];
            self::assertSame(['zend_mm', 'malloc', 'xhprof/register'], array_keys($dumps['allocators']));
            self::assertSame('10', $dumps['allocators']['malloc']['attrs']['object_count']['value']);
            $heaps = $dumps['heaps_v2']['allocators'];
            self::assertSame([self::BYTES, self::BLOCKS], [
                array_sum(array_merge(...array_column($heaps, 'sizes'))),
                array_sum(array_merge(...array_column($heaps, 'counts'))),
            ]);
            self::assertSame([2400, [111]], [array_sum($heaps['malloc']['sizes']), $heaps['(below threshold)']['sizes']]);
            foreach ($heaps as $columns) {
                self::assertCount(1, array_unique(array_map('count', $columns)), 'columns are equally long');
            }
            $maps = $dumps['heaps_v2']['maps'];
            $strings = array_column($maps['strings'], 'string', 'id');
            self::assertCount($types ? 6 : 1, $maps['types']);
            foreach ([...$maps['nodes'], ...$maps['types']] as $entry) {
                self::assertArrayHasKey($entry['name_sid'], $strings);
            }
            self::assertSame(range(1, count($maps['nodes'])), array_column($maps['nodes'], 'id'));
        }
    }

    public function testMarksChooseWhatIsWritten(): void
    {
        ['tree' => $tree, 'memory' => $memory] = MemoryRun::data(MemoryRun::worker(), 4);
        $profile = MemoryProfile::fromArray($memory, CallTree::fromArray($tree));
        $write = static fn (?MarkRange $range): string => ExportRuns::written(
            'folded',
            MadeRun::ofMemory(null, 'a worker', RunMeta::fromArray([]), LiveTree::fromMemory($profile, true, $range)),
        );
        $line = 'main();Worker::run;Job::handle;Log::write;str_repeat;[string]';
        self::assertStringContainsString("$line 153600\n", $write(null));
        self::assertStringContainsString('(before);', $write(null));
        $between = $write(MarkRange::choose(4, 2, 4));
        self::assertStringContainsString("$line 102400\n", $between);
        self::assertStringNotContainsString('(before)', $between);
        self::assertStringNotContainsString('Pool::__construct', $between);
    }

    public function testDeepPathsEndWhereOtherFormatsDo(): void
    {
        $data = json_decode((string) file_get_contents(self::DUMP), true, 16, JSON_THROW_ON_ERROR);
        $deep = 3000;
        $data['tree'] = ['names' => ['main()', 'deep'], 'fn' => [0, ...array_fill(0, $deep, 1)], 'depth' => range(0, $deep),
            'ct' => array_fill(0, $deep + 1, 1)];
        $data['rows'] = ['node' => range(0, $deep), 'type' => array_fill(0, $deep + 1, 2), 'mark' => array_fill(0, $deep + 1, 0),
            'blocks' => array_fill(0, $deep + 1, 1), 'bytes' => array_fill(0, $deep + 1, 8)];
        file_put_contents("$this->folder/deep.json", json_encode($data));
        $live = LiveTree::fromMemory(MemoryDump::fromJsonFile("$this->folder/deep.json")->memory);
        $run = MadeRun::ofMemory(null, 'deep', RunMeta::fromArray([]), $live);
        $samples = PprofDecoder::decode(ExportRuns::written('pprof', $run))['samples'];
        self::assertSame(8 * ($deep + 1), array_sum(array_column($samples, 0)));
        $longest = max(0, ...array_map(static fn (string $stack): int => substr_count($stack, ' < ') + 1, array_keys($samples)));
        self::assertSame(PackedStacks::DEEPEST + 1, $longest);
        self::assertStringContainsString(';(deeper) 8', ExportRuns::written('folded', $run));
    }

    public function testImpossibleExportsAreRefused(): void
    {
        self::assertNull(ChangedRun::above(self::dump(), 0.1), 'memory is not cut');
        $this->expectException(CannotExport::class);
        $this->expectExceptionMessage('this run has no metric "wt", but live_bytes, live_blocks');
        ExportRuns::written('folded', self::dump(true), 'wt');
    }

    /** @return iterable<string, array{string, string}> */
    public static function damaged(): iterable
    {
        $data = json_decode((string) file_get_contents(self::DUMP), true, 16, JSON_THROW_ON_ERROR);
        $json = static fn (array $with): string => (string) json_encode(array_replace($data, $with));
        $rows = static fn (array $with): string => $json(['rows' => $with + $data['rows']]);
        yield 'cut' => [substr($json([]), 0, -9), 'Syntax error'];
        yield 'of a run' => [(string) json_encode(array_diff_key($data, ['tree' => 1])), 'it has no call tree'];
        yield 'no nodes' => [$json(['tree' => ['names' => [], 'fn' => [], 'depth' => [], 'ct' => []]]), 'has no nodes'];
        yield 'a node that is not there' => [$rows(['node' => array_fill(0, 15, 99)]), 'holds a number out of range'];
        yield 'below all' => [$rows(['node' => array_fill(0, 15, -4)]), 'values that are not integers'];
        yield 'a type that is not there' => [$rows(['type' => array_fill(0, 15, 6)]), 'holds a number out of range'];
        yield 'short' => [$rows(['bytes' => [1]]), 'wrong length'];
    }

    #[DataProvider('damaged')]
    public function testADamagedDumpIsNamed(string $json, string $error): void
    {
        $file = "$this->folder/dump.json";
        file_put_contents($file, $json);
        self::assertTrue(MemoryDump::is($file));
        $this->expectException(DamagedRun::class);
        $this->expectExceptionMessageMatches('~\A' . preg_quote($file, '~') . ': .*' . preg_quote($error, '~') . '~s');
        MemoryDump::fromJsonFile($file);
    }
}
