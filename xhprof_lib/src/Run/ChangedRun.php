<?php

declare(strict_types=1);

namespace XHProf\Run;

use XHProf\Memory\LiveTree;
use XHProf\Memory\MemoryProfile;
use XHProf\Operations\OperationReport;
use XHProf\Profile\CallTree;
use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\Metrics;
use XHProf\Profile\Profile;
use XHProf\Profile\PrunedTree;
use XHProf\Profile\SampleColumns;
use XHProf\Profile\TimeSpan;
use XHProf\Profile\Timeline;
use XHProf\Profile\TraceContexts;
use XHProf\Profile\TreeHead;
use XHProf\Profile\TreeNodes;

/**
 * Another run with other names of its functions, with corrected times beside the recorded ones, or with other call paths.
 */
final class ChangedRun extends Run
{
    /**
     * @param array<string, string> $names   see Profile::renamed()
     * @param (\Closure(): (Profile|null))|null $profile in the place of its own
     * @param CallTree|null         $paths   in the place of its own: then its times are not known, which are of those
     */
    private function __construct(
        private readonly Run $run,
        private readonly array $names,
        private readonly ?\Closure $profile = null,
        private readonly ?CallTree $paths = null,
    ) {
        parent::__construct($run->id, $run->path);
    }

    /**
     * @param array<string, string> $names of functions => as they are to be shown; see Profile::renamed()
     *
     * @return Run the same run, whose functions have these names
     */
    public static function renamed(Run $run, array $names): Run
    {
        return $names === [] ? $run : new self($run, $names);
    }

    /**
     * @return Run|null the same run, whose profile has corrected times beside the recorded ones; null if it has none. A mean has
     *     them if all of its runs do
     */
    public static function corrected(Run $run): ?Run
    {
        if ($run instanceof MeanRun) {
            $corrected = static fn (\Closure $open): \Closure => static fn (): Run => self::corrected($open()) ?? $open();

            return new MeanRun(array_map($corrected, $run->open), $run->weights);
        }

        if ($run instanceof self && $run->profile === null && $run->paths === null) {
            $corrected = self::corrected($run->run);

            return $corrected === null ? null : new self($corrected, $run->names);
        }

        return $run->correctedMetrics() === []
            ? null
            : new self($run, [], static fn (): ?Profile => CorrectedTimes::join($run->profile(), $run->tree()));
    }

    /** @return Run the same run with these call paths, which are fewer; the profile stays */
    public static function withTree(Run $run, CallTree $tree): Run
    {
        return $tree === $run->tree() ? $run : new self($run, [], $run->profile(...), $tree);
    }

    /** @return Run|null the same run without call paths below a share of its first metric; null if it has none, or of live memory */
    public static function above(Run $run, float $share): ?Run
    {
        $tree = $run->tree() === null || $run->live() !== null ? null : PrunedTree::above($run->tree(), $share)->tree;
        $edges = $tree?->toProfile()->sampled($run->profile()->samples());

        return $tree === null || $edges === null
            ? null
            : new self($run, [], static fn (): Profile => CorrectedTimes::join($edges, $tree) ?? $edges, $tree);
    }

    public function has(string $part): bool
    {
        return $this->paths === null || !in_array($part, [self::TREE, self::TIMELINE, self::SAMPLES], true)
            ? $this->run->has($part)
            : $part === self::TREE;
    }

    public function numbers(string $part): int
    {
        return $this->has($part) ? $this->run->numbers($part) : 0;
    }

    public function nodes(): int
    {
        return $this->paths?->count() ?? $this->run->nodes();
    }

    public function treeHead(): ?TreeHead
    {
        $head = $this->paths === null ? $this->run->treeHead() : TreeHead::fromArray($this->paths->toArray());

        return $head?->renamed($this->names);
    }

    public function treeNames(): array
    {
        $names = $this->paths->names ?? $this->run->treeNames();

        return array_map(fn (string $name): string => $this->names[$name] ?? $name, $names);
    }

    public function span(): ?TimeSpan
    {
        return $this->paths === null ? $this->run->span() : null;
    }

    public function live(): ?LiveTree
    {
        return $this->paths === null ? $this->run->live() : null;
    }

    public function requests(): array
    {
        return array_map(
            fn (array $one): array => ['tree' => $one['tree']->renamed($this->names)] + $one,
            $this->run->requests(),
        );
    }

    public function metas(): array
    {
        return $this->run->metas();
    }

    public function version(): string
    {
        return $this->run->version();
    }

    public function correctedMetrics(): array
    {
        return $this->run->correctedMetrics();
    }

    public function knownMetrics(): ?array
    {
        $known = $this->run->knownMetrics();

        // With call paths of its own the profile is theirs.
        return $this->profile === null || $known === null || $this->paths !== null
            ? $known
            : Metrics::ordered([...$known, ...array_map(Metrics::corrected(...), $this->correctedMetrics())]);
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

    public function timed(): Run
    {
        $timed = $this->run->timed();

        return $timed === $this->run ? $this : $timed;
    }

    public function pathNodes(): ?TreeNodes
    {
        return $this->paths === null ? $this->run->pathNodes()?->renamed($this->names) : parent::pathNodes();
    }

    public function operationsOfFunctions(?array $ranges = null): ?array
    {
        // Nodes of other call paths have other numbers.
        $found = $this->paths === null || $ranges === null ? $this->run->operationsOfFunctions($ranges) : null;
        $renamed = [];
        foreach ($found ?? [] as $name => $kinds) {
            $renamed[$this->names[$name] ?? $name] = $kinds;
        }

        return $found === null ? null : $renamed;
    }

    protected function savedTotals(): array
    {
        return $this->paths === null ? $this->run->savedTotals() : [];
    }

    protected function readMeta(): RunMeta
    {
        return $this->run->meta();
    }

    protected function readProfile(): Profile
    {
        $profile = $this->profile === null ? null : ($this->profile)();

        return ($profile ?? $this->run->profile())->renamed($this->names);
    }

    protected function readTree(): ?CallTree
    {
        return ($this->paths ?? $this->run->tree())?->renamed($this->names);
    }

    protected function readSamples(): ?SampleColumns
    {
        return $this->paths === null ? $this->run->samples()?->renamed($this->names) : null;
    }

    protected function readTimeline(): ?Timeline
    {
        $tree = $this->paths === null ? $this->tree() : null;

        return $tree === null ? null : $this->run->timeline()?->named($tree);
    }

    protected function readMemory(): ?MemoryProfile
    {
        return $this->run->memory()?->renamed($this->names);
    }

    protected function readContexts(): ?TraceContexts
    {
        return $this->paths === null ? $this->run->contexts() : null;
    }

    protected function readOperations(): ?OperationReport
    {
        return $this->run->operations();
    }
}
