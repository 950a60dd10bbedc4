<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Profile\CallTree;
use XHProf\Profile\CallTreeBuilder;

/** The call paths of a selection as one tree, as of a window of one host: routes below main(). */
final class Flame extends Question
{
    private const SUMS = 'sum(samples) AS n, sum(wall_ns) AS wall, sum(cpu_ns) AS cpu';

    /** Call paths in a tree. The others are in one node. */
    private const MOST = 20000;

    private const ROOT = 'main()';
    private const REST = '(other paths)';

    /** Rows of the last tree that were left out: what a sender has made up must not hide what the others have sent. */
    private int $damaged = 0;

    public function damaged(): int
    {
        return $this->damaged;
    }

    /** @return CallTree|null null if there are no samples */
    public function tree(Selection $which, SampledClock $clock): ?CallTree
    {
        $from = "FROM {$which->table('samples')} {$which->where()}";
        $rows = $this->client->rows(
            "SELECT route, stack, " . self::SUMS . " $from GROUP BY route, stack"
                . " ORDER BY {$clock->value} DESC, route, stack LIMIT {most:UInt64}",
            $which->parameters() + ['most' => self::MOST],
        );
        $isAll = count($rows) < self::MOST;
        $rows = $this->sound($rows);
        $all = $isAll ? self::sums($rows) : $this->all($which);
        if (RowValues::int($all, 0) === 0) {
            return null;
        }

        return $this->build($rows, $all, $this->frames($which), FunctionNames::read($this->client, $which));
    }

    /** @return int|null ns of the tree's first metric, of all call paths: without the tree; null if there are no samples */
    public function time(Selection $which): ?int
    {
        $all = $this->all($which);
        [$wall, $cpu] = [RowValues::int($all, 1), RowValues::int($all, 2)];

        return RowValues::int($all, 0) === 0 ? null : ($wall > 0 ? $wall : $cpu);
    }

    /** @return list<mixed> samples, wall and CPU time */
    private function all(Selection $which): array
    {
        $from = "FROM {$which->table('samples')} {$which->where()}";

        return $this->client->rows('SELECT ' . self::SUMS . " $from", $which->parameters())[0] ?? [];
    }

    /**
     * @param list<list<mixed>> $rows route, call path, samples, wall, CPU
     *
     * @return list<array{string, int, int, int, int}> those that are so, as long as their sums are numbers
     */
    private function sound(array $rows): array
    {
        $sound = [];
        $sums = [0, 0, 0];
        foreach ($rows as $row) {
            $figures = [RowValues::figure($row, 2), RowValues::figure($row, 3), RowValues::figure($row, 4)];
            if (!is_string($row[0] ?? null) || !is_int($row[1] ?? null) || in_array(null, $figures, true)) {
                continue;
            }
            $next = array_map(static fn (int $sum, int $figure): int => RowValues::sum([$sum, $figure]), $sums, $figures);
            if (array_map(static fn (int $after, int $before): int => $after - $before, $next, $sums) === $figures) {
                $sums = $next;
                $sound[] = [$row[0], $row[1], ...$figures];
            }
        }
        $this->damaged = count($rows) - count($sound);

        return $sound;
    }

    /**
     * @param list<array{string, int, int, int, int}> $rows
     *
     * @return array{int, int, int}
     */
    private static function sums(array $rows): array
    {
        return [
            RowValues::sum(array_column($rows, 2)), RowValues::sum(array_column($rows, 3)), RowValues::sum(array_column($rows, 4)),
        ];
    }

    /** @return array<string, array<int, list<int>>> route => call path => functions */
    private function frames(Selection $which): array
    {
        $place = new Selection($which->service, route: $which->route);
        // Those of all hosts: fewer rows are read than those of one.
        $paths = $which->around();
        $rows = $this->client->rows(
            'SELECT route, stack, any(frames) FROM stacks '
                . $place->where("(route, stack) IN (SELECT route, stack FROM {$paths->table('samples')} {$paths->where()})")
                . ' GROUP BY route, stack',
            $paths->parameters(),
        );
        $frames = [];
        foreach ($rows as $row) {
            $list = is_array($row[2] ?? null) ? array_filter($row[2], is_int(...)) : [];
            $frames["\0" . RowValues::text($row, 0)][RowValues::id($row, 1)] = array_values($list);
        }

        return $frames;
    }

    /**
     * @param list<array{string, int, int, int, int}> $rows route, call path, samples, wall, CPU
     * @param list<mixed>       $all  samples, wall and CPU of all, of which the rows may be a part
     * @param array<string, array<int, list<int>>> $frames
     */
    private function build(array $rows, array $all, array $frames, FunctionNames $names): CallTree
    {
        $builder = new CallTreeBuilder();
        $root = $builder->node(CallTreeBuilder::NONE, $builder->name(self::ROOT));
        $left = [RowValues::int($all, 0), RowValues::int($all, 1), RowValues::int($all, 2)];
        $columns = [[], [], []];
        $add = static function (int $node, array $values) use (&$columns): void {
            foreach ($values as $i => $value) {
                $columns[$i][$node] = ($columns[$i][$node] ?? 0) + $value;
            }
        };
        $functions = [];
        foreach ($rows as $row) {
            [$route, $stack] = $row;
            $node = $builder->node($root, $builder->name(FunctionNames::ofRoute($route)));
            foreach ($frames["\0$route"][$stack] ?? [] as $fn) {
                $function = $functions[$fn] ?? null;
                if ($function === null) {
                    $functions[$fn] = $function = $builder->name($names->name($fn));
                    $builder->place($function, $names->place($fn));
                }
                $node = $builder->node($node, $function);
            }
            $values = [$row[2], $row[3], $row[4]];
            $add($node, $values);
            $left = [$left[0] - $values[0], $left[1] - $values[1], $left[2] - $values[2]];
        }
        if (max($left) > 0) {
            $rest = $builder->node($root, $builder->name(self::REST));
            $add($rest, array_map(static fn (int $value): int => max(0, $value), $left));
        }
        $hasCpu = RowValues::int($all, 2) > 0;

        return $builder->tree(['ct' => $columns[0]]
            + (RowValues::int($all, 1) > 0 || !$hasCpu ? ['self.wt' => $columns[1]] : [])
            + ($hasCpu ? ['self.cpu' => $columns[2]] : []));
    }
}
