<?php

declare(strict_types=1);

namespace XHProf\Cli\Terminal;

use Symfony\Component\Console\Formatter\OutputFormatter;

/**
 * A table that fits the screen: columns of low importance are left out, then names are shortened in
 * the middle. Cells are valid UTF-8 without control characters.
 */
final class Table
{
    private const GAP = 2;

    /** @var list<list<string>> */
    private array $rows = [];

    /** @var list<array<int, string>> */
    private array $styles = [];

    /** @param list<Column> $columns */
    public function __construct(private readonly array $columns)
    {
    }

    /**
     * @param list<string>       $cells  one per column
     * @param array<int, string> $styles of single cells, like "fg=red"
     */
    public function add(array $cells, array $styles = []): void
    {
        $this->rows[] = $cells;
        $this->styles[] = $styles;
    }

    public function print(Screen $screen): void
    {
        foreach ($this->lines($screen) as $index => $line) {
            $screen->writeln($index === 0 ? "<options=bold>$line</>" : $line);
        }
    }

    /** @return list<string> titles of the columns that do not fit */
    public function leftOut(Screen $screen): array
    {
        $hidden = array_diff_key($this->columns, $this->fit($screen->width));

        return array_values(array_map(static fn (Column $column): string => $column->title, $hidden));
    }

    /** @return list<string> formatted for symfony/console: heading first */
    public function lines(Screen $screen): array
    {
        $widths = $this->fit($screen->width);
        $titles = array_map(static fn (Column $column): string => $column->title, $this->columns);
        $columnStyles = array_map(static fn (Column $column): string => $column->style, $this->columns);
        $lines = [$this->line($titles, $widths, $screen, [])];
        foreach ($this->rows as $index => $row) {
            $lines[] = $this->line($row, $widths, $screen, $this->styles[$index] + $columnStyles);
        }

        return $lines;
    }

    /**
     * @return array<int, int> widths of the columns that are shown
     */
    private function fit(int $width): array
    {
        $widths = [];
        foreach ($this->columns as $index => $column) {
            $widths[$index] = TextFit::width($column->title);
            foreach ($this->rows as $row) {
                $widths[$index] = max($widths[$index], TextFit::width($row[$index] ?? ''));
            }
        }
        while ($this->needed($widths) > $width && ($drop = $this->leastImportant($widths)) !== null) {
            unset($widths[$drop]);
        }
        for ($excess = $this->excess($widths, $width); $excess > 0; $excess--) {
            // takes one column at a time off the one that has most to give
            $widest = null;
            $most = 0;
            foreach ($widths as $index => $current) {
                $least = $this->columns[$index]->least;
                if ($least > 0 && $current > 1 && ($widest === null || $current - $least > $most)) {
                    $widest = $index;
                    $most = $current - $least;
                }
            }
            if ($widest === null) {
                break;
            }
            $widths[$widest]--;
        }

        return $widths;
    }

    /**
     * Width of the table with every shortenable column shortened.
     *
     * @param array<int, int> $widths
     */
    private function needed(array $widths): int
    {
        $sum = self::GAP * max(0, count($widths) - 1);
        foreach ($widths as $index => $width) {
            $least = $this->columns[$index]->least;
            $sum += $least > 0 ? min($least, $width) : $width;
        }

        return $sum;
    }

    /** @param array<int, int> $widths */
    private function excess(array $widths, int $width): int
    {
        return array_sum($widths) + self::GAP * max(0, count($widths) - 1) - $width;
    }

    /** @param array<int, int> $widths */
    private function leastImportant(array $widths): ?int
    {
        $found = null;
        foreach (array_keys($widths) as $index) {
            $weight = $this->columns[$index]->weight;
            if ($weight > 0 && ($found === null || $weight >= $this->columns[$found]->weight)) {
                $found = $index;
            }
        }

        return $found;
    }

    /**
     * @param list<string>       $cells
     * @param array<int, int>    $widths
     * @param array<int, string> $styles
     */
    private function line(array $cells, array $widths, Screen $screen, array $styles): string
    {
        $line = '';
        $last = array_key_last($widths);
        foreach ($widths as $index => $width) {
            $column = $this->columns[$index];
            $cell = $column->fit($cells[$index] ?? '', $width, $screen->ellipsis());
            $cell = $column->align === Column::RIGHT
                ? TextFit::padLeft($cell, $width)
                : TextFit::padRight($cell, $width);
            // trailing spaces would wrap the line on a terminal of exactly this width
            $cell = OutputFormatter::escape($index === $last ? rtrim($cell) : $cell);
            $style = $styles[$index] ?? '';
            $line .= $index === array_key_first($widths) ? '' : str_repeat(' ', self::GAP);
            $line .= $style !== '' && trim($cell) !== '' ? "<$style>$cell</>" : $cell;
        }

        return $line;
    }
}
