<?php

declare(strict_types=1);

namespace XHProf\Owners;

use XHProf\Operations\OperationReport;
use XHProf\Profile\CallTree;
use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\Metrics;
use XHProf\Profile\Profile;
use XHProf\Profile\TimeParts;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;
use XHProf\Run\RunMeta;

/**
 * Another run whose functions are groups: packages, plug-ins, owners. All that shows functions shows these: tables, callers and
 * callees, call paths, comparisons, means.
 */
final class GroupedRun extends Run
{
    private ?GroupedPaths $paths = null;
    private ?GroupedCalls $calls = null;

    private function __construct(public readonly Run $run, public readonly Grouping $grouping)
    {
        parent::__construct($run->id, $run->path);
    }

    /** @return Run of a mean the mean of its runs, each with its groups */
    public static function of(Run $run, Grouping $grouping): Run
    {
        if ($run instanceof MeanRun) {
            $grouped = static fn (\Closure $open): \Closure => static fn (): Run => self::of($open(), $grouping);

            return new MeanRun(array_map($grouped, $run->open), $run->weights);
        }

        return new self($run, $grouping);
    }

    /** Whether what a group takes with all it calls is exact; without call paths a group that others call back counts twice. */
    public function isExact(): bool
    {
        return $this->run->tree() !== null;
    }

    /** @return list<string> groups of the whole run, also where one of them is wanted */
    public function groups(): array
    {
        return $this->paths()?->groups() ?? $this->calls()->groups();
    }

    /** @return int how many functions take the time of a group */
    public function functions(string $group): int
    {
        return $this->paths()?->functions($group) ?? $this->calls()->functions($group);
    }

    public function timed(): Run
    {
        return $this->run->timed();
    }

    /** Of a group: what it took with all that it called. */
    public function ranges(): \Closure
    {
        return fn (string $group): array => $this->paths()?->within($group) ?? [];
    }

    /** Where a group's own time was; null where it is not known. */
    public function ownTimes(string $group): ?TimeParts
    {
        $paths = $this->paths();

        return $paths === null ? null : $this->times()->of($paths->own($group));
    }

    public function has(string $part): bool
    {
        return in_array($part, [self::TREE, self::OPERATIONS], true) && $this->run->has($part);
    }

    public function nodes(): int
    {
        return $this->run->nodes();
    }

    public function treeNames(): array
    {
        return $this->paths()->tree->names ?? [];
    }

    public function correctedMetrics(): array
    {
        return $this->run->correctedMetrics();
    }

    public function knownMetrics(): ?array
    {
        return null;
    }

    public function metas(): array
    {
        return $this->run->metas();
    }

    public function version(): string
    {
        return $this->run->version() . ' ' . $this->grouping->key();
    }

    public function name(): string
    {
        return $this->run->name();
    }

    public function title(): string
    {
        return $this->run->title();
    }

    public function describe(): array
    {
        return $this->run->describe();
    }

    protected function savedTotals(): array
    {
        return [];
    }

    protected function readMeta(): RunMeta
    {
        return $this->run->meta();
    }

    protected function readProfile(): Profile
    {
        $paths = $this->paths();
        if ($paths === null) {
            return $this->calls()->profile->sampled($this->run->profile()->samples());
        }
        $tree = $paths->tree;
        $metrics = Metrics::ordered([...$this->run->profile()->metrics(), ...array_intersect(
            ['allocated_bytes', 'live_bytes', 'allocated_blocks'],
            array_keys($tree->allocations),
        )]);
        $known = array_values(array_filter($metrics, static fn (string $metric): bool => !Metrics::isCorrected($metric)));
        $edges = $tree->toProfile($known)->sampled($this->run->profile()->samples());

        return $known === $metrics ? $edges : CorrectedTimes::join($edges, $tree) ?? $edges;
    }

    protected function readTree(): ?CallTree
    {
        return $this->paths()?->tree;
    }

    protected function readOperations(): ?OperationReport
    {
        return $this->run->operations();
    }

    private function paths(): ?GroupedPaths
    {
        $tree = $this->paths === null ? $this->run->tree() : null;
        if ($tree !== null) {
            $groups = $this->grouping->functions($tree->names, $tree->places);
            $this->paths = new GroupedPaths(
                $tree,
                $groups->groups(),
                $groups->root(),
                $this->grouping->one,
                $this->run->profile()->samples() !== null,
                $this->run->meta()->window !== null || isset($this->run->meta()->toArray()['meta']['fleet']),
            );
        }

        return $this->paths;
    }

    private function calls(): GroupedCalls
    {
        return $this->calls ??= new GroupedCalls($this->run->profile(), $this->grouping);
    }
}
