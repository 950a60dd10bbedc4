<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Memory\LiveTree;
use XHProf\Memory\MemoryProfile;
use XHProf\Operation\OperationReport;
use XHProf\Profile\CallTree;
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
     * @param Profile|null          $profile in the place of its own
     * @param CallTree|null         $paths   in the place of its own: then its times are not known, which are of those
     */
    public function __construct(
        private readonly Run $of,
        private readonly array $names,
        private readonly ?Profile $profile = null,
        private readonly ?CallTree $paths = null,
    ) {
        parent::__construct($of->id, $of->path);
    }

    public function has(string $part): bool
    {
        return $this->paths === null || !in_array($part, [self::TREE, self::TIMELINE, self::SAMPLES], true)
            ? $this->of->has($part)
            : $part === self::TREE;
    }

    public function numbers(string $part): int
    {
        return $this->has($part) ? $this->of->numbers($part) : 0;
    }

    public function size(): int
    {
        return $this->of->size();
    }

    public function nodes(): int
    {
        return $this->paths?->count() ?? $this->of->nodes();
    }

    public function treeHead(): ?TreeHead
    {
        $head = $this->paths === null ? $this->of->treeHead() : TreeHead::fromArray($this->paths->toArray());

        return $head?->renamed($this->names);
    }

    public function treeNames(): array
    {
        $names = $this->paths->names ?? $this->of->treeNames();

        return array_map(fn (string $name): string => $this->names[$name] ?? $name, $names);
    }

    public function span(): ?TimeSpan
    {
        return $this->paths === null ? $this->of->span() : null;
    }

    public function live(): ?LiveTree
    {
        return $this->paths === null ? $this->of->live() : null;
    }

    public function requests(): array
    {
        return array_map(
            fn (array $one): array => ['tree' => $one['tree']->renamed($this->names)] + $one,
            $this->of->requests(),
        );
    }

    public function version(): string
    {
        return $this->of->version();
    }

    public function totals(): array
    {
        return $this->of->totals();
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

    protected function readMeta(): RunMeta
    {
        return $this->of->meta();
    }

    protected function readProfile(): Profile
    {
        return ($this->profile ?? $this->of->profile())->renamed($this->names);
    }

    protected function readCorrected(): ?Profile
    {
        return $this->paths === null ? $this->of->corrected()?->renamed($this->names) : parent::readCorrected();
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
