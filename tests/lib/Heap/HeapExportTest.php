<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Heap;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\File\Sink;
use XHProf\Heap\Export\HeapFormats;
use XHProf\Heap\HeapIndex;
use XHProf\Tests\Lib\Support\HeapFixture;
use XHProf\Tests\Lib\Support\HeapFolder;
use XHProf\Tests\Lib\Support\HeapProgram;

require_once __DIR__ . '/../Support/HeapFixture.php';
require_once __DIR__ . '/../Support/HeapFolder.php';
require_once __DIR__ . '/../Support/HeapProgram.php';

/**
 * Heap snapshots in other tools' formats: a small one against golden files, from the golden lines of the extension's own test.
 * XHPROF_GOLDEN=write writes the files anew: check the difference before you commit it. HeapReliTest and the browser's
 * heapsnapshot.test.mjs read such files with other programs.
 */
final class HeapExportTest extends TestCase
{
    use HeapFolder;

    private const LINES = __DIR__ . '/../../../extension/tests/unit/golden';
    private const GOLDEN = __DIR__ . '/../golden/heap';

    private static function export(HeapIndex $index, string $format, bool $pretty = false): string
    {
        $text = '';
        $out = Sink::toText($text);
        HeapFormats::named($format, $pretty)->write($index, $out, static fn (string $what, int $done, int $of) => null);
        $out->end();

        return $text;
    }

    /** @return array<mixed> */
    private static function decode(string $text): array
    {
        $document = json_decode($text, true, 160, JSON_THROW_ON_ERROR);
        self::assertIsArray($document);

        return $document;
    }

    /** @return iterable<string, array{string, string, string, bool}> lines, golden file, format, pretty */
    public static function goldens(): iterable
    {
        foreach (['heap', 'heap.redacted'] as $name) {
            yield "$name for DevTools" => [$name, "$name.heapsnapshot", 'heapsnapshot', false];
            yield "$name for reli" => [$name, "$name.reli.json", 'reli', false];
        }
        yield 'heap for reli, indented' => ['heap', 'heap.reli-pretty.json', 'reli', true];
    }

    #[DataProvider('goldens')]
    public function testASmallHeapAgainstItsGoldenFile(string $name, string $golden, string $format, bool $pretty): void
    {
        $text = self::export($this->open((string) file_get_contents(self::LINES . "/$name.jsonl")), $format, $pretty);
        $file = self::GOLDEN . "/$golden";
        if (getenv('XHPROF_GOLDEN') === 'write') {
            file_put_contents($file, $text);
        }
        self::assertSame((string) file_get_contents($file), $text);
        $hasValues = $name === 'heap';
        foreach (['</script>', '0.25', 'Grü"'] as $value) {
            self::assertSame($hasValues, str_contains($text, $value), $value);
        }
    }

    public function testAnEmptySnapshotIsExportedWhole(): void
    {
        $index = $this->open("{\"xhprof_heap\":1}\n{\"end\":true,\"summary\":{\"nodes\":0}}\n");
        self::assertSame(3, self::decode(self::export($index, 'heapsnapshot'))['snapshot']['node_count'] ?? null);
        $reli = self::decode(self::export($index, 'reli'));
        self::assertSame([[], []], [$reli['context'], $reli['class_objects_summary']]);
    }

    /** A list of objects, each of which refers to the next, is deeper than any reader of JSON accepts. */
    public function testADeepListIsContinued(): void
    {
        $fixture = new HeapFixture();
        $from = $fixture->root('global_variables');
        for ($i = 0; $i < 5000; $i++) {
            $node = $fixture->add('object', 'Node', 56);
            $fixture->refer($from, $i === 0 ? 'list' : 'next', $node);
            $from = $node;
        }
        $index = $this->open($fixture->text());
        $text = self::export($index, 'reli');
        // Levels of brackets.
        self::assertNull(json_decode($text, true, 100));
        self::assertIsArray(json_decode($text, true, 120));
        self::assertSame(5000, substr_count($text, '"ObjectContext"'));
        self::assertStringContainsString('"continued":{', $text);
        self::assertIsArray(json_decode(self::export($index, 'heapsnapshot'), true, 8));
    }

    public function testOddNamesSizesAndReferences(): void
    {
        $fixture = new HeapFixture();
        $globals = $fixture->root('global_variables');
        $one = $fixture->add('object', '', 1 << 40, 1 << 40);
        $other = $fixture->add('unreachable', '', 1);
        foreach ([['', $one], ['x', $one], ['x', $other], ['x', $one], ['gone', 0xDEAD], ['#type', $other]] as [$name, $to]) {
            $fixture->refer($globals, $name, $to);
        }
        $fixture->refer($one, PHP_INT_MIN, $other);
        $fixture->refer($one, PHP_INT_MAX, $other);
        $fixture->refer($one, 3000000000, $other);
        $fixture->scalar($one, 'far', 'INF');
        $fixture->scalar($one, 'whole', 1.0);
        $fixture->scalar($one, 'same', 1.0);
        $index = $this->open($fixture->text());

        $text = self::export($index, 'heapsnapshot');
        $file = self::decode($text);
        self::assertStringContainsString(',4294967295,6,0,0' . "\n", $text, 'as large as the format has them');
        foreach (['-9223372036854775808', '9223372036854775807', '3000000000', 'INF', '1.0'] as $string) {
            self::assertContains($string, $file['strings']);
        }
        self::assertNotContains('gone', array_map(
            static fn (array $edge): string => $file['strings'][$edge[1]] ?? '',
            array_chunk($file['edges'], 3),
        ));
        self::assertSame(2, count(array_keys(array_column(array_chunk($file['nodes'], 7), 0), 7, true)), 'scalars that differ');

        $variables = self::decode(self::export($index, 'reli'))['context']['global_variables'];
        self::assertArrayHasKey('x#2', $variables);
        self::assertArrayHasKey('x#3', $variables);
        self::assertArrayHasKey('##type', $variables, 'what begins with # is the format\'s own');
        self::assertArrayNotHasKey('gone', $variables);
        $properties = $variables['']['object_properties'];
        self::assertSame(['INF', 1.0], [$properties['far']['#value'], $properties['whole']['value']]);
    }

    /** Nodes with weak references only have to be somewhere in DevTools, and each group of them once. */
    public function testWhatNothingKeepsIsHeldByANodeOfItsOwn(): void
    {
        $fixture = new HeapFixture();
        $named = $fixture->worker(9);
        $file = self::decode(self::export($this->open($fixture->text()), 'heapsnapshot'));
        $nodes = array_chunk($file['nodes'], 7);
        $edges = array_chunk($file['edges'], 3);
        $names = array_map(static fn (array $node): string => $file['strings'][$node[1]], $nodes);
        self::assertSame(['', '(GC roots)', '(held weakly only)'], array_slice($names, 0, 3));
        $first = $nodes[0][4] + $nodes[1][4];
        $held = array_map(
            static fn (array $edge): string => $names[$edge[2] / 7],
            array_slice($edges, $first, $nodes[2][4]),
        );
        self::assertSame(['App\Node'], $held, 'of a cycle the first; the lost block has a root of its own');
        self::assertSame(array_sum(array_column($nodes, 4)), count($edges));
        self::assertContains(($named['lost'] >> 3 & 0x7FFFFFFF) * 2 + 1, array_column($nodes, 2));
        self::assertSame(count($nodes), count(array_unique(array_column($nodes, 2))));
    }

    /** The writer keeps some hundred bytes of each node, whatever the length of its line. */
    public function testMemoryIsBounded(): void
    {
        [$few, $many] = [$this->peak(4000), $this->peak(24000)];
        foreach ($many as $format => $peak) {
            // 20 000 objects, as many strings of 2 000 bytes, two references each.
            self::assertLessThan(40000 * 250, $peak - $few[$format], $format);
        }
    }

    /** @return array<string, int> most bytes by format that writing these objects takes */
    private function peak(int $objects): array
    {
        $file = $this->snapshot("of-$objects");
        $stream = fopen($file, 'wb');
        self::assertIsResource($stream);
        fwrite($stream, '{"xhprof_heap":1}' . "\n");
        fwrite($stream, '{"a":2,"t":"root","s":0,"c":"global_variables","e":[["first",64]]}' . "\n");
        for ($i = 1; $i <= $objects; $i++) {
            [$at, $string, $next] = [$i * 64, $i * 64 + 32, $i * 64 + 64];
            $value = str_repeat("$i ", 400);
            fwrite($stream, "{\"a\":$at,\"t\":\"object\",\"s\":56,\"b\":56,\"c\":\"Node\",");
            fwrite($stream, "\"e\":[[\"text\",$string],[\"next\",$next]]}\n");
            fwrite($stream, "{\"a\":$string,\"t\":\"string\",\"s\":2024,\"b\":2048,\"n\":2000,\"v\":\"$value\"}\n");
        }
        fwrite($stream, "{\"end\":true,\"summary\":{}}\n");
        fclose($stream);
        $index = HeapIndex::open($file);
        $peaks = [];
        foreach (HeapFormats::all() as $name => $format) {
            gc_collect_cycles();
            gc_mem_caches();
            memory_reset_peak_usage();
            $before = memory_get_usage();
            $out = new Sink(static fn (string $piece) => null);
            $format->write($index, $out, static fn (string $what, int $done, int $of) => null);
            $out->end();
            self::assertGreaterThan($objects * 100, $out->bytes());
            $peaks[$name] = memory_get_peak_usage() - $before;
        }

        return $peaks;
    }

    /** A program's whole heap, by the extension: the sums of the formats are the heap's. */
    public function testAProgramsHeap(): void
    {
        HeapProgram::take($this->snapshot());
        HeapProgram::take($this->snapshot('redacted'), true);
        $index = HeapIndex::open($this->snapshot());

        $reli = json_decode(self::export($index, 'reli'), true, 512, JSON_THROW_ON_ERROR);
        self::assertSame(['summary', 'location_types_summary', 'class_objects_summary', 'context'], array_keys($reli));
        self::assertSame(620, $reli['class_objects_summary']['App\\Item']['count']);
        self::assertGreaterThanOrEqual(620, $reli['location_types_summary']['ZendObjectMemoryLocation']['count']);
        self::assertSame([...HeapFixture::ROOTS, 'continued'], array_keys($reli['context']));
        unset($reli);

        $file = self::decode(self::export($index, 'heapsnapshot'));
        ['meta' => $meta, 'node_count' => $nodes, 'edge_count' => $edges] = $file['snapshot'];
        self::assertSame([$nodes * count($meta['node_fields']), $edges * count($meta['edge_fields'])], [
            count($file['nodes']),
            count($file['edges']),
        ]);
        [$sizes, $counted, $items] = [0, 0, 0];
        for ($at = 0; $at < $nodes * 7; $at += 7) {
            $sizes += $file['nodes'][$at + 3];
            $counted += $file['nodes'][$at + 4];
            $items += (int) ($file['strings'][$file['nodes'][$at + 1]] === 'App\\Item'
                && $meta['node_types'][0][$file['nodes'][$at]] === 'object');
        }
        self::assertSame([$index->summary()['usage'], $edges, 620], [$sizes, $counted, $items]);
        unset($file);

        $redacted = HeapIndex::open($this->snapshot('redacted'));
        foreach (array_keys(HeapFormats::all()) as $format) {
            self::assertStringNotContainsString('a local variable', self::export($redacted, $format), $format);
        }
    }
}
