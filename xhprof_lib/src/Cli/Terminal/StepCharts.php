<?php

declare(strict_types=1);

namespace XHProf\Cli\Terminal;

use XHProf\Report\Unit;

/** Values over time as small pictures below each other, with the least and the largest of each. */
final class StepCharts
{
    /** Characters of a picture at most, and those that the rest of its line takes. */
    private const WIDEST = 72;
    private const BESIDE = 32;

    /** @param \Closure(int): array<string, array{Unit, list<int|float|null>}> $steps as of a report */
    public static function print(\Closure $steps, Screen $screen): void
    {
        $table = new Table([new Column('', Column::LEFT), new Column('', Column::LEFT), new Column('', Column::LEFT)]);
        foreach ($steps(max(10, min(self::WIDEST, $screen->width - self::BESIDE))) as $title => [$unit, $values]) {
            $known = array_filter($values, static fn (int|float|null $value): bool => $value !== null);
            $range = $known === [] ? '-' : $unit->text(min($known)) . ' to ' . $unit->text(max($known));
            $table->add([$title, $screen->sparkline($values), $range]);
        }
        foreach (array_slice($table->lines($screen), 1) as $line) {
            $screen->writeln($line);
        }
        $screen->text('');
    }
}
