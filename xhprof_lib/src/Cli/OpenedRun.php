<?php

declare(strict_types=1);

namespace XHProf\Cli;

use XHProf\Format\Text;
use XHProf\Memory\MemoryProfile;
use XHProf\Operation\OperationReport;
use XHProf\Profile\CallTree;
use XHProf\Profile\Profile;
use XHProf\Report\Counted;
use XHProf\Report\Statistics;
use XHProf\Store\RunId;
use XHProf\Store\RunMeta;
use XHProf\Store\RunStore;

/** A run that was found and read, from the run folder or from another file; or the mean of several. */
final class OpenedRun
{
    /**
     * @param RunMeta    $meta of a mean that of the first run
     * @param RunId|null $id   null for a file that is not named like a run, and for a mean
     * @param string     $file path of the run's file
     * @param list<string> $parts names of the runs of a mean
     * @param Statistics|null $statistics of the runs of a mean
     * @param array<string, string> $names of functions in the files of the run => here
     */
    public function __construct(
        public readonly Profile $profile,
        public readonly RunMeta $meta,
        public readonly ?RunId $id,
        public readonly string $file,
        public readonly RunStore $store,
        public readonly array $parts = [],
        public readonly ?Statistics $statistics = null,
        private readonly array $names = [],
    ) {
    }

    /** The call tree, null if none was saved with the run. */
    public function tree(): ?CallTree
    {
        return $this->id === null ? null : $this->store->tree($this->id)?->renamed($this->names);
    }

    /** The memory profile, null if none was recorded. */
    public function memory(): ?MemoryProfile
    {
        return $this->id === null ? null : $this->store->memory($this->id)?->renamed($this->names);
    }

    /** The operations, null if none were recorded. */
    public function operations(): ?OperationReport
    {
        return $this->id === null ? null : $this->store->operations($this->id);
    }

    /**
     * The same run with its corrected times beside the raw ones and the names of its files, null if it has none.
     *
     * @throws \XHProf\Exception\XHProfException if they are damaged
     */
    public function withCorrected(): ?self
    {
        $profile = $this->id === null ? null : $this->store->withCorrected($this->profile, $this->id);

        return $profile === null
            ? null
            : new self($profile, $this->meta, $this->id, $this->file, $this->store);
    }

    /** @return list<string> names of its call tree; none if none was saved with the run */
    public function treeNames(): array
    {
        $names = $this->id === null ? [] : $this->store->treeNames($this->id);

        return array_map(fn (string $name): string => $this->names[$name] ?? $name, $names);
    }

    /**
     * @param array<string, string> $map as Profile::renamed() takes it
     *
     * @return self the same run, whose functions have these names
     */
    public function renamed(array $map): self
    {
        return $map === [] ? $this : new self(
            $this->profile->renamed($map),
            $this->meta,
            $this->id,
            $this->file,
            $this->store,
            $this->parts,
            $this->statistics?->renamed($map),
            array_map(static fn (string $name): string => $map[$name] ?? $name, $this->names) + $map,
        );
    }

    /** Meaning of its "ct"; for a mean that of the first run. */
    public function counted(): Counted
    {
        return Counted::of($this->meta);
    }

    /** "4f0c91ab (cli)", or the path of a file that is not named like a run, "mean of 3 runs"; printable. */
    public function name(): string
    {
        if ($this->parts !== []) {
            return sprintf('mean of %d runs', count($this->parts));
        }

        return $this->id === null ? Text::printable($this->file) : "{$this->id->id} ({$this->id->source})";
    }

    /** The command or URL that was profiled, '' if unknown; printable. */
    public function subject(): string
    {
        $title = $this->id === null && $this->parts === [] ? '' : $this->meta->title();

        return $title === $this->id?->source ? '' : $title;
    }

    /** @return array<string, mixed> for --json */
    public function describe(): array
    {
        if ($this->parts !== []) {
            return ['runs' => $this->parts, 'meta' => $this->meta->toArray()];
        }

        return ['id' => $this->id?->id, 'source' => $this->id?->source, 'file' => $this->file]
            + ['meta' => $this->meta->toArray()];
    }
}
