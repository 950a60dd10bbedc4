<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Run\Run;
use XHProf\Web\Http\Url;

/** The views of a run and the tabs that lead to them. */
final class RunViews
{
    /** Name => label of its tab, value of the parameter `view`, key that opens it. */
    public const VIEWS = [
        'functions' => ['label' => 'Functions', 'view' => null, 'key' => 't'],
        'graph' => ['label' => 'Call graph', 'view' => 'graph', 'key' => 'g'],
        'calltree' => ['label' => 'Call tree', 'view' => 'calltree', 'key' => 'p'],
        'flame' => ['label' => 'Flame graph', 'view' => 'flame', 'key' => 'f'],
        'sandwich' => ['label' => 'Sandwich', 'view' => 'sandwich', 'key' => 's'],
        'timeline' => ['label' => 'Timeline', 'view' => 'timeline', 'key' => 'l'],
        'operations' => ['label' => 'Operations', 'view' => 'operations', 'key' => 'w'],
        'memory' => ['label' => 'Memory', 'view' => 'memory', 'key' => 'm'],
        'export' => ['label' => 'Export', 'view' => 'export', 'key' => 'e'],
    ];

    /**
     * @param array<string, ?string> $shared see ViewState
     * @param key-of<self::VIEWS>|'symbol' $current
     * @return list<array{label: string, url: string, current: bool, key: string, keep: string}>
     */
    public static function tabs(ShownRun $set, array $shared, string $current): array
    {
        $tabs = [];
        foreach (self::VIEWS as $name => $view) {
            if (self::has($set, $name)) {
                $tabs[] = [
                    'label' => $view['label'],
                    'url' => Url::index($set->parameters() + ['view' => $view['view']] + $shared),
                    'current' => $name === $current,
                    'key' => $view['key'],
                    // These views' tables have orders of their own. A call path is the zoomed frame, or the selected row.
                    'keep' => in_array($current, ['memory', 'operations'], true) ? '' : 'sort dir levels root',
                ];
            }
        }

        return $tabs;
    }

    /** Whether there are samples with times (a short run may have none), or calls with times. */
    public static function hasTimeline(ShownRun $set): bool
    {
        return self::hasCallTimes($set) || ($set->run->meta()->recording->samples !== 0 && $set->whole()->has(Run::SAMPLES));
    }

    /** Whether there are calls with times. */
    public static function hasCallTimes(ShownRun $set): bool
    {
        return $set->whole()->has(Run::TIMELINE);
    }

    /** @param key-of<self::VIEWS> $view */
    private static function has(ShownRun $set, string $view): bool
    {
        return match ($view) {
            'calltree', 'flame', 'sandwich' => $set->whole()->has(Run::TREE),
            'timeline' => self::hasTimeline($set),
            'operations' => $set->whole()->has(Run::OPERATIONS),
            'memory' => $set->whole()->has(Run::MEMORY),
            default => true,
        };
    }
}
