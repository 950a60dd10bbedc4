<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Tests\Lib\Support\HeapProgram;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/HeapProgram.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/**
 * A heap snapshot in reli's shape, queried with the jq lines of reli's documentation of its memory profiler.
 */
final class HeapReliTest extends TestCase
{
    use TemporaryFolder;

    private const TOP = '(["%1$s", "count", "memory_usage"] | (., map(length*"="))),'
        . '(to_entries|.[:20]|.[]|[.key,.value.count,.value.memory_usage])|@tsv';

    private function take(): string
    {
        if (trim((string) shell_exec('command -v jq')) === '') {
            self::markTestSkipped('jq is not installed');
        }
        $snapshot = "$this->folder/program.heap.jsonl";
        $file = "$this->folder/memory_analyzed.json";
        HeapProgram::take($snapshot);
        $command = [PHP_BINARY, __DIR__ . '/../../bin/xhprof', 'heap', 'export', $snapshot, '-f', 'reli', '-q', '-o', $file];
        $line = 'XDG_CACHE_HOME=' . escapeshellarg($this->folder) . ' ' . implode(' ', array_map(escapeshellarg(...), $command));
        exec("$line 2>&1", $output, $code);
        self::assertSame([0, ''], [$code, implode("\n", $output)]);

        return $file;
    }

    /**
     * @return list<string> lines
     */
    private function jq(string $options, string $filter, string $file): array
    {
        exec("jq $options " . escapeshellarg($filter) . ' ' . escapeshellarg($file) . ' 2>&1', $lines, $code);
        self::assertSame(0, $code, implode("\n", \array_slice($lines, 0, 5)));

        return $lines;
    }

    public function testTheDocumentedQuestions(): void
    {
        $file = $this->take();
        $this->askForSums($file);
        $this->askForTables($file);
        $this->askForArrays($file);
        $this->askForCalls($file);
        $this->askForReferences($file);
    }

    private function askForSums(string $file): void
    {
        $summary = json_decode(implode('', $this->jq('-c', '.summary', $file)), true, 8, JSON_THROW_ON_ERROR);
        self::assertIsArray($summary);
        self::assertCount(1, $summary);
        $sums = $summary[0];
        self::assertIsArray($sums);
        self::assertSame($sums['zend_mm_heap_total'], $sums['zend_mm_chunk_total'] + $sums['zend_mm_huge_total']);
        self::assertSame($sums['zend_mm_heap_usage'], $sums['zend_mm_chunk_usage'] + $sums['zend_mm_huge_usage']);
        self::assertSame($sums['memory_get_real_usage'], $sums['zend_mm_heap_total'] + $sums['cached_chunks_size']);
        // What PHP and its extensions allocate as they like has no type: 73 KB in PHP 8.5. All else has one.
        $native = 100 * $sums['native_usage'] / ($sums['zend_mm_heap_usage'] + $sums['native_usage'] + $sums['unreachable_usage']);
        self::assertEqualsWithDelta(100, $sums['heap_memory_analyzed_percentage'] + $native, 0.1);
        self::assertGreaterThan(PHP_VERSION_ID < 80500 ? 98 : 88, $sums['heap_memory_analyzed_percentage']);
        self::assertSame('v' . PHP_MAJOR_VERSION . PHP_MINOR_VERSION, $sums['php_version']);
        self::assertGreaterThanOrEqual(
            $sums['zend_mm_heap_usage'],
            $sums['memory_get_usage'],
        );
    }

    private function askForTables(string $file): void
    {
        $types = $this->table("$file.types", $file, '.location_types_summary', sprintf(self::TOP, 'location_type'));
        self::assertArrayHasKey('ZendStringMemoryLocation', $types);
        self::assertArrayHasKey('ZendObjectMemoryLocation', $types);
        self::assertArrayHasKey('ZendOpArrayHeaderMemoryLocation', $types, 'functions, which lie in an arena');
        $classes = $this->table("$file.classes", $file, '.class_objects_summary', sprintf(self::TOP, 'class_name'));
        // 88 bytes: three properties.
        self::assertSame(['620', (string) (620 * 96)], $classes['App\\\\Item'] ?? null, implode(' ', array_keys($classes)));
    }

    /**
     * @return array<string, list<string>> name => count and bytes, checked to be in order
     */
    private function table(string $part, string $file, string $field, string $filter): array
    {
        file_put_contents($part, implode("\n", $this->jq('', $field, $file)));
        $lines = $this->jq('-r', $filter, $part);
        self::assertMatchesRegularExpression('/^=+\t=+\t=+$/', $lines[1] ?? '');
        $rows = [];
        $before = PHP_INT_MAX;
        foreach (\array_slice($lines, 2) as $line) {
            [$name, $count, $bytes] = explode("\t", $line) + ['', '', ''];
            self::assertLessThanOrEqual($before, (int) $bytes);
            $before = (int) $bytes;
            $rows[$name] = [$count, $bytes];
        }
        self::assertNotSame([], $rows);

        return $rows;
    }

    private function askForArrays(string $file): void
    {
        $found = "$file.arrays";
        file_put_contents($found, implode("\n", $this->jq(
            '',
            '. as $root | path(..|objects|select(."#type"=="ArrayHeaderContext"))| . as $path | $root|getpath($path) as $header'
            . ' | $header.array_elements as $elements | {path: $path|join("."), size: $elements."#locations"[0].size,'
            . ' count: $elements."#count", node_id:$header."#node_id"}',
            $file,
        )));
        $lines = $this->jq(
            '-rs',
            '(["size", "count", "node_id" ,"path"] | (., map(length*"="))),'
            . '(sort_by(.size) | .[-20:] | reverse | .[] | [.size, .count, .node_id, .path])|@tsv',
            $found,
        );
        $mine = preg_grep('/\t5000\t\d+\tcontext\.class_table\.app\\\\\\\\item\.static_properties\.index\./', $lines);
        self::assertNotFalse($mine);
        self::assertCount(1, $mine, implode("\n", $lines));
        // Packed: 8192 elements of 16 bytes, and the minimal hash part.
        self::assertStringStartsWith((string) (8192 * 16 + 8) . "\t", (string) reset($mine));
    }

    private function askForCalls(string $file): void
    {
        $calls = $this->jq(
            '-r',
            '(["frame_no", "function", "line"] | (., map(length*"="))),(path(.context.call_frames[]|objects) as $path'
            . ' | [$path[2], getpath($path).function_name, getpath($path).lineno])|@tsv',
            $file,
        );
        $functions = array_map(static fn (string $line): string => explode("\t", $line)[1] ?? '', \array_slice($calls, 2));
        self::assertSame(
            ['xhprof_heap_snapshot', 'App\\\\{closure}', 'App\\\\close', '<main>'],
            array_map(static fn (string $name): string => str_contains($name, '{closure') ? 'App\\\\{closure}' : $name, $functions),
        );
        $variables = json_decode(
            implode('', $this->jq('-c', '.context.call_frames."2".local_variables|{abc, xyz}', $file)),
            true,
            16,
            JSON_THROW_ON_ERROR,
        );
        self::assertIsArray($variables);
        self::assertSame(506895433343375, $variables['abc']['#value'] ?? null);
        self::assertSame('ScalarValueContext', $variables['abc']['#type'] ?? null);
        self::assertStringStartsWith('a local variable a local', $variables['xyz']['#locations'][0]['value'] ?? '');
        self::assertSame(17 * 20, $variables['xyz']['#locations'][0]['length'] ?? null);
    }

    private function askForReferences(string $file): void
    {
        $shared = implode('', $this->jq(
            '-c',
            '.context.call_frames."2".local_variables.shared|(."#node_id" // ."#reference_node_id")',
            $file,
        ));
        self::assertMatchesRegularExpression('/^\d+$/', $shared);
        $node = implode('', $this->jq('-c', "..|objects|select(.\"#node_id\"==$shared)", $file));
        $node = json_decode($node, true, 512, JSON_THROW_ON_ERROR);
        self::assertIsArray($node);
        self::assertSame('App\\Item', $node['#locations'][0]['class_name'] ?? null);
        self::assertSame(3, $node['object_properties']['number']['#value'] ?? null);
        $paths = $this->jq(
            '',
            "path(..|objects|select(.\"#reference_node_id\"==$shared or .\"#node_id\"==$shared))|join(\".\")",
            $file,
        );
        self::assertContains('"context.call_frames.2.local_variables.shared"', $paths);
        self::assertCount(1, preg_grep('/\.items\.array_elements\.3\.value"$/', $paths) ?: [], implode("\n", $paths));
        self::assertCount(1, preg_grep('/^"context\.objects_store\.\d+"$/', $paths) ?: []);
        // It may also wait for the cycle collector: that depends on the engine.
        self::assertCount(3, preg_grep('/^"context\.collector\.\d+"$/', $paths, PREG_GREP_INVERT) ?: []);
        // Every number is defined once, and every referenced one is defined.
        $numbers = $this->jq('', '[..|objects|."#node_id"|numbers]|(length, (unique|length))', $file);
        self::assertSame($numbers[0], $numbers[1]);
        $missing = $this->jq('-c', '([..|objects|."#reference_node_id"|numbers]|unique) - [..|objects|."#node_id"|numbers]', $file);
        self::assertSame(['[]'], $missing);
    }
}
