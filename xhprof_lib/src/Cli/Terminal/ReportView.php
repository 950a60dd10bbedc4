<?php

declare(strict_types=1);

namespace XHProf\Cli\Terminal;

use Symfony\Component\Console\Formatter\OutputFormatter;
use XHProf\Format\Text;
use XHProf\Report\Column as ReportColumn;
use XHProf\Report\FindingList;
use XHProf\Report\Heading;
use XHProf\Report\Level;
use XHProf\Report\Markdown;
use XHProf\Report\Report;
use XHProf\Report\Table as ReportTable;
use XHProf\Report\Unit;

/**
 * A report on a terminal, and in JSON.
 *
 * @phpstan-import-type Row from ReportTable
 */
final class ReportView implements View
{
    /** Characters of a bar that is a column of its own. */
    private const BAR = 8;

    /** Columns below which the subject of a title is left out. */
    private const LEAST_SUBJECT = 8;

    /** Deepest indentation of functions of a call tree. */
    private const DEEPEST = 100;

    /** Signs of a tree on a terminal without Unicode. */
    private const PLAIN_BRANCHES = ['├─ ' => '|- ', '└─ ' => '`- ', '│  ' => '|  '];

    /** What stands before a finding of a level. */
    private const MARKS = [
        Level::Ok->value => '<info>ok</info>  ',
        Level::Note->value => '<comment>--</comment>  ',
        Level::Wrong->value => '<fg=red>!!</>  ',
        Level::Todo->value => '<comment>*</comment>   ',
    ];

    public function __construct(private readonly Report $report)
    {
    }

    public function print(Screen $screen): void
    {
        self::headings($this->report, $screen);
        $isFirst = array_filter($this->report->headings, static fn (Heading $heading): bool => $heading->isText()) === [];
        if ($this->report->steps !== null) {
            $isFirst || $screen->writeln('');
            StepCharts::print($this->report->steps, $screen);
            $isFirst = true;
        }
        foreach ($this->report->tables as $table) {
            if ($table->rows === [] && $table->none === '') {
                continue;
            }
            if (!$isFirst) {
                $screen->writeln('');
            }
            $isFirst = false;
            $screen->say($table->lead, 'info');
            if ($table->rows === []) {
                $screen->text($table->none);
            } else {
                self::rows($table, $screen);
                $screen->say($table->below);
            }
        }
        foreach ($this->report->findings as $list) {
            if ($list->findings === [] && $list->none === '') {
                continue;
            }
            $isFirst || $screen->writeln('');
            $isFirst = false;
            self::findings($list, $screen);
        }
        foreach ($this->report->notes as $note) {
            $note === '' ? $screen->writeln('') : $screen->say($note, 'comment');
        }
    }

    public function json(): array
    {
        return $this->report->json();
    }

    public function markdown(): string
    {
        return Markdown::report($this->report);
    }

    private static function headings(Report $report, Screen $screen): void
    {
        foreach ($report->headings as $index => $heading) {
            if ($heading->title !== '') {
                $screen->text(self::title($heading, $screen), $heading->subject === null ? 'options=bold' : 'info');
            } elseif ($index > 0) {
                $screen->writeln('');
            }
            array_map($screen->text(...), self::parts($heading->parts, $screen));
            foreach ($heading->lines as $line) {
                $screen->say(str_replace(' ← ', $screen->calledBy(), $line));
            }
            foreach ($heading->warnings as $warning) {
                $screen->say($warning, 'comment');
            }
            if ($heading->bar !== null) {
                TimeBarText::print($heading->bar, $screen);
            }
        }
    }

    /** The title and what there is room for of its subject, in one line. */
    public static function title(Heading $heading, Screen $screen): string
    {
        $title = TextFit::shorten(Text::printable($heading->title), $screen->width, $screen->ellipsis());
        $room = $screen->width - TextFit::width($title) - 2;
        $subject = $room < self::LEAST_SUBJECT ? '' : Text::printable($heading->subject ?? '');

        return $subject === '' ? $title : "$title  " . TextFit::shorten($subject, $room, $screen->ellipsis());
    }

    /**
     * @param list<string> $parts
     *
     * @return list<string> lines
     */
    private static function parts(array $parts, Screen $screen): array
    {
        $lines = [];
        $line = '';
        foreach ($parts as $part) {
            if ($line !== '' && TextFit::width("$line, $part") > $screen->width - 1) {
                $lines[] = "$line,";
                $line = '';
            }
            $line .= ($line === '' ? '' : ', ') . $part;
        }

        return $line === '' ? $lines : [...$lines, $line];
    }

    private static function rows(ReportTable $table, Screen $screen): void
    {
        $printed = self::table($table, $screen);
        $lines = $printed->lines($screen);
        $columns = self::columns($table);
        $last = $columns[count($columns) - 1];
        $advice = self::advice($table);
        foreach ($lines as $number => $line) {
            $screen->writeln($number === 0 ? "<options=bold>$line</>" : $line);
            if ($number > 0 && $table->isFull) {
                $whole = $last->of($table->rows[$number - 1]);
                foreach (is_array($whole) ? array_slice($whole, 1) : [$whole] as $text) {
                    $screen->text('   ' . (is_array($whole) ? $screen->calledBy() : '') . Unit::Symbol->text($text));
                }
            }
            foreach ($advice[$number] ?? [] as $text) {
                foreach ($screen->wrap(Text::printable($text), 2) as $line) {
                    $screen->text('  ' . ltrim($line));
                }
            }
        }
        $hidden = $table->namesHidden ? array_diff($printed->leftOut($screen), ['%', '']) : [];
        if ($hidden !== []) {
            $screen->text(TextFit::shorten('With --wide: ' . implode(', ', $hidden), $screen->width, $screen->ellipsis()));
        }
    }

    /** @return array<int, list<string>> lines below a line of the table, by the number of that one */
    private static function advice(ReportTable $table): array
    {
        $advice = [];
        $number = 0;
        foreach ($table->advice === null ? [] : $table->rows as $row) {
            $number += 1 + ($table->parts === null ? 0 : count(($table->parts)($row)));
            $advice[$number] = $table->advice === null ? [] : ($table->advice)($row);
        }

        return $advice;
    }

    private static function findings(FindingList $list, Screen $screen): void
    {
        foreach ($list->lead as $line) {
            $screen->text(Text::printable($line), 'options=bold');
        }
        $screen->say($list->findings === [] ? $list->none : '');
        foreach ($list->findings as $finding) {
            if ($finding->why === '') {
                foreach ($screen->wrap(Text::printable($finding->text), 5) as $i => $line) {
                    $screen->writeln(($i === 0 ? self::MARKS[$finding->level->value] : '    ') . OutputFormatter::escape($line));
                }
                continue;
            }
            $place = ($finding->between === '' ? '' : "$finding->between ") . Text::printable($finding->symbol);
            $text = OutputFormatter::escape($finding->text);
            $screen->writeln("<options=bold>$text</>" . ($place === '' ? '' : '  ' . OutputFormatter::escape($place)));
            if ($finding->place !== '') {
                $screen->text('  ' . Text::printable($finding->place));
            }
            foreach ($screen->wrap(str_replace(' ← ', $screen->calledBy(), $finding->why), 2) as $line) {
                $screen->text('  ' . ltrim($line));
            }
        }
        foreach ($list->below as $line) {
            $screen->text("    $line");
        }
    }

    public static function table(ReportTable $table, Screen $screen): Table
    {
        $columns = self::columns($table);
        $heads = array_map(static fn (ReportColumn $column): array => self::column($column, $screen), $columns);
        $printed = new Table(array_merge(...$heads));
        foreach ($table->rows as $row) {
            $printed->add(...self::cells($columns, $row, $table, $screen));
            foreach ($table->parts === null ? [] : ($table->parts)($row) as $part) {
                $printed->add(...self::cells($columns, $part, $table, $screen));
            }
        }

        return $printed;
    }

    /**
     * @param list<ReportColumn> $columns
     * @param Row $row
     *
     * @return array{list<string>, array<int, string>} cells, and styles of some
     */
    private static function cells(array $columns, array $row, ReportTable $table, Screen $screen): array
    {
        $cells = $styles = [];
        foreach ($columns as $column) {
            $value = $column->unit === Unit::Path ? $column->of($row) : null;
            $figure = $column->plain($row);
            $figure = is_int($figure) || is_float($figure) ? $figure : null;
            $style = match (true) {
                isset($row[$table->faint]) => 'fg=gray',
                isset($row[$table->wrong]) && $column->unit === Unit::Marked => 'fg=red',
                $column->isChange && $figure !== null => Column::styleOf($figure),
                default => '',
            };
            $styles += $style === '' ? [] : [count($cells) => $style];
            if (is_array($value)) {
                $names = array_map(Unit::Symbol->text(...), $value);
                $cells[] = $table->isFull ? $names[0] ?? '' : implode($screen->calledBy(), $names);
            } elseif ($column->unit === Unit::Bar) {
                $cells[] = $screen->bar((float) $figure, self::BAR);
            } else {
                $text = $column->text($row);
                $cells[] = match (true) {
                    $column->unit === Unit::Branch && !$screen->isUnicode => strtr($text, self::PLAIN_BRANCHES),
                    $column->unit === Unit::Nested => self::indentation((int) $row['depth'], $screen) . $text,
                    default => $text,
                };
            }
            $share = $column->share;
            if ($share !== null) {
                $cells[] = $figure === null ? '' : $share->text($figure);
            }
            if ($share !== null && $share->bar > 0) {
                $cells[] = $screen->bar($figure === null || $share->whole <= 0 ? 0.0 : $figure / $share->whole, $share->bar);
            }
        }

        return [$cells, $styles];
    }

    /** Spaces; where there would be too many of them, the depth as a number. */
    private static function indentation(int $depth, Screen $screen): string
    {
        return $depth > min(self::DEEPEST, intdiv($screen->width, 4)) ? "[$depth] " : str_repeat(' ', $depth);
    }

    /** @return list<ReportColumn> figures first: words end the lines, the first word last; unless the table has its own order */
    private static function columns(ReportTable $table): array
    {
        $columns = array_filter($table->columns, static fn (ReportColumn $column): bool => $column->title !== ''
            || $column->unit === Unit::Mark || in_array($column->key, $table->printed, true));
        if ($table->printed !== []) {
            $byKey = array_column($columns, null, 'key');

            return array_map(static fn (string $key): ReportColumn => $byKey[$key], $table->printed);
        }
        $isWords = static fn (ReportColumn $column): bool => $column->unit->isWords();
        $words = array_reverse(array_filter($columns, $isWords));

        return [...array_filter($columns, static fn (ReportColumn $column): bool => !$isWords($column)), ...$words];
    }

    /** @return list<Column> with those of its share */
    private static function column(ReportColumn $column, Screen $screen): array
    {
        $own = match ($column->unit) {
            Unit::Name => new Column($column->title, Column::LEFT, $column->least ?: 20, $column->weight),
            Unit::Symbol, Unit::Nested => new Column($column->title, Column::LEFT, $column->least ?: 26, $column->weight),
            Unit::Marked => new Column($column->title, Column::LEFT, $column->least ?: 20, $column->weight, separator: '  '),
            Unit::Id => new Column($column->title, Column::LEFT, weight: $column->weight, style: 'fg=cyan'),
            Unit::Bar => new Column($column->title, Column::LEFT, weight: $column->weight, style: 'fg=cyan'),
            Unit::Branch => new Column($column->title, Column::LEFT, 20, $column->weight, isBranch: true),
            Unit::Path => new Column($column->title, Column::LEFT, 40, $column->weight, separator: $screen->calledBy()),
            Unit::Text, Unit::Mark, Unit::Line, Unit::Moment, Unit::Minute
                => new Column($column->title, Column::LEFT, weight: $column->weight),
            default => new Column($column->title, weight: $column->weight),
        };
        $share = $column->share;

        return $share === null ? [$own] : [
            $own,
            new Column('%', weight: $share->weight),
            ...($share->bar === 0 ? [] : [new Column('', Column::LEFT, weight: $share->weight + 1, style: 'fg=magenta')]),
        ];
    }
}
