<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\Metrics;
use XHProf\Report\Counted;

/**
 * The head of a function table: name, calls, then an exclusive and an inclusive column per metric.
 *
 * @phpstan-type HeadColumn array{key: string, label: string, title: string, url: string, aria: ?string, main: bool}
 * @phpstan-type HeadGroup array{base: string, label: string, title: string, columns: list<HeadColumn>}
 */
final class Columns
{
    /**
     * @param list<string> $metrics base keys, without "ct"
     * @return list<string> keys of all columns from left to right
     */
    public static function keys(array $metrics, bool $withExclusive = true): array
    {
        $keys = [Sorting::BY_NAME, 'ct'];
        foreach ($metrics as $metric) {
            array_push($keys, ...($withExclusive ? ["excl_$metric", $metric] : [$metric]));
        }

        return $keys;
    }

    /**
     * @param list<string> $metrics
     * @param callable(array{sort: string, dir: ?string}): string $url link that sorts by a column
     * @return list<HeadGroup>
     */
    public static function head(array $metrics, Sorting $sorting, callable $url, bool $withExclusive = true): array
    {
        $groups = [];
        $first = [
            Sorting::BY_NAME => ['Function', 'Name of the function'],
            'ct' => [Counted::Calls->label(), Counted::Calls->title()],
        ];
        foreach ($first as $key => [$label, $title]) {
            $groups[] = ['base' => $key, 'label' => '', 'title' => '', 'columns' => [
                self::column($key, $label, $title, $sorting, $url),
            ]];
        }
        foreach (Metric::list($metrics) as $metric) {
            $own = $metric->exclusive();
            $label = $withExclusive ? 'Incl.' : $metric->label;
            $columns = [self::column($metric->key, $label, $metric->fullLabel(), $sorting, $url)];
            if ($withExclusive) {
                array_unshift($columns, self::column($own->key, 'Excl.', $own->fullLabel(), $sorting, $url));
            }
            $groups[] = [
                'base' => $metric->base,
                'label' => $withExclusive ? $metric->label : '',
                'title' => Metrics::isCorrected($metric->base) ? ucfirst(CorrectedTimes::MEANING) : '',
                'columns' => $columns,
            ];
        }

        return $groups;
    }

    /**
     * Choices of the "sort by" list that narrow screens get instead of column heads.
     *
     * @param list<HeadGroup> $groups
     * @return list<array{key: string, label: string, selected: bool}>
     */
    public static function choices(array $groups): array
    {
        $choices = [];
        foreach ($groups as $group) {
            foreach ($group['columns'] as $column) {
                $choices[] = ['key' => $column['key'], 'label' => $column['title'], 'selected' => $column['aria'] !== null];
            }
        }

        return $choices;
    }

    /**
     * The metric whose columns stay on a narrow screen.
     *
     * @param list<string> $metrics
     */
    public static function mainBase(Sorting $sorting, array $metrics): string
    {
        $base = Metric::of($sorting->key)->base;

        return in_array($base, $metrics, true) ? $base : ($metrics[0] ?? 'ct');
    }

    /**
     * @param callable(array{sort: string, dir: ?string}): string $url
     * @return HeadColumn
     */
    public static function column(string $key, string $label, string $title, Sorting $sorting, callable $url): array
    {
        return [
            'key' => $key,
            'label' => $label,
            'title' => $title,
            'url' => $url($sorting->linkTo($key, $key === Sorting::BY_NAME)),
            'aria' => $sorting->aria($key),
            'main' => $key === $sorting->key,
        ];
    }
}
