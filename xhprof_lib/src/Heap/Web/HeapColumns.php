<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use Closure;
use XHProf\Heap\HeapGroup;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\Columns;
use XHProf\Web\Table\ShownMetric;
use XHProf\Web\Table\TableSorting;

/**
 * The head of a table of classes: name, count, bytes, retained.
 *
 * @phpstan-import-type HeadColumn from Columns
 */
final class HeapColumns
{
    public const FIGURES = ['count', 'bytes', 'retained'];

    public const KEYS = [TableSorting::BY_NAME, ...self::FIGURES];

    /** @return Closure(HeapGroup): (int|string) the sort key of a table */
    public static function value(string $key): Closure
    {
        return static fn (HeapGroup $group): int|string => match ($key) {
            'count' => $group->count,
            'retained' => $group->retained,
            TableSorting::BY_NAME => $group->name,
            default => $group->bytes,
        };
    }

    /**
     * @param array<string, string|int|bool|null> $state parameters that name the table
     * @param string $name heading of the names
     * @param string $of prefix of ShownMetric's label: "Change of: "
     * @return list<HeadColumn>
     */
    public static function head(TableSorting $sorting, array $state, string $name, string $of = ''): array
    {
        $url = static fn (array $sort): string => Url::index($sort + $state);
        $columns = [Columns::column(TableSorting::BY_NAME, $name, $name, $sorting, $url)];
        foreach (self::FIGURES as $key) {
            $metric = ShownMetric::heap($key);
            $words = $of === '' ? $metric->fullLabel() : $of . lcfirst($metric->fullLabel());
            $label = $of === '' ? $metric->label : "$metric->label change";
            $columns[] = Columns::column($key, $label, $words, $sorting, $url);
        }

        return $columns;
    }

    /**
     * @param list<HeadColumn> $columns
     * @return list<array{key: string, label: string, selected: bool}>
     */
    public static function choices(array $columns): array
    {
        return Columns::choices([['base' => '', 'label' => '', 'title' => '', 'columns' => $columns]]);
    }
}
