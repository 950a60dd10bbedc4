<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Profile\CallTree;
use XHProf\Profile\Profile;
use XHProf\Profile\SampleColumns;
use XHProf\Profile\SampleCount;
use XHProf\Profile\Timeline;
use XHProf\Profile\TimelinePart;
use XHProf\Profile\TimeRange;
use XHProf\Profile\TimeSpan;

/** Ranges of the time of a run: of the calls that its timeline has kept, or of its samples. */
final class RunParts
{
    /** @var array{0: string, 1: CallTree}|null the part that was computed last: a page asks for it more than once */
    private ?array $last = null;

    /** @internal of RunStore::parts() */
    public function __construct(private readonly RunStore $store, private readonly RunFolder $folder)
    {
    }

    /**
     * @return TimeSpan|null null for a run whose times are not known
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function span(RunId $id): ?TimeSpan
    {
        if ($this->store->hasTimeline($id)) {
            return $this->folder->saved($id)?->span();
        }
        $samples = $this->store->sizes()->hasTooManySamples($id) ? null : $this->store->sampleColumns($id);

        return $samples === null ? null : new TimeSpan($samples->duration() * 1000, null);
    }

    /**
     * @return CallTree|null null for a run whose times are not known
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function tree(RunId $id, TimeRange $range): ?CallTree
    {
        $key = "$id $range->from $range->to {$this->store->version($id)}";
        if ($this->last !== null && $this->last[0] === $key) {
            return $this->last[1];
        }
        try {
            $timeline = $this->timeline($id);
            $tree = $timeline === null ? $this->samples($id, $range)?->tree() : TimelinePart::of($timeline, $range);
        } catch (InvalidProfile $e) {
            throw new DamagedRun("{$id->fileName()}: {$e->getMessage()}", 0, $e);
        }
        $this->last = $tree === null ? null : [$key, $tree];

        return $tree;
    }

    /**
     * The edges of tree().
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function profile(RunId $id, TimeRange $range): ?Profile
    {
        $tree = $this->tree($id, $range);
        if ($tree === null || $this->store->hasTimeline($id)) {
            return $tree?->toProfile();
        }
        $interval = $this->store->sampleColumns($id)?->interval;

        return $tree->toProfile()->sampled(new SampleCount($interval, array_sum($tree->ct)));
    }

    /**
     * @return SampleColumns|null null for a run that was not sampled
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function samples(RunId $id, TimeRange $range): ?SampleColumns
    {
        return $this->store->sampleColumns($id)?->part($range);
    }

    private function timeline(RunId $id): ?Timeline
    {
        $tree = $this->store->hasTimeline($id) ? $this->store->tree($id) : null;

        return $tree === null ? null : $this->store->timeline($id, $tree);
    }
}
