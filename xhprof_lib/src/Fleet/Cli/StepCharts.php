<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;

/** Values over time as small pictures below each other, with the least and the largest of each. */
final class StepCharts
{
    /** Characters of a picture at most, and those that the rest of its line takes. */
    private const WIDEST = 72;
    private const BESIDE = 32;

    /**
     * @template T
     *
     * @param list<T> $steps
     *
     * @return list<non-empty-list<T>> as many as fit at most, each of as many steps
     */
    public static function groups(array $steps, Screen $screen): array
    {
        $most = max(10, min(self::WIDEST, $screen->width - self::BESIDE));

        return $steps === [] ? [] : array_chunk($steps, max(1, (int) ceil(count($steps) / $most)));
    }

    /**
     * @param array<string, array{string, list<int|float|null>}> $lines title => unit as of RowsView, values; null: not known
     */
    public static function print(array $lines, Screen $screen): void
    {
        $table = new Table([new Column('', Column::LEFT), new Column('', Column::LEFT), new Column('', Column::LEFT)]);
        foreach ($lines as $title => [$unit, $values]) {
            $known = array_filter($values, static fn (int|float|null $value): bool => $value !== null);
            $range = $known === [] ? '-' : RowsView::cell(min($known), $unit) . ' to ' . RowsView::cell(max($known), $unit);
            $table->add([$title, $screen->sparkline($values), $range]);
        }
        foreach (array_slice($table->lines($screen), 1) as $line) {
            $screen->writeln($line);
        }
        $screen->text('');
    }
}
