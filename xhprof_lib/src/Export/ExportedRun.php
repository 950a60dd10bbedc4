<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Exception\CannotExport;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Memory\LiveTree;
use XHProf\Profile\CallTree;
use XHProf\Profile\CodePlaces;
use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\Profile;
use XHProf\Profile\PrunedTree;
use XHProf\Profile\SampleColumns;
use XHProf\Profile\Timeline;
use XHProf\Store\RunId;
use XHProf\Store\RunMeta;
use XHProf\Store\RunStore;

/**
 * A run to be written in another format.
 */
final class ExportedRun
{
    public const NO_PATHS = 'this run has no call paths, only calls from one function to another: it cannot be exported '
        . 'as stacks';

    /** Most frames of a path in formats that repeat whole paths: deeper ones end in DEEPER, as in the dumps of the extension. */
    public const DEEPEST = 960;
    public const DEEPER = '(deeper)';

    /**
     * @param CallTree|null      $tree    null if only edges are known
     * @param SampleColumns|null $samples null for a run that counted every call
     * @param string|null        $metric  the only one wanted; null for all
     * @param Timeline|null      $timeline times of calls; null where none were recorded
     * @param LiveTree|null      $live    of live memory, which the tree then has in the place of calls
     */
    public function __construct(
        public readonly ?RunId $id,
        public readonly Profile $profile,
        public readonly ?CallTree $tree,
        public readonly RunMeta $meta,
        public readonly string $title,
        public readonly ?SampleColumns $samples = null,
        public readonly ?string $metric = null,
        public readonly ?LiveTree $live = null,
        public readonly ?Timeline $timeline = null,
    ) {
    }

    /** Live memory by call path and type. */
    public static function ofMemory(?RunId $id, LiveTree $live, RunMeta $meta, string $title, ?string $metric = null): self
    {
        $profile = $live->tree->toEdges(true, array_keys($live->tree->allocations));

        return new self($id, $profile, $live->tree, $meta, $title, null, $metric, $live);
    }

    /**
     * A run of a folder with all that it has.
     *
     * @throws DamagedRun|RunNotFound|StoreError
     */
    public static function of(RunStore $store, RunId $id, Profile $profile, RunMeta $meta, ?string $metric = null): self
    {
        $tree = $store->tree($id);
        try {
            $corrected = CorrectedTimes::join($profile, $tree);
        } catch (InvalidProfile $e) {
            throw new DamagedRun("{$id->fileName()}: {$e->getMessage()}", 0, $e);
        }
        $title = $meta->subject() === null ? (string) $id : $meta->title();

        // The call tree has the same times, without their order.
        $samples = $store->sizes()->hasTooManySamples($id) ? null : $store->sampleColumns($id);

        $timeline = $tree === null || $store->sizes()->hasTooLongTimeline($id) ? null : $store->timeline($id, $tree);

        return new self($id, $corrected ?? $profile, $tree, $meta, $title, $samples, $metric, null, $timeline);
    }

    /**
     * @param array<string, string> $map as Profile::renamed() takes it
     *
     * @return self the same run, whose functions have these names; not of live memory
     */
    public function renamed(array $map): self
    {
        $tree = $this->tree?->renamed($map);

        return new self(
            $this->id,
            $this->profile->renamed($map),
            $tree,
            $this->meta,
            $this->title,
            $this->samples?->renamed($map),
            $this->metric,
            $this->live,
            $tree === null ? null : $this->timeline?->named($tree),
        );
    }

    public function withTree(?CallTree $tree): self
    {
        return $tree === $this->tree
            ? $this
            : new self($this->id, $this->profile, $tree, $this->meta, $this->title, $this->samples, $this->metric);
    }

    /**
     * Removes the call paths below a share of the first metric, see PrunedTree. The log of samples is dropped: the pruned
     * tree replaces it.
     *
     * @throws CannotExport if there are only edges, or memory
     */
    public function above(float $share): self
    {
        if ($this->live !== null) {
            throw new CannotExport('small call paths can be left out of calls, not of live memory');
        }
        $tree = PrunedTree::above($this->paths(), $share)->tree;
        $edges = $tree->toProfile()->sampled($this->profile->samples());
        $profile = CorrectedTimes::join($edges, $tree) ?? $edges;

        return new self($this->id, $profile, $tree, $this->meta, $this->title, null, $this->metric);
    }

    /** @return array{trace_id?: string, span_id?: string} of the W3C trace context that came with the request, as far as it is known */
    public function trace(): array
    {
        return array_filter(['trace_id' => $this->meta->traceId, 'span_id' => $this->meta->spanId], is_string(...));
    }

    /** Places of the functions: beside the names of the samples, where there are any, else of the tree. */
    public function places(): CodePlaces
    {
        $isOfTree = $this->samples === null || $this->samples->names === $this->tree?->names;

        return $isOfTree ? $this->tree->places ?? CodePlaces::none() : CodePlaces::none();
    }

    /**
     * @throws CannotExport if only edges are known
     */
    public function paths(): CallTree
    {
        return $this->tree ?? throw new CannotExport(self::NO_PATHS);
    }

    /**
     * @return non-empty-list<Column> figures of the call paths that are to be written
     *
     * @throws CannotExport
     */
    public function columns(): array
    {
        $columns = Column::of($this->paths());
        if ($this->live !== null && count($columns) > 1) {
            array_pop($columns); // calls, the last: no metric of memory
        }
        if ($this->metric === null) {
            return $columns;
        }
        foreach ($columns as $column) {
            if ($column->key === $this->metric) {
                return [$column];
            }
        }
        throw $this->unknown(array_map(static fn (Column $column): string => $column->key, $columns));
    }

    /**
     * @return list<string> metrics of the edges that are to be written
     *
     * @throws CannotExport
     */
    public function metrics(): array
    {
        $metrics = $this->profile->metrics();
        if ($this->metric === null || $this->metric === 'ct') {
            return $this->metric === null ? $metrics : [];
        }

        return in_array($this->metric, $metrics, true) ? [$this->metric] : throw $this->unknown([...$metrics, 'ct']);
    }

    /** "run ID (SOURCE)", or the title where the run has no id. */
    public function name(): string
    {
        return $this->id === null ? $this->title : $this->id->id . ' (' . $this->id->source . ')';
    }

    /**
     * @param list<string> $known
     */
    private function unknown(array $known): CannotExport
    {
        return new CannotExport("this run has no metric \"$this->metric\", but " . implode(', ', $known));
    }
}
