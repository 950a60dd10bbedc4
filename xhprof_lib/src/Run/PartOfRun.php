<?php

declare(strict_types=1);

namespace XHProf\Run;

use XHProf\Exception\InvalidProfile;
use XHProf\Exception\NotOfMean;
use XHProf\Profile\CallTree;
use XHProf\Profile\Profile;
use XHProf\Profile\SampleColumns;
use XHProf\Profile\SampleCount;
use XHProf\Profile\TimeRange;
use XHProf\Profile\TimelinePart;
use XHProf\Profile\TreeHead;

/** A range of the time of a run: calls that its timeline has kept, or samples. */
final class PartOfRun extends Run
{
    /** @throws NotOfMean for a mean */
    public function __construct(public readonly Run $whole, public readonly TimeRange $range)
    {
        if ($whole instanceof MeanRun) {
            throw new NotOfMean('A range of time (x0, x1) is of one run, not of the mean of several');
        }
        parent::__construct($whole->id, $whole->path);
    }

    public function has(string $part): bool
    {
        $hasSamples = $this->whole->has(self::SAMPLES);

        return $part === self::TREE ? $hasSamples || $this->whole->has(self::TIMELINE) : $part === self::SAMPLES && $hasSamples;
    }

    public function numbers(string $part): int
    {
        return $this->whole->numbers($part);
    }

    public function treeHead(): ?TreeHead
    {
        return $this->whole->treeHead();
    }

    public function treeNames(): array
    {
        return $this->whole->treeNames();
    }

    public function correctedMetrics(): array
    {
        return [];
    }

    public function version(): string
    {
        return "{$this->whole->version()} {$this->range->from} {$this->range->to}";
    }

    protected function savedTotals(): array
    {
        return [];
    }

    protected function readMeta(): RunMeta
    {
        return $this->whole->meta();
    }

    protected function readProfile(): Profile
    {
        $tree = $this->tree() ?? throw new InvalidProfile('the times of its calls are not known');
        $profile = $tree->toProfile();

        return $this->whole->has(self::TIMELINE)
            ? $profile
            : $profile->sampled(new SampleCount($this->whole->samples()?->interval, array_sum($tree->ct)));
    }

    protected function readTree(): ?CallTree
    {
        $timeline = $this->whole->has(self::TIMELINE) ? $this->whole->timeline() : null;

        return $timeline === null ? $this->samples()?->tree() : TimelinePart::callTree($timeline, $this->range);
    }

    protected function readSamples(): ?SampleColumns
    {
        return $this->whole->samples()?->part($this->range);
    }
}
