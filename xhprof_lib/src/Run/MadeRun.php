<?php

declare(strict_types=1);

namespace XHProf\Run;

use XHProf\Memory\LiveTree;
use XHProf\Profile\CallTree;
use XHProf\Profile\Profile;
use XHProf\Profile\SampleColumns;
use XHProf\Profile\TraceContexts;
use XHProf\Profile\TreeHead;

/** A run that is in memory: imported, sent, kept by a window, live memory as call paths. */
final class MadeRun extends Run
{
    /** @var \Closure(): Profile */
    private readonly \Closure $made;

    /**
     * @param string                              $path what it is, for messages
     * @param CallTree|null                       $paths
     * @param Profile|\Closure(): Profile|null $profile null for the edges of the call paths
     */
    public function __construct(
        ?RunId $id,
        string $path,
        private readonly RunMeta $metadata,
        private readonly ?CallTree $paths,
        Profile|\Closure|null $profile = null,
        private readonly ?SampleColumns $log = null,
        private readonly string $version = '',
        private readonly ?LiveTree $live = null,
        private readonly ?TraceContexts $contexts = null,
    ) {
        parent::__construct($id, $path);
        $this->made = match (true) {
            $profile instanceof Profile => static fn (): Profile => $profile,
            $profile === null && $paths !== null => $paths->toProfile(...),
            $profile === null => throw new \LogicException('a run without figures'),
            default => $profile,
        };
    }

    /**
     * Live memory by call path and type.
     *
     * @param string $path what it is
     */
    public static function ofMemory(?RunId $id, string $path, RunMeta $meta, LiveTree $live): self
    {
        // Beside main() there is what was allocated before, or by other threads: all of it is the memory.
        $profile = $live->tree->toEdges(true, array_keys($live->tree->allocations))
            ->ofWhole(array_map(array_sum(...), $live->tree->allocations));

        return new self($id, $path, $meta, $live->tree, $profile, live: $live);
    }

    public function has(string $part): bool
    {
        return ($part === self::TREE && $this->paths !== null) || ($part === self::SAMPLES && $this->log !== null);
    }

    public function nodes(): int
    {
        return $this->paths?->count() ?? 0;
    }

    public function treeHead(): ?TreeHead
    {
        return $this->paths === null ? null : TreeHead::fromArray($this->paths->toArray());
    }

    public function live(): ?LiveTree
    {
        return $this->live;
    }

    public function version(): string
    {
        return $this->version;
    }

    protected function readContexts(): ?TraceContexts
    {
        return $this->contexts;
    }

    protected function readMeta(): RunMeta
    {
        return $this->metadata;
    }

    protected function readProfile(): Profile
    {
        return ($this->made)();
    }

    protected function readTree(): ?CallTree
    {
        return $this->paths;
    }

    protected function readSamples(): ?SampleColumns
    {
        return $this->log;
    }
}
