<?php

declare(strict_types=1);

namespace XHProf\Operations;

use XHProf\Profile\CallTree;
use XHProf\Profile\OperationFunctions;
use XHProf\Profile\TimePart;
use XHProf\Profile\TimeSplit;
use XHProf\Profile\TreePaths;

/** What a run waited for: its operations by text, and by kind. */
final class OperationReport
{
    /** Columns that rows can be sorted by. */
    public const SORTS = ['total', 'ct', 'max', 'duplicates', 'text'];

    /** Calls from one path, per call of a function around it, from which the function repeats it. */
    private const REPEATED_FROM = 5;

    /** Kinds that cost a round trip each: one for all would do. */
    private const ROUND_TRIPS = ['sql', 'http', 'cache'];

    /** Kinds that are the engine's own work. */
    public const ENGINE = TimeSplit::ENGINE;

    private readonly TreePaths $tree;

    public function __construct(public readonly Operations $operations, CallTree|TreePaths $tree)
    {
        $this->tree = $tree instanceof CallTree ? TreePaths::ofTree($tree) : $tree;
    }

    /** @return list<string> kinds of operations that the extension records */
    public static function allKinds(): array
    {
        $isKind = static fn (TimePart $part): bool => in_array($part->value, self::ENGINE, true)
            || ($part->group() === TimePart::WAITING && $part !== TimePart::CompileWait && $part !== TimePart::Output);

        return array_column(array_filter(TimePart::cases(), $isKind), 'value');
    }

    public static function label(string $kind): string
    {
        return TimePart::tryFrom($kind)?->label() ?? $kind;
    }

    /** @return array<string, array{ct: int, total: int, texts: int}> by kind, the slowest first; ns */
    public function kinds(): array
    {
        $kinds = [];
        $texts = [];
        foreach ($this->operations->text as $row => $text) {
            $kind = $this->operations->kinds[$text];
            $texts[$kind][$this->operations->texts[$text]] = true;
            $kinds[$kind] = [
                'ct' => ($kinds[$kind]['ct'] ?? 0) + $this->operations->ct[$row],
                'total' => ($kinds[$kind]['total'] ?? 0) + $this->operations->total[$row],
                'texts' => count($texts[$kind]),
            ];
        }
        uasort($kinds, static fn (array $a, array $b): int => $b['total'] <=> $a['total']);

        return $kinds;
    }

    /**
     * The operations by the function whose node has them.
     *
     * @param list<array{int, int}>|null $ranges of nodes, each with the first behind it; null for all
     *
     * @return array<string, array<string, int>> function => kind => ns
     */
    public function ofFunctions(?array $ranges = null): array
    {
        $found = [];
        foreach ($this->operations->text as $row => $text) {
            $node = $this->operations->node[$row];
            if ($node >= 0 && ($ranges === null || self::isWithin($node, $ranges))) {
                $name = $this->tree->name($node);
                $kind = $this->operations->kinds[$text];
                $found[$name][$kind] = ($found[$name][$kind] ?? 0) + $this->operations->total[$row];
            }
        }

        return $found;
    }

    /** @param list<array{int, int}> $ranges in order, none within another */
    private static function isWithin(int $node, array $ranges): bool
    {
        for ([$low, $high] = [0, count($ranges)]; $low < $high;) {
            $middle = intdiv($low + $high, 2);
            [$low, $high] = $ranges[$middle][1] <= $node ? [$middle + 1, $high] : [$low, $middle];
        }

        return isset($ranges[$low]) && $ranges[$low][0] <= $node;
    }

    /**
     * Who waited for something outside of the program: not the engine's own work, which takes CPU time.
     *
     * @return array<string, int> ns of the operations by the function that did them
     */
    public function waits(): array
    {
        $waits = [];
        foreach ($this->operations->text as $row => $text) {
            $node = $this->operations->node[$row];
            if ($node >= 0 && !in_array($this->operations->kinds[$text], self::ENGINE, true)) {
                $name = $this->tree->name($node);
                $waits[$name] = ($waits[$name] ?? 0) + $this->operations->total[$row];
            }
        }

        return $waits;
    }

    /**
     * @param string|null $kind null for all
     * @param string    $sort       one of SORTS
     * @param int       $frames     of a path
     * @param bool|null $descending null: the largest first, texts from A
     *
     * @return list<OperationRow>
     */
    public function rows(?string $kind = null, string $sort = 'total', int $frames = 12, ?bool $descending = null): array
    {
        $grouped = [];
        foreach ($this->operations->text as $row => $text) {
            $itsKind = $this->operations->kinds[$text];
            if ($kind === null || $itsKind === $kind) {
                // A sampling has the same text at several paths; of a profile texts are distinct.
                $grouped[$itsKind . ' ' . $this->operations->texts[$text]][] = $row;
            }
        }
        $rows = array_map(fn (array $group): OperationRow => $this->row($group, $frames), array_values($grouped));
        $sign = ($descending ?? $sort !== 'text') ? -1 : 1;
        usort($rows, static fn (OperationRow $a, OperationRow $b): int => $sign * match ($sort) {
            'text' => strcmp($a->text, $b->text),
            'ct' => $a->ct <=> $b->ct,
            'max' => $a->max <=> $b->max,
            'duplicates' => $a->duplicates <=> $b->duplicates,
            default => $a->total <=> $b->total,
        } ?: $b->total <=> $a->total ?: strcmp($a->text, $b->text));

        return $rows;
    }

    /**
     * The call paths of all operations of one text, the slowest first.
     *
     * @return list<list<string>> functions from the outermost; at most $most paths
     */
    public function paths(OperationRow $of, int $most): array
    {
        $totals = [];
        foreach ($this->operations->text as $row => $text) {
            $node = $this->operations->node[$row];
            if ($node >= 0 && $this->operations->texts[$text] === $of->text && $this->operations->kinds[$text] === $of->kind) {
                $totals[$node] = ($totals[$node] ?? 0) + $this->operations->total[$row];
            }
        }
        arsort($totals);
        $paths = [];
        foreach (array_keys(array_slice($totals, 0, $most, true)) as $node) {
            $paths[] = $this->path($node);
        }

        return $paths;
    }

    /**
     * @param list<int> $nodes of the call tree
     *
     * @return list<list<string>> functions from the outermost: the paths of those that this function called, directly or not
     */
    public function pathsBelow(string $function, array $nodes): array
    {
        return array_values(array_filter(
            array_map($this->path(...), $nodes),
            static fn (array $path): bool => in_array($function, array_slice($path, 0, -1), true),
        ));
    }

    /** @return list<array{string, int}> the functions around a node, from the innermost, and their calls on this path */
    public function around(int $node): array
    {
        $around = [];
        for ($node = $this->tree->parent($node); $node >= 0; $node = $this->tree->parent($node)) {
            $around[] = [$this->tree->name($node), $this->tree->calls($node)];
        }

        return $around;
    }

    /** @return list<string> functions from the outermost */
    private function path(int $node): array
    {
        $path = [];
        for (; $node >= 0; $node = $this->tree->parent($node)) {
            $path[] = $this->tree->name($node);
        }

        return array_reverse($path);
    }

    /** @param non-empty-list<int> $group rows of one text */
    private function row(array $group, int $frames): OperationRow
    {
        $operations = $this->operations;
        $text = $operations->text[$group[0]];
        $callers = array_map(fn (int $row): OperationCaller => $this->caller($row, $frames), $group);
        usort($callers, static fn (OperationCaller $a, OperationCaller $b): int => $b->total <=> $a->total);
        $ct = array_sum(array_map(static fn (int $row): int => $operations->ct[$row], $group));
        $sampled = $operations->isSampled();

        return new OperationRow(
            kind: $operations->kinds[$text],
            text: $operations->texts[$text],
            ct: $ct,
            total: array_sum(array_map(static fn (int $row): int => $operations->total[$row], $group)),
            max: $sampled ? null : max(array_map(static fn (int $row): int => $operations->max[$row] ?? 0, $group)),
            median: $sampled ? null : $this->percentile($group, $ct, 0.5),
            p95: $sampled ? null : $this->percentile($group, $ct, 0.95),
            duplicates: $operations->distinctOfText === null ? 0 : max(0, $ct - $operations->distinctOfText[$text]),
            callers: $callers,
        );
    }

    private function caller(int $row, int $frames): OperationCaller
    {
        $path = [];
        $more = 0;
        for ($node = $this->operations->node[$row]; $node >= 0; $node = $this->tree->parent($node)) {
            if (count($path) < $frames) {
                $path[] = $this->tree->name($node);
            } else {
                $more++;
            }
        }
        $loop = $this->loop($row);

        return new OperationCaller(
            path: $path,
            more: $more,
            ct: $this->operations->ct[$row],
            total: $this->operations->total[$row],
            max: $this->operations->max[$row] ?? null,
            duplicates: max(0, $this->operations->ct[$row] - ($this->operations->distinct[$row] ?? $this->operations->ct[$row])),
            loop: $loop === null ? null : $this->tree->name($loop),
            loops: $loop === null ? 0 : $this->tree->calls($loop),
            node: $this->operations->node[$row],
        );
    }

    /** The innermost function around it that was called much less often: the loop is in it. */
    private function loop(int $row): ?int
    {
        $operations = $this->operations;
        $most = intdiv($operations->ct[$row], self::REPEATED_FROM);
        $kind = $operations->kinds[$operations->text[$row]];
        if ($operations->isSampled() || $most === 0 || !in_array($kind, self::ROUND_TRIPS, true)) {
            return null;
        }
        $node = $operations->node[$row];
        if ($node >= 0 && OperationFunctions::onlyBegins($this->tree->name($node))) {
            return null;
        }
        while ($node >= 0 && $this->tree->calls($node) > $most) {
            $node = $this->tree->parent($node);
        }

        return $node >= 0 ? $node : null;
    }

    /**
     * The middle of the bucket that holds this share of the calls, of a single call its duration.
     *
     * @param non-empty-list<int> $group
     */
    private function percentile(array $group, int $ct, float $share): int
    {
        $operations = $this->operations;
        $calls = [];
        foreach ($group as $row) {
            $buckets = $operations->buckets[$row];
            if ($buckets === []) {
                $bucket = $this->bucket($operations->total[$row]);
                $buckets = [$bucket => $operations->ct[$row]];
            }
            foreach ($buckets as $bucket => $count) {
                $calls[$bucket] = ($calls[$bucket] ?? 0) + $count;
            }
        }
        ksort($calls);
        $rank = (int) max(1, ceil($ct * $share));
        $bucket = 0;
        foreach ($calls as $bucket => $count) {
            $rank -= $count;
            if ($rank <= 0) {
                break;
            }
        }
        $max = max(array_map(static fn (int $row): int => $operations->max[$row] ?? 0, $group));
        if ($ct === 1) {
            return $max;
        }
        $least = $operations->bounds[$bucket] ?? 0;

        return min($max, intdiv($least + ($operations->bounds[$bucket + 1] ?? $least), 2));
    }

    /** The bucket of a duration. */
    private function bucket(int $ns): int
    {
        $bounds = $this->operations->bounds;
        $low = 0;
        for ($high = count($bounds) - 1; $low < $high;) {
            $middle = intdiv($low + $high + 1, 2);
            [$low, $high] = $bounds[$middle] <= $ns ? [$middle, $high] : [$low, $middle - 1];
        }

        return $low;
    }
}
