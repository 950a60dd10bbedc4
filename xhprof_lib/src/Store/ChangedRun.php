<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Memory\MemoryProfile;
use XHProf\Operation\OperationReport;
use XHProf\Profile\CallTree;
use XHProf\Profile\Metrics;
use XHProf\Profile\Profile;
use XHProf\Profile\SampleColumns;
use XHProf\Profile\Timeline;
use XHProf\Profile\TimeSpan;
use XHProf\Profile\TreeHead;

/**
 * Another run with other names of its functions, with corrected times beside the recorded ones, or with other call paths.
 *
 * @internal see Run::renamed(), Run::withCorrected() and Run::withTree()
 */
final class ChangedRun extends Run
{
    /**
     * @param array<string, string> $names   see Profile::renamed()
     * @param (\Closure(): (Profile|null))|null $profile in the place of its own
     * @param CallTree|null         $paths   in the place of its own: then its times are not known, which are of those
     */
    public function __construct(
        private readonly Run $of,
        private readonly array $names,
        private readonly ?\Closure $profile = null,
        private readonly ?CallTree $paths = null,
    ) {
        parent::__construct($of->id, $of->path);
    }

    public function has(string $part): bool
    {
        return $this->of->has($part) && ($part === self::TREE || $this->paths === null);
    }

    public function numbers(string $part): int
    {
        return $this->of->numbers($part);
    }

    public function size(): int
    {
        return $this->of->size();
    }

    public function nodes(): int
    {
        return $this->of->nodes();
    }

    public function treeHead(): ?TreeHead
    {
        return $this->of->treeHead();
    }

    public function treeNames(): array
    {
        return array_map(fn (string $name): string => $this->names[$name] ?? $name, $this->of->treeNames());
    }

    public function span(): ?TimeSpan
    {
        return $this->of->span();
    }

    public function version(): string
    {
        return $this->of->version();
    }

    public function correctedMetrics(): array
    {
        return $this->of->correctedMetrics();
    }

    public function knownMetrics(): ?array
    {
        $known = $this->of->knownMetrics();

        // With call paths of its own the profile is theirs.
        return $this->profile === null || $known === null || $this->paths !== null
            ? $known
            : Metrics::ordered([...$known, ...array_map(Metrics::corrected(...), $this->correctedMetrics())]);
    }

    public function name(): string
    {
        return $this->of->name();
    }

    public function title(): string
    {
        return $this->of->title();
    }

    public function describe(): array
    {
        return $this->of->describe();
    }

    protected function savedTotals(): array
    {
        return $this->paths === null ? $this->of->savedTotals() : [];
    }

    protected function readMeta(): RunMeta
    {
        return $this->of->meta();
    }

    protected function readProfile(): Profile
    {
        $profile = $this->profile === null ? null : ($this->profile)();

        return ($profile ?? $this->of->profile())->renamed($this->names);
    }

    protected function readTree(): ?CallTree
    {
        return ($this->paths ?? $this->of->tree())?->renamed($this->names);
    }

    protected function readSamples(): ?SampleColumns
    {
        return $this->paths === null ? $this->of->samples()?->renamed($this->names) : null;
    }

    protected function readTimeline(): ?Timeline
    {
        $tree = $this->paths === null ? $this->tree() : null;

        return $tree === null ? null : $this->of->timeline()?->named($tree);
    }

    protected function readMemory(): ?MemoryProfile
    {
        return $this->of->memory()?->renamed($this->names);
    }

    protected function readOperations(): ?OperationReport
    {
        return $this->of->operations();
    }
}
