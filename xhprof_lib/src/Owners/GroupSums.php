<?php

declare(strict_types=1);

namespace XHProf\Owners;

use XHProf\Functions\FlatReport;
use XHProf\Profile\CodePlaces;
use XHProf\Profile\Metrics;
use XHProf\Profile\TreeNodes;
use XHProf\Run\Run;

/**
 * Own times of the groups of many runs, by whatever the runs are told apart by: their routes, the sites of a hoster. Only the
 * columns that are needed are read, one run after the other.
 */
final class GroupSums
{
    /** The metric that is added up: the first time that a run has. */
    private ?string $metric = null;

    /** @var array<string, array<string, int>> row => group, both marked by a NUL => ns */
    private array $times = [];

    /** @var array<string, int> row, marked by a NUL => requests */
    private array $requests = [];

    /** Runs that were added, and those that have another metric, or none that is a time. */
    public int $runs = 0;
    public int $skipped = 0;

    public function __construct(private readonly Grouping $grouping)
    {
    }

    /**
     * Adds call paths whose routes stand below main(), as those of many hosts.
     *
     * @param \Closure(string): (string|null) $row of a route; null: not wanted
     */
    public function addRoutes(Run $run, \Closure $row): void
    {
        $nodes = $run->pathNodes();
        $this->metric ??= array_values(array_filter($nodes->metrics ?? [], Metrics::isTime(...)))[0] ?? null;
        if ($nodes === null || $this->metric === null) {
            return;
        }
        $rows = [];
        foreach ($nodes->names as $name) {
            $rows["\0$name"] = $row($name);
        }
        $this->runs++;
        $this->addNodes($run, $nodes, array_filter($rows, is_string(...)), null);
    }

    /**
     * @param \Closure(string): (string|null) $row of a route; null: not wanted
     *
     * @throws \XHProf\Exception\XHProfException if the run cannot be read
     */
    public function add(Run $run, \Closure $row): void
    {
        $window = $run->meta()->window;
        $nodes = $run->pathNodes();
        $metrics = $nodes->metrics ?? $run->profile()->metrics();
        $metric = $this->metric ?? (array_values(array_filter($metrics, Metrics::isTime(...)))[0] ?? null);
        if ($metric === null || !in_array($metric, $metrics, true)) {
            $this->skipped++;

            return;
        }
        $this->metric = $metric;
        $this->runs++;
        if ($window === null) {
            $name = $row($run->meta()->group());
            if ($name !== null) {
                $this->requests["\0$name"] = ($this->requests["\0$name"] ?? 0) + 1;
                $nodes === null ? $this->addProfile($run, $name) : $this->addNodes($run, $nodes, [], $name);
            }

            return;
        }
        $rows = [];
        foreach ($window->routes() as $route) {
            $name = $row($route);
            if ($name !== null) {
                $rows["\0$route"] = $name;
                $requests = $window->routeStats($route)->requests ?? 0;
                $this->requests["\0$name"] = ($this->requests["\0$name"] ?? 0) + $requests;
            }
        }
        if ($nodes !== null && $rows !== []) {
            $this->addNodes($run, $nodes, $rows, null);
        }
    }

    /** The metric of the times; null before the first run. */
    public function metric(): ?string
    {
        return $this->metric;
    }

    /**
     * @return list<array{row: string, requests: int, ns: int, groups: array<string, int>}> the heaviest first; groups, each
     *     marked by a NUL, likewise
     */
    public function rows(): array
    {
        $rows = [];
        foreach ($this->times as $name => $groups) {
            arsort($groups);
            $rows[] = [
                'row' => substr($name, 1),
                'requests' => $this->requests[$name] ?? 0,
                'ns' => array_sum($groups),
                'groups' => $groups,
            ];
        }
        usort($rows, static fn (array $a, array $b): int => [$b['ns'], $a['row']] <=> [$a['ns'], $b['row']]);

        return $rows;
    }

    /**
     * @param array<string, string> $rows  route of a window, marked by a NUL => row
     * @param string|null           $whole row of the whole run; null for a window
     */
    private function addNodes(Run $run, TreeNodes $nodes, array $rows, ?string $whole): void
    {
        $head = $run->treeHead();
        $groups = $this->grouping->functions($nodes->names, $head->places ?? CodePlaces::none());
        $byName = $groups->groups();
        $root = $groups->root();
        $metric = (string) $this->metric;
        $open = [];
        $row = $whole;
        $sums = [];
        foreach ($nodes->blocks(['fn', 'depth', $metric]) as ['fn' => $fns, 'depth' => $depths, $metric => $values]) {
            foreach ($fns as $i => $fn) {
                $depth = $depths[$i];
                $group = $byName[$fn] ?? $open[$depth - 1] ?? $root;
                if ($whole === null && $depth <= 1) {
                    // Routes stand below main(), and are no functions.
                    $group = $depth === 0 ? $group : $open[0];
                    $row = $depth === 0 ? null : $rows["\0" . $nodes->names[$fn]] ?? null;
                }
                $open[$depth] = $group;
                $value = $values[$i];
                if ($value !== 0 && $row !== null) {
                    $sums[$row][$group] = ($sums[$row][$group] ?? 0) + $value;
                }
            }
        }
        foreach ($sums as $name => $byGroup) {
            foreach ($byGroup as $group => $ns) {
                $this->times["\0$name"]["\0$group"] = ($this->times["\0$name"]["\0$group"] ?? 0) + $ns;
            }
        }
    }

    private function addProfile(Run $run, string $row): void
    {
        $grouped = GroupedRun::of($run, $this->grouping)->profile();
        foreach (FlatReport::compute($grouped, true)->rows() as $group => $figures) {
            $ns = (int) round(1000 * ($figures["excl_$this->metric"] ?? 0));
            $this->times["\0$row"]["\0$group"] = ($this->times["\0$row"]["\0$group"] ?? 0) + $ns;
        }
    }
}
