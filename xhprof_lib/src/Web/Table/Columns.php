<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

use XHProf\Functions\CountKind;
use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\Metrics;
use XHProf\Report\Order;
use XHProf\Web\Http\Request;

/**
 * Heads of tables: of functions name, calls, then an exclusive and an inclusive column per metric.
 *
 * @phpstan-type HeadColumn array{key: string, label: string, title: string, url: ?string, aria: ?string, main: bool}
 * @phpstan-type HeadGroup array{base: string, label: string, title: string, columns: list<HeadColumn>}
 */
final class Columns
{
    /** Key of the column of names. */
    public const BY_NAME = 'fn';

    /**
     * @param list<string> $metrics base keys, without "ct"
     * @return list<string> keys of all columns from left to right
     */
    public static function keys(array $metrics, bool $withExclusive = true): array
    {
        $keys = [self::BY_NAME, 'ct'];
        foreach ($metrics as $metric) {
            array_push($keys, ...($withExclusive ? ["excl_$metric", $metric] : [$metric]));
        }

        return $keys;
    }

    /**
     * The column that `sort` names.
     *
     * @param list<string> $keys of the table's columns
     */
    public static function sorted(Request $request, array $keys, string $default): string
    {
        return in_array($request->text('sort'), $keys, true) ? $request->text('sort') : $default;
    }

    /**
     * A head that the scripts make sortable: see assets/js/pages/functions.js and table/sort-rows.js.
     *
     * @param list<string> $metrics
     * @param string $sorted key of the column that the rows are sorted by
     * @param bool|null $descending null: figures from the largest, names from A
     * @return list<HeadGroup>
     */
    public static function head(
        array $metrics,
        string $sorted,
        CountKind $counted,
        bool $withExclusive = true,
        ?bool $descending = null,
    ): array {
        $order = new Order($sorted, $descending);
        $groups = [];
        $first = [self::BY_NAME => ['Function', 'Name of the function'], 'ct' => [$counted->label(), $counted->title()]];
        foreach ($first as $key => [$label, $title]) {
            $columns = [self::fixedColumn($key, $label, $title, $order)];
            $groups[] = ['base' => $key, 'label' => '', 'title' => '', 'columns' => $columns];
        }
        foreach (ShownMetric::list($metrics) as $metric) {
            $own = $metric->exclusive();
            $columns = [self::fixedColumn($metric->key, $withExclusive ? 'Total' : $metric->label, $metric->fullLabel(), $order)];
            if ($withExclusive) {
                array_unshift($columns, self::fixedColumn($own->key, 'Self', $own->fullLabel(), $order));
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
     * The link of a head that sorts rows, and whether they are sorted by it.
     *
     * @param callable(array{sort: string, dir: ?string}): string $url
     * @return array{url: string, aria: ?string}
     */
    public static function sortable(string $key, Order $order, bool $isWords, callable $url): array
    {
        return [
            'url' => $url(['sort' => $key, 'dir' => $order->next($key, $isWords)->dir($isWords)]),
            'aria' => $order->aria($key, $isWords),
        ];
    }

    /** @return HeadColumn without a link */
    private static function fixedColumn(string $key, string $label, string $title, Order $order): array
    {
        return [
            'key' => $key,
            'label' => $label,
            'title' => $title,
            'url' => null,
            'aria' => $order->aria($key, $key === self::BY_NAME),
            'main' => $key === $order->by,
        ];
    }
}
