<?php

declare(strict_types=1);

namespace XHProf\Compare;

use XHProf\Format\Units;
use XHProf\Memory\LiveReport;
use XHProf\Memory\MemoryProfile;
use XHProf\Report\Column;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Run\Run;

/**
 * Who holds the memory at the end of two sides, by call path: what one side holds more, and what it allocates more. Several runs of
 * a side are their mean. Names of A are those that its functions have in B.
 *
 * @phpstan-type Row array{path: list<string>, what: string, live_a: int|float, live_b: int|float, blocks_a: int|float,
 *     blocks_b: int|float, allocated_a: int|float, allocated_b: int|float}
 */
final class MemoryDiff
{
    /** Functions of a path that are shown, the last one first. */
    private const FRAMES = 12;

    /** @var list<array-key> names of paths, the largest change first */
    private array $order;

    /** @param array<array-key, list<string>> $paths frames by the name of a path, the last function first */
    private function __construct(
        private readonly SideFigures $a,
        private readonly SideFigures $b,
        private readonly array $paths,
    ) {
        $changes = [];
        foreach (array_unique([...$a->names(), ...$b->names()], SORT_REGULAR) as $name) {
            $changes[$name] = [
                abs($b->mean($name, 'live') - $a->mean($name, 'live')),
                abs($b->mean($name, 'allocated') - $a->mean($name, 'allocated')),
            ];
        }
        uasort($changes, static fn (array $x, array $y): int => $y <=> $x);
        $this->order = array_keys($changes);
    }

    /** @return self|list<string> the sides without allocations, "A" or "B", where one has none */
    public static function between(Run $a, Run $b): self|array
    {
        $paths = [];
        $read = static function (Run $run) use (&$paths): ?array {
            $memory = $run->has(Run::MEMORY) ? $run->memory() : null;

            return $memory === null ? null : self::figures($memory, $paths);
        };
        $sides = ['A' => SideFigures::of($a, $read), 'B' => SideFigures::of($b, $read)];

        return $sides['A'] === null || $sides['B'] === null
            ? array_keys(array_filter($sides, is_null(...)))
            : new self($sides['A'], $sides['B'], $paths);
    }

    /** Message for sides that have none. */
    public static function missing(string ...$sides): string
    {
        return 'no allocations of ' . implode(' and ', $sides) . ': ' . LiveReport::HOW_TO_RECORD;
    }

    public function sentence(): string
    {
        $figures = [];
        foreach (['live' => 'Live at the end', 'allocated' => 'allocated'] as $figure => $words) {
            [$a, $b] = [$this->a->total($figure), $this->b->total($figure)];
            $growth = Units::growth($a, $b);
            $both = Units::bytes($a) . ' before, ' . Units::bytes($b) . ' after';
            $figures[] = "$words: $both" . ($growth === '' ? '' : " ($growth)");
        }

        return implode('; ', $figures) . '.';
    }

    /** @param int $limit of rows, 0 for all */
    public function table(int $limit = 0): Table
    {
        $names = $limit === 0 ? $this->order : array_slice($this->order, 0, $limit);
        $pair = static fn (string $figure): \Closure
            => static fn (array $row): array => [$row["{$figure}_a"], $row["{$figure}_b"]];
        $change = static fn (string $figure, Unit $unit, int $weight, string $help): Column => new Column(
            $figure,
            $unit,
            $figure,
            $weight,
            ucfirst($figure),
            $help,
            inJson: false,
            isChange: true,
            value: $pair($figure),
        );
        $columns = [
            new Column('path', Unit::Path, 'call path'),
            new Column('what', Unit::Mark, ''),
            $change('live', Unit::Bytes, 0, 'Change of what is still allocated at the end'),
            new Column('live_a', Unit::Bytes, 'A', 1, 'Live A', sort: null),
            new Column('live_b', Unit::Bytes, 'B', 1, 'Live B', sort: null),
            $change('blocks', Unit::Count, 4, 'Change of the number of live blocks'),
            $change('allocated', Unit::Bytes, 2, 'Change of all that was allocated, freed or not'),
            new Column('allocated_a', Unit::Bytes, 'alloc A', 5, 'Allocated A', sort: null),
            new Column('allocated_b', Unit::Bytes, 'alloc B', 5, 'Allocated B', sort: null),
        ];

        return new Table(
            'memory',
            $columns,
            array_map($this->row(...), $names),
            'Neither side holds memory.',
            title: 'Memory by call path',
            caption: 'Memory that call paths hold in both sides, the largest change first',
            printed: ['live', 'live_a', 'live_b', 'blocks', 'allocated', 'what', 'path'],
            below: Table::rest(count($names), count($this->order), 'call paths'),
        );
    }

    /** @return Row */
    private function row(string|int $name): array
    {
        return [
            'path' => $this->paths[$name] ?? [],
            'what' => match (true) {
                !$this->a->has($name) => ProfileDiff::ADDED,
                !$this->b->has($name) => ProfileDiff::GONE,
                default => '',
            },
            'live_a' => $this->a->mean($name, 'live'),
            'live_b' => $this->b->mean($name, 'live'),
            'blocks_a' => $this->a->mean($name, 'blocks'),
            'blocks_b' => $this->b->mean($name, 'blocks'),
            'allocated_a' => $this->a->mean($name, 'allocated'),
            'allocated_b' => $this->b->mean($name, 'allocated'),
        ];
    }

    /**
     * @param array<array-key, list<string>> $paths gets those of this memory
     *
     * @return array<array-key, array{live: int, blocks: int, allocated: int}> by path
     */
    private static function figures(MemoryProfile $memory, array &$paths): array
    {
        $tree = $memory->tree;
        $allocated = $tree->allocations['allocated_bytes'] ?? [];
        $found = [];
        foreach ($memory->node as $row => $node) {
            $found[$node] ??= [0, 0];
            $found[$node][0] += $memory->bytes[$row];
            $found[$node][1] += $memory->blocks[$row];
        }
        $figures = [];
        $add = static function (string $key, int $live, int $blocks, int $bytes) use (&$figures): void {
            $old = $figures[$key] ?? ['live' => 0, 'blocks' => 0, 'allocated' => 0];
            $figures[$key] = [
                'live' => $old['live'] + $live,
                'blocks' => $old['blocks'] + $blocks,
                'allocated' => $old['allocated'] + $bytes,
            ];
        };
        /** @var array<int, string> $names of the open functions and @var array<int, string> $keys of their paths, by depth */
        [$names, $keys] = [[], []];
        foreach ($tree->depth as $node => $depth) {
            $names[$depth] = $tree->names[$tree->fn[$node]];
            $keys[$depth] = hash('xxh128', ($keys[$depth - 1] ?? '') . $names[$depth], true);
            [$live, $blocks] = $found[$node] ?? [0, 0];
            if ($live !== 0 || $blocks !== 0 || ($allocated[$node] ?? 0) !== 0) {
                $key = bin2hex($keys[$depth]);
                $add($key, $live, $blocks, $allocated[$node] ?? 0);
                $frames = array_slice($names, 0, $depth + 1);
                $paths[$key] ??= array_reverse(array_slice($frames, -self::FRAMES));
            }
        }
        foreach (MemoryProfile::NAMES as $node => $name) {
            if (isset($found[$node])) {
                $add("node $node", $found[$node][0], $found[$node][1], 0);
                $paths["node $node"] = [$name];
            }
        }

        return $figures;
    }
}
