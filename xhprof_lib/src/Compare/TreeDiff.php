<?php

declare(strict_types=1);

namespace XHProf\Compare;

use XHProf\Exception\UnknownMetric;
use XHProf\Functions\CountKind;
use XHProf\Functions\RunHead;
use XHProf\Profile\CallTree;
use XHProf\Profile\Metrics;
use XHProf\Report\Column;
use XHProf\Report\Report;
use XHProf\Report\Share;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Run\Run;

/**
 * The call paths of two sides laid over each other, those that changed most, each below its caller. Several runs of a side are
 * their mean. Names of A are those that its functions have in B. The roots of both are the same path, whatever their names.
 */
final class TreeDiff
{
    private const OWN = 'excl_';

    /** Figures of a path, of either side. */
    private const FIGURES = ['ct_a', 'ct_b', 'excl_a', 'excl_b'];

    /** @var list<int> per path its caller; -1 for the first */
    private array $parent = [];

    /** @var list<string> per path its function */
    private array $name = [];

    /** @var array<int, int> per path: 1 in A, 2 in B, 3 in both */
    private array $sides = [];

    /** @var array<string, array<int, int>> per figure and path */
    private array $figures = ['ct_a' => [], 'ct_b' => [], 'excl_a' => [], 'excl_b' => [], 'a' => [], 'b' => []];

    /** @var array<string, int> paths by caller and function */
    private array $known = [];

    private readonly string $metric;

    /** Whether the paths that changed most themselves are shown. */
    private readonly bool $isOwn;

    /**
     * @param string|null $sort a metric of both: by the change with all that a path calls; with "excl_" before it by its own
     * @param int $limit of paths, 0 for all
     *
     * @throws UnknownMetric
     */
    public function __construct(
        private readonly Run $a,
        private readonly Run $b,
        private readonly CallTree $before,
        private readonly CallTree $after,
        ?string $sort,
        private readonly int $limit,
    ) {
        $metrics = array_values(array_intersect($before->metrics(), $after->metrics()));
        $sort ??= $metrics[0] ?? '';
        $this->isOwn = str_starts_with($sort, self::OWN);
        $this->metric = $this->isOwn ? substr($sort, strlen(self::OWN)) : $sort;
        if (!in_array($this->metric, $metrics, true)) {
            $known = implode(', ', $metrics);
            throw new UnknownMetric(
                "--tree sorts by a metric that both have ($known; excl_... is a function's own), not by \"$sort\"",
            );
        }
        $this->lay($before, 'a', 1);
        $this->lay($after, 'b', 2);
        foreach (['a', 'b'] as $side) {
            $all = $this->figures["excl_$side"];
            // A path is made after its caller.
            for ($path = count($all) - 1; $path > 0; $path--) {
                $all[$this->parent[$path]] += $all[$path];
            }
            $this->figures[$side] = array_values($all);
        }
    }

    public function report(): Report
    {
        $shown = $this->shown();
        $rows = array_map($this->row(...), array_keys($shown), $shown);
        $unit = match (Metrics::of($this->metric)->treeUnit()) {
            'ns' => Unit::Nanoseconds,
            'bytes' => Unit::Bytes,
            default => Unit::Count,
        };
        $name = Metrics::of($this->metric)->short;
        $counted = CountKind::ofRuns($this->a, $this->b)->noun();
        $whole = max(abs($this->figures['a'][0] ?? 0), abs($this->figures['b'][0] ?? 0));
        $columns = [
            new Column('change', $unit, "incl $name", isChange: true, share: new Share($whole, 3, 0)),
            new Column('a', $unit, 'A', 2),
            new Column('b', $unit, 'B', 2),
            new Column('excl_change', $unit, "excl $name", 1, isChange: true),
            new Column('ct_a', Unit::Count, "$counted A", 4),
            new Column('ct_b', Unit::Count, "$counted B", 4),
            new Column('what', Unit::Mark, ''),
            new Column('name', Unit::Nested, 'call path'),
        ];
        $changed = count(array_filter(array_keys($this->parent), $this->hasChanged(...)));
        $table = new Table(
            'paths',
            $columns,
            $rows,
            'No call path changed.',
            title: 'Call paths',
            printed: array_column($columns, 'key'),
            below: Table::rest(count($rows), max($changed, count($rows)), 'call paths that changed, with their callers'),
        );

        return new Report([$table], facts: [
            'a' => $this->a->describe(),
            'b' => $this->b->describe(),
            'metric' => $this->metric,
            'unit' => Metrics::of($this->metric)->treeUnit(),
            'paths_total' => count($this->parent),
            'paths_changed' => $changed,
            'paths' => $rows,
        ], headings: [(new RunHead($this->a))->title('A  Run'), (new RunHead($this->b))->title('B  Run')]);
    }

    /** @param 'a'|'b' $side */
    private function lay(CallTree $tree, string $side, int $bit): void
    {
        $own = $tree->exclusive($this->metric);
        $open = [-1 => -1];
        foreach ($tree->fn as $node => $function) {
            $level = $tree->depth[$node];
            $name = $tree->names[$function];
            $path = $open[$level] = $this->path($open[$level - 1], $name);
            $this->sides[$path] |= $bit;
            $this->figures["ct_$side"][$path] += $tree->ct[$node];
            $this->figures["excl_$side"][$path] += $own[$node];
        }
    }

    private function path(int $caller, string $name): int
    {
        $key = $caller < 0 ? '' : "$caller $name";
        if (isset($this->known[$key])) {
            return $this->known[$key];
        }
        $path = count($this->parent);
        $this->parent[] = $caller;
        $this->name[] = $name;
        $this->sides[] = 0;
        foreach (self::FIGURES as $figure) {
            $this->figures[$figure][] = 0;
        }

        return $this->known[$key] = $path;
    }

    private function change(int $path, bool $isOwn): int
    {
        return $isOwn
            ? $this->figures['excl_b'][$path] - $this->figures['excl_a'][$path]
            : $this->figures['b'][$path] - $this->figures['a'][$path];
    }

    private function hasChanged(int $path): bool
    {
        return $this->sides[$path] !== 3 || $this->change($path, $this->isOwn) !== 0;
    }

    /** @return array<int, int> depth by path, in the order in which they are shown: of one caller the largest change first */
    private function shown(): array
    {
        $sizes = array_map(fn (int $path): int => abs($this->change($path, $this->isOwn)), array_keys($this->parent));
        $kept = [];
        foreach (CallTree::heaviest($sizes, 0) as $path) {
            if ($this->limit > 0 && (count($kept) >= $this->limit || !$this->hasChanged($path))) {
                break;
            }
            for ($at = $path; $at >= 0 && !isset($kept[$at]); $at = $this->parent[$at]) {
                $kept[$at] = $sizes[$at];
            }
        }
        $below = [];
        asort($kept);
        foreach (array_keys($kept) as $path) {
            $below[$this->parent[$path]][] = $path;
        }
        $shown = [];
        $waiting = isset($kept[0]) ? [[0, 0]] : [];
        while ($waiting !== []) {
            [$path, $depth] = array_pop($waiting);
            $shown[$path] = $depth;
            foreach ($below[$path] ?? [] as $callee) {
                $waiting[] = [$callee, $depth + 1];
            }
        }

        return $shown;
    }

    /** @return array<string, mixed> */
    private function row(int $path, int $depth): array
    {
        $row = [
            'name' => $this->name[$path],
            'depth' => $depth,
            'what' => ['', ProfileDiff::GONE, ProfileDiff::ADDED, ''][$this->sides[$path]],
            'change' => $this->change($path, false),
            'excl_change' => $this->change($path, true),
        ];
        foreach ($this->figures as $figure => $column) {
            $row[$figure] = $column[$path];
        }

        return $row;
    }
}
