<?php

declare(strict_types=1);

namespace XHProf\Memory;

use XHProf\Report\Column;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/** Which job of a worker keeps memory, between two marks: each job's spans, what they left, and whether that goes on. */
final class JobsReport
{
    public function __construct(private readonly MemoryProfile $memory, private readonly MarkRange $range)
    {
    }

    /** @return Table|null null where no job has ended with a mark */
    public function table(): ?Table
    {
        $rows = $this->rows();
        $perSpan = static fn (array $row): ?int
            => $row['growth_bytes'] === null ? null : intdiv($row['growth_bytes'], $row['spans']);

        return $rows === [] ? null : new Table(
            'jobs',
            [
                new Column('job', Unit::Name, 'job', help: 'Name of the spans'),
                new Column('spans', Unit::Count, 'spans', 2, help: 'Spans that have ended between these marks'),
                new Column('live_bytes', Unit::Bytes, 'kept', 3, help: 'Bytes that they allocated and that are still alive'),
                new Column('growth_bytes', Unit::Bytes, 'growth', 1, help: "Growth of PHP's heap from the mark before to theirs"),
                new Column('per_span', Unit::Bytes, 'per span', help: 'Growth per span', inJson: false, value: $perSpan),
                new Column('trend', Unit::Text, 'trend', help: 'Whether the heap still grows with its last spans'),
            ],
            $rows,
            '',
            title: 'Jobs',
            caption: 'Jobs that have ended with marks, and the memory that they keep',
            printed: ['growth_bytes', 'per_span', 'live_bytes', 'spans', 'trend', 'job'],
            lead: 'Jobs, by what they keep:',
        );
    }

    /** What the words of the trend mean; '' without jobs. */
    public static function words(): string
    {
        return 'Trend: a leak grows until the last spans; what has stopped was a cache that is full, or loaded at first.';
    }

    /**
     * The job that grows most until its last spans, and the node of the call tree that holds most of what its spans have left.
     *
     * @return array{job: string, spans: int, growth: int, node: int, bytes: int}|null
     */
    public function growing(): ?array
    {
        $row = $this->rows()[0] ?? null;
        $jobs = $this->memory->jobs;
        if ($jobs === null || $row === null || $row['trend'] !== JobTrend::Grows->value) {
            return null;
        }
        $bytes = [];
        foreach ($this->memory->mark as $number => $mark) {
            $node = $this->memory->node[$number];
            $job = $node >= 0 && $this->range->has($mark) ? $jobs->of($mark + 1) : null;
            if ($job !== null && $jobs->names[$job] === $row['job']) {
                $bytes[$node] = ($bytes[$node] ?? 0) + $this->memory->bytes[$number];
            }
        }
        arsort($bytes);
        $node = array_key_first($bytes);

        return $node === null ? null : [
            'job' => $row['job'], 'spans' => $row['spans'], 'growth' => (int) $row['growth_bytes'],
            'node' => $node, 'bytes' => $bytes[$node],
        ];
    }

    /**
     * @return list<array{job: string, spans: int, live_bytes: int, growth_bytes: int|null, trend: string, windows: list<int>}>
     *     those that grow first, then by growth
     */
    private function rows(): array
    {
        $jobs = $this->memory->jobs;
        if ($jobs === null) {
            return [];
        }
        $spans = $growth = [];
        for ($mark = $this->range->after + 1; $mark <= min($this->range->before, $this->memory->marks); $mark++) {
            $job = $jobs->of($mark);
            if ($job !== null) {
                $spans[$job] = ($spans[$job] ?? 0) + 1;
                $bytes = $jobs->growth($mark);
                if ($bytes !== null) {
                    $growth[$job][] = $bytes;
                }
            }
        }
        $live = $this->live($jobs);
        $rows = [];
        foreach ($spans as $job => $count) {
            $ofJob = $growth[$job] ?? [];
            $rows[] = [
                'job' => $jobs->names[$job],
                'spans' => $count,
                'live_bytes' => $live[$job] ?? 0,
                'growth_bytes' => $ofJob === [] ? null : array_sum($ofJob),
                'trend' => JobTrend::of($ofJob)->value,
                'windows' => array_map(static fn (float $bytes): int => (int) round($bytes), JobTrend::windows($ofJob)),
            ];
        }
        $grows = JobTrend::Grows->value;
        usort($rows, static fn (array $a, array $b): int => [$b['trend'] === $grows, $b['growth_bytes'], $a['job']]
            <=> [$a['trend'] === $grows, $a['growth_bytes'], $b['job']]);

        return $rows;
    }

    /** @return array<int, int> bytes by job that are still alive: a block belongs to the job that ended with the next mark */
    private function live(MarkedJobs $jobs): array
    {
        $live = [];
        foreach ($this->memory->mark as $row => $mark) {
            if ($this->memory->node[$row] !== MemoryProfile::BEFORE && $this->range->has($mark)) {
                $job = $jobs->of($mark + 1);
                if ($job !== null) {
                    $live[$job] = ($live[$job] ?? 0) + $this->memory->bytes[$row];
                }
            }
        }

        return $live;
    }
}
