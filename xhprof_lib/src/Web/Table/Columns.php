<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

use XHProf\Functions\CountKind;
use XHProf\Functions\MetricOrder;
use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\Metrics;
use XHProf\Report\Column;
use XHProf\Report\Heading;
use XHProf\Report\Order;
use XHProf\Report\Unit;
use XHProf\Web\Http\Request;

/** Columns of a table of functions: name, calls, then an exclusive and an inclusive one per metric. Scripts sort the rows. */
final class Columns
{
    /** Key of the column of names. */
    public const BY_NAME = 'fn';

    /**
     * @param list<string> $metrics base keys, without "ct"
     * @param string $main metric whose columns phones have too
     * @param array<string, int|float> $wholes of which the metrics' figures are parts
     * @param string $noun what the rows are
     * @return list<Column>
     */
    public static function of(
        array $metrics,
        string $main,
        CountKind $counted,
        array $wholes,
        bool $withExclusive = true,
        string $noun = 'function',
    ): array {
        $columns = [self::name($noun), self::calls($counted)];
        foreach (ShownMetric::list($metrics) as $metric) {
            $weight = $metric->base === $main ? 0 : Column::PHONE;
            $whole = $wholes[$metric->base] ?? 0;
            if (!$withExclusive) {
                $columns[] = $metric->column($weight, $whole);
                continue;
            }
            $above = new Heading($metric->label, Metrics::isCorrected($metric->base) ? [ucfirst(CorrectedTimes::MEANING)] : []);
            $columns[] = $metric->exclusive()->column($weight, $whole, 'Self', $above);
            $columns[] = $metric->column($weight, $whole, 'Total', $above);
        }

        return $columns;
    }

    public static function name(string $noun = 'function'): Column
    {
        return Column::ofPage(self::BY_NAME, Unit::Symbol, ucfirst($noun), "Name of the $noun");
    }

    public static function calls(CountKind $counted): Column
    {
        return Column::ofPage('ct', Unit::Count, $counted->label(), $counted->title());
    }

    /**
     * The order that the address names.
     *
     * @param list<string> $metrics
     */
    public static function order(Request $request, array $metrics, string $usual): Order
    {
        $orders = [self::BY_NAME, ...MetricOrder::figures($metrics)];

        return Order::fromTexts($request->text('sort'), $request->text('dir'), $orders, $usual) ?? new Order($usual);
    }
}
