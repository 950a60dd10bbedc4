<?php

declare(strict_types=1);

namespace XHProf\Memory;

use XHProf\Format\Units;

/** Head of every memory report: the allocators, and notes on reading the report. */
final class MemorySummary
{
    /** Advice for a run without memory data. */
    public const HOW_TO_RECORD = 'record them with `xhprof run --alloc -- script.php` or XHPROF_FLAGS_ALLOC';

    private const LABELS = [
        'zend_mm' => "PHP's heap",
        'malloc' => 'Native malloc',
        'opcache' => 'Opcache',
        'xhprof/register' => 'XHProf itself',
    ];

    /** Titles of allocators()'s columns. */
    public const COLUMNS = [
        'size' => 'in use',
        'peak' => 'peak',
        'allocated' => 'allocated',
        'freed' => 'freed',
        'live' => 'live',
        'before' => 'before',
    ];

    /**
     * @return list<array{name: string, label: string, figures: array<string, int|null>}> by COLUMNS, in bytes; null: unknown
     */
    public static function allocators(MemoryProfile $memory): array
    {
        $rows = [];
        foreach ($memory->allocators as $name => $values) {
            $allocated = $values['allocated_bytes'] ?? null;
            $freed = $values['freed_bytes'] ?? null;
            $rows[] = ['name' => $name, 'label' => self::LABELS[$name] ?? $name, 'figures' => [
                'size' => $values['size'],
                // an allocator that does not know its peak reports 0
                'peak' => ($values['peak'] ?? 0) === 0 ? null : $values['peak'],
                'allocated' => $allocated,
                'freed' => $freed,
                'live' => $allocated === null || $freed === null ? null : $allocated - $freed,
                'before' => $allocated === null ? null : $values['before_bytes'] ?? null,
            ]];
        }

        return $rows;
    }

    /**
     * @return string one sentence: amounts by allocator, and the unknown part
     */
    public static function sentence(MemoryReport $report): string
    {
        $range = $report->range;
        $amount = sprintf(
            'Live: %s in %s block%s',
            Units::bytes($report->liveBytes),
            Units::count($report->liveBlocks),
            $report->liveBlocks === 1 ? '' : 's',
        );
        if ($range === null) {
            $before = $report->memory->before();

            return "$amount, allocated since the tracking began"
                . ($before === 0 ? '' : '; ' . Units::bytes($before) . ' more from before');
        }
        $each = $range->intervals() < 2
            ? ''
            : '; ' . Units::bytes(intdiv($report->liveBytes, $range->intervals())) . ' from one mark to the next';

        return "$amount, allocated {$range->words()}$each";
    }

    /**
     * @return list<string> notes for the reader
     */
    public static function notes(MemoryProfile $memory): array
    {
        $notes = [];
        if ($memory->sampleBytes > 0) {
            $notes[] = sprintf(
                'Sampled: about one allocation every %s was recorded, so these figures are estimates, small ones far off.',
                Units::bytes($memory->sampleBytes),
            );
        }
        if ($memory->droppedBlocks > 0) {
            $notes[] = sprintf(
                'Not recorded, as the register was full: %s allocation%s of %s. They count as from before; raise'
                    . ' xhprof.alloc_max_records to record them.',
                Units::count($memory->droppedBlocks),
                $memory->droppedBlocks === 1 ? '' : 's',
                Units::bytes($memory->droppedBytes),
            );
        }

        return $notes;
    }
}
