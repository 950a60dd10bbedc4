<?php

declare(strict_types=1);

namespace XHProf\Tests\Docs;

use XHProf\Tests\Bin\CliTestCase;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/../bin/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** docs/formats.md describes every member, type and root in files that the test writes. */
final class FormatsTest extends CliTestCase
{
    private const PROGRAM = <<<'PHP'
        <?php
        function work(): array { return array_fill(0, 100, str_repeat('x', 100)); }
        $kept = [];
        $object = new ArrayObject([1]);
        xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_ALLOC | XHPROF_FLAGS_TIMELINE);
        for ($i = 0; $i < 3; $i++) {
            $kept[] = work();
            file_get_contents(__FILE__);
            xhprof_alloc_mark();
        }
        xhprof_heap_snapshot('program.heap.jsonl', ['scalars' => true]);
        xhprof_disable();
        echo xhprof_save('exact', ['mine' => 1]), "\n";
        // Until a sample has met what waits, and another one the program.
        do {
            xhprof_sample_enable(['interval' => 100, 'lines' => true]);
            usleep(20_000);
            for ($i = 0, $until = hrtime(true) + 20_000_000; hrtime(true) < $until; $i++) {
                work();
            }
            $met = implode(' ', xhprof_sample_disable());
        } while (!str_contains($met, 'usleep') || !str_contains($met, 'work'));
        echo xhprof_save('sampled'), "\n";
        PHP;

    /** Members whose own members are names of things. */
    private const MAPS = ['totals', 'unit', 'self', 'corrected', 'allocators', 'meta', 'classes', 'owners', 'types', 'routes'];

    /** @var array<string, string> heading => text below it */
    private static array $sections = [];

    public static function setUpBeforeClass(): void
    {
        $text = (string) file_get_contents(self::ROOT . '/docs/formats.md');
        foreach (preg_split('/^## /m', $text) ?: [] as $section) {
            [$heading, $below] = explode("\n", $section, 2) + [1 => ''];
            self::$sections[$heading] = str_replace("\n", ' ', $below);
        }
    }

    public function testFilesOfRuns(): void
    {
        $this->writeFiles();
        foreach (['exact' => ['memory', 'timeline'], 'sampled' => ['samples']] as $source => $own) {
            foreach (['tree', 'meta', 'operations', ...$own] as $document) {
                $this->assertDescribed($source, $document, self::heading($document));
            }
        }
    }

    /** The chapter about a document is called "The call tree: tree". */
    private static function heading(string $document): string
    {
        foreach (array_keys(self::$sections) as $heading) {
            if (str_ends_with($heading, ": $document")) {
                return $heading;
            }
        }
        self::fail("there is no chapter about $document");
    }

    public function testRowsOfLiveMemoryAddUp(): void
    {
        $this->writeFiles();
        $memory = $this->document('exact', 'memory');
        self::assertSame($memory['allocators']['zend_mm']['size'], array_sum($memory['rows']['bytes']));
    }

    public function testHeapSnapshot(): void
    {
        $this->writeFiles();
        $section = self::$sections['Heap snapshots: .heap.jsonl'];
        $bytes = 0;
        $usage = null;
        $roots = [];
        foreach (file("$this->folder/program.heap.jsonl") ?: [] as $line) {
            $row = json_decode($line, true, 16, JSON_THROW_ON_ERROR);
            self::assertIsArray($row);
            $usage ??= $row['usage'];
            $bytes += $row['b'] ?? 0;
            if (($row['t'] ?? '') === 'root') {
                $roots[] = $row['c'];
            }
            $names = array_diff(self::members($row), ['summary']);
            foreach (isset($row['end']) ? ['end'] : [...$names, ...(isset($row['t']) ? [$row['t']] : [])] as $name) {
                self::assertMatchesRegularExpression(self::named($name), $section, $line);
            }
        }
        self::assertSame($usage, $bytes);
        foreach ($roots as $root) {
            self::assertMatchesRegularExpression(self::named($root), $section);
        }
    }

    private function writeFiles(): void
    {
        self::needExtension();
        file_put_contents("$this->folder/program.php", self::PROGRAM);
        $extension = (string) realpath(self::ROOT . '/extension/modules/xhprof.so');
        $code = "chdir('$this->folder'); require 'program.php';";
        $result = $this->process([PHP_BINARY, '-n', '-d', "extension=$extension", '-r', $code]);
        self::assertSame(0, $result->exitCode, $result->err);
    }

    private function assertDescribed(string $source, string $document, string $heading): void
    {
        foreach (self::members($this->document($source, $document)) as $name) {
            self::assertMatchesRegularExpression(self::named($name), self::$sections[$heading], "$heading does not describe $name");
        }
    }

    /** @return array<mixed> */
    private function document(string $source, string $document): array
    {
        $runs = RunFiles::runs("$this->folder/runs", $source);
        self::assertCount(1, $runs, $source);

        return RunFiles::document("$this->folder/runs", $runs[0], $document) ?? self::fail("$source has no $document");
    }

    /** A name in code, alone or in an example of JSON. */
    private static function named(string $name): string
    {
        return '~`' . preg_quote($name, '~') . '`|"' . preg_quote($name, '~') . '":~';
    }

    /**
     * @param array<mixed> $data
     *
     * @return list<string> names of members, of all levels
     */
    private static function members(array $data): array
    {
        $names = [];
        foreach ($data as $name => $value) {
            if (is_string($name)) {
                $names[] = $name;
                if (is_array($value) && !in_array($name, self::MAPS, true)) {
                    array_push($names, ...self::members($value));
                }
            }
        }

        return $names;
    }
}
