<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

use XHProf\Format\Units;
use XHProf\Profile\Metrics;
use XHProf\Report\Unit;

/**
 * Values prepared for a table: short text with a unit, the exact value for the tooltip, the share of the whole and the width
 * and heat of its bar.
 *
 * @phpstan-type Cell array{value: int|float|null, text: string, exact: string, share: string, width: float, heat: int,
 *     family: string, base: string, tone: ''|'up'|'down'|'same', main: bool}
 */
final class Cells
{
    /** Shares (of 1) from which the bar takes the next deeper colour. */
    private const HEAT_STEPS = [0.01, 0.05, 0.15, 0.35, 0.6];

    /**
     * @param int|float|null $value null shows nothing
     * @param int|float $total value of 100 %; 0 or less shows no share; counts never do
     * @param bool $bar draw the share behind the figure
     * @return Cell
     */
    public static function value(
        int|float|null $value,
        ShownMetric $metric,
        int|float $total = 0,
        bool $bar = false,
        bool $main = false,
    ): array {
        $cell = self::blank($metric, $main);
        if ($value === null) {
            return $cell;
        }
        $cell['value'] = $value;
        $cell['text'] = Units::in($value, $metric->unit);
        $cell['exact'] = self::exact($value, $metric);
        // Memory allocated and freed makes parts larger than the whole, or negative: those are no shares.
        $isPart = !Metrics::isSigned($metric->base) || ($value >= 0 && $value <= $total);
        if ($total > 0 && $isPart && $metric->unit !== 'count') {
            $cell['share'] = Units::percent($value, $total);
            $cell['exact'] .= ', ' . $cell['share'];
        }
        if ($bar && $total > 0 && $isPart && $value > 0 && $metric->unit !== 'count') {
            $share = min(1.0, $value / $total);
            $cell['width'] = round($share * 100, 2);
            $cell['heat'] = self::heat($share);
        }

        return $cell;
    }

    /**
     * A signed change from $before to $after. Growth is never shown by colour alone: sign and arrow say it too.
     *
     * @param int|float $largest change that fills the bar, 0 for no bar
     * @return Cell
     */
    public static function change(
        int|float $before,
        int|float $after,
        ShownMetric $metric,
        int|float $largest = 0,
        bool $main = false,
    ): array {
        $delta = $after - $before;
        $cell = self::blank($metric, $main);
        $cell['value'] = $delta;
        $cell['tone'] = $delta == 0 ? 'same' : ($delta > 0 ? 'up' : 'down');
        $cell['text'] = $delta == 0 ? '=' : Units::change($delta, $metric->unit);
        $cell['exact'] = Unit::fromWord($metric->unit)->changeWords($metric->fullLabel(), $before, $after);
        $cell['share'] = Units::growth($before, $after);
        if ($largest > 0) {
            $cell['width'] = round(min(1.0, abs($delta) / $largest) * 100, 2);
        }

        return $cell;
    }

    /** "46 912 µs", "1 024 bytes", "3"; "0.333" in a mean. */
    public static function exact(int|float $value, ShownMetric $metric): string
    {
        return Unit::fromWord($metric->unit)->whole($value);
    }

    /** @return int 0 to 5, for a share from 0 to 1 */
    public static function heat(float $share): int
    {
        $heat = 0;
        foreach (self::HEAT_STEPS as $step) {
            $heat += $share >= $step ? 1 : 0;
        }

        return $heat;
    }

    /** @return Cell */
    private static function blank(ShownMetric $metric, bool $main): array
    {
        return [
            'value' => null,
            'text' => '',
            'exact' => '',
            'share' => '',
            'width' => 0.0,
            'heat' => 0,
            'family' => $metric->family(),
            'base' => $metric->base,
            'tone' => '',
            'main' => $main,
        ];
    }
}
