<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Heap;

use PHPUnit\Framework\TestCase;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\HeapRows;
use XHProf\Heap\LeaksReport;
use XHProf\Tests\Lib\Support\HeapFixture;
use XHProf\Tests\Lib\Support\HeapFolder;

require_once __DIR__ . '/../Support/HeapFixture.php';
require_once __DIR__ . '/../Support/HeapFolder.php';

/** Each possible leak has a severity by its kind, bytes and share, a reason, and a next question that can be asked. */
final class LeakAdviceTest extends TestCase
{
    use HeapFolder;

    private HeapFixture $fixture;

    protected function build(): HeapIndex
    {
        return $this->open($this->fixture->text());
    }

    /** A list below a variable. */
    private function listOf(string $name, int $count, int $bytes, string $class = ''): void
    {
        $array = $this->fixture->add('array', '', 56, 56, ['n' => $count]);
        for ($i = 0; $i < $count; $i++) {
            $element = $class === '' ? $this->fixture->add('string', '', $bytes) : $this->fixture->add('object', $class, $bytes);
            $this->fixture->refer($array, $i, $element);
        }
        $this->fixture->refer($this->fixture->root('global_variables'), $name, $array);
    }

    /** @return list<array<string, mixed>> rows of all kinds */
    private function rows(string $file = 'a.heap.jsonl'): array
    {
        $report = (new LeaksReport(new HeapRows($this->build())))->report($file, 0);

        return array_merge(...array_map(static fn ($table): array => $table->rows, $report->tables));
    }

    /** @return array<string, array{int, int, string}> bytes of each of 100 strings of the list, of the rest, severity */
    public static function lists(): array
    {
        return [
            'a fifth of 10 MB' => [21_000, 80_000, 'high'],
            'less than a fifth' => [19_000, 84_000, 'medium'],
            'less than a twentieth' => [4_000, 100_000, 'low'],
            'nearly all of a small heap' => [9_000, 1_000, 'medium'],
            'nearly all of a tiny heap' => [600, 10, 'low'],
        ];
    }

    #[\PHPUnit\Framework\Attributes\DataProvider('lists')]
    public function testTheSeverityIsByShareAndBytes(int $bytes, int $rest, string $severity): void
    {
        $this->fixture = new HeapFixture();
        $this->listOf('log', 100, $bytes);
        for ($i = 0; $i < 100; $i++) { // none of them is a candidate
            $this->fixture->refer($this->fixture->root('global_variables'), "v$i", $this->fixture->add('string', '', $rest));
        }
        $rows = array_values(array_filter($this->rows(), static fn (array $row): bool => $row['path'] === "\$GLOBALS['log']"));
        self::assertSame([$severity], array_column($rows, 'severity'));
        self::assertStringContainsString(' % of the heap: a cache without a bound, or a list that only grows', $rows[0]['why']);
        $next = $rows[0]['next'];
        self::assertSame("xhprof heap retained a.heap.jsonl {$rows[0]['address']}", $next['command']);
        self::assertSame(['retained', $rows[0]['address']], [$next['question'], $next['address'] ?? null]);
    }

    public function testTheNextQuestionIsByTheKindAndByWhatIsKnown(): void
    {
        $this->fixture = new HeapFixture();
        $this->listOf('jobs', 100, 2000, "App\\Job");
        $first = $node = $this->fixture->add('object', 'App\Node', 400);
        $this->fixture->refer($this->fixture->root('global_variables'), 'chain', $first);
        for ($i = 0; $i < 200; $i++) {
            $next = $this->fixture->add('object', 'App\Node', 400);
            $this->fixture->refer($node, 'next', $next);
            $node = $next;
        }
        $rows = array_column($this->rows("it's.heap.jsonl"), null, 'of');
        $address = $rows['App\Job']['address'];
        [$address, $next] = [$rows['App\Job']['address'], $rows['App\Job']['next']];
        self::assertSame("xhprof heap retained 'it'\\''s.heap.jsonl' $address", $next['command']);
        self::assertStringContainsString('each holds the next one', $rows['App\Node']['why']);
        self::assertSame(['paths', $rows['App\Node']['address']], [
            $rows['App\Node']['next']['question'], $rows['App\Node']['next']['address'] ?? null,
        ]);
    }

    public function testWhoAllocatedIsTheNextQuestionWhereThatIsKnown(): void
    {
        $this->fixture = new HeapFixture();
        $this->fixture->path(1, 'main');
        $this->listOf('jobs', 100, 2000, "App\\Job");
        $this->listOf('log', 100, 2000);
        $this->fixture->add('unreachable', 'string?', 3000, 3000, ['p' => 1]);
        $rows = array_column($this->rows(), null, 'of');
        self::assertSame("xhprof heap top a.heap.jsonl --by=path --class='App\\Job'", $rows['App\Job']['next']['command']);
        self::assertSame('App\Job', $rows['App\Job']['next']['class']);
        self::assertStringStartsWith('xhprof heap retained a.heap.jsonl 0x', $rows['string']['next']['command']);
        self::assertSame('xhprof heap top a.heap.jsonl --by=path --type=unreachable', $rows['string?']['next']['command']);
    }
}
