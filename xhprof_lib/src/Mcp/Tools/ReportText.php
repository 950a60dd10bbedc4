<?php

declare(strict_types=1);

namespace XHProf\Mcp\Tools;

use XHProf\Report\Column;
use XHProf\Report\Finding;
use XHProf\Report\Heading;
use XHProf\Report\Level;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/**
 * A report as short lines of text: what a model reads. A table has its figures first, "|" between them, and its words last; columns
 * without a value are left out.
 *
 * @phpstan-import-type Row from Table
 * @phpstan-type Block array{title: string, lines: list<string>, isTable: bool}
 */
final class ReportText
{
    /** Functions of a call path in a cell, and levels by which a row is indented. */
    private const FRAMES = 8;
    private const DEPTH = 30;

    public function __construct(private readonly Words $words)
    {
    }

    /** @return list<Block> the lines of tables may be cut from their end */
    public function blocks(Report $report): array
    {
        $blocks = array_map($this->heading(...), $report->headings);
        foreach ($report->findings as $list) {
            $lines = array_map($this->finding(...), $list->findings, array_keys($list->findings));
            $lines = $lines === [] && $list->none !== '' ? [$this->said($list->none)] : $lines;
            $blocks[] = ['title' => $list->title, 'lines' => $lines, 'isTable' => false];
        }
        foreach ($report->tables as $table) {
            $blocks[] = $this->table($table);
        }
        $notes = array_filter($report->notes, static fn (string $note): bool => $note !== '');
        $blocks[] = ['title' => '', 'lines' => array_map($this->said(...), array_values($notes)), 'isTable' => false];

        return array_values(array_filter($blocks, static fn (array $block): bool => $block['lines'] !== []));
    }

    /** @return Block */
    private function heading(Heading $heading): array
    {
        $subject = $heading->subject === null ? '' : $this->words->code($heading->subject);
        $title = $this->words->sentence($heading->title);
        $bar = $heading->bar;

        return ['title' => '', 'lines' => array_values(array_filter([
            trim("$title $subject"),
            implode(', ', array_map($this->words->sentence(...), $heading->parts)),
            $bar === null ? '' : $this->said($bar->sentence()) . '.',
            ...array_map($this->said(...), $bar?->notes() ?? []),
            ...array_map($this->said(...), $heading->lines),
            ...array_map(fn (string $text): string => 'Warning: ' . $this->said($text), $heading->warnings),
        ], static fn (string $line): bool => $line !== '')), 'isTable' => false];
    }

    private function finding(Finding $finding, int $at): string
    {
        $text = $this->said($finding->text);
        $level = $finding->level === Level::Ok ? '' : "{$finding->level->value}: ";
        if ($finding->why === '') {
            return '- ' . $level . $text . ($finding->todo === null ? '' : '. ' . $this->said($finding->todo));
        }
        $place = trim($this->said($finding->between) . ' ' . $this->words->code($finding->symbol));

        return ($at + 1) . ". $text" . ($place === '' ? '' : ($finding->between === '' ? ' in ' : '; ') . $place) . '. '
            . $this->said($finding->why);
    }

    /** @return Block */
    private function table(Table $table): array
    {
        if ($table->rows === []) {
            $lines = $table->none === '' ? [] : [$this->said($table->none)];

            return ['title' => $lines === [] ? '' : $table->title, 'lines' => $lines, 'isTable' => false];
        }
        $below = $this->said(str_replace(Table::SHOW_ALL, '', $table->below));
        $title = implode(': ', array_filter([$table->title === '' ? rtrim($table->lead, ':') : $table->title, $below]));
        $columns = array_values(array_filter(self::columns($table), fn (Column $column): bool => $this->isUsed($column, $table)));
        $lines = [implode(' | ', array_map(static fn (Column $column): string => self::head($column), $columns))];
        foreach ($table->rows as $row) {
            foreach ([$row, ...($table->parts === null ? [] : ($table->parts)($row))] as $each) {
                $lines[] = $this->row($columns, $each);
            }
        }

        return ['title' => $title, 'lines' => $lines, 'isTable' => true];
    }

    /**
     * @param list<Column> $columns
     * @param Row $row
     */
    private function row(array $columns, array $row): string
    {
        return rtrim(implode(' | ', array_map(fn (Column $column): string => $this->cell($column, $row), $columns)));
    }

    /** @return list<Column> as terminals have them: figures first */
    private static function columns(Table $table): array
    {
        $drawn = static fn (Column $column): bool => $column->unit !== Unit::Bar;
        $byKey = array_column(array_filter($table->columns, $drawn), null, 'key');
        $shown = array_values(array_filter($byKey, static fn (Column $column): bool
            => $column->title !== '' || $column->unit === Unit::Mark || $column->label !== ''));
        $printed = array_values(array_filter(array_map(
            static fn (string $key): ?Column => $byKey[$key] ?? null,
            $table->printed,
        )));
        if ($printed !== []) {
            return $printed;
        }
        $isWords = static fn (Column $column): bool => $column->unit->isWords();

        return [
            ...array_filter($shown, static fn (Column $column): bool => !$isWords($column)),
            ...array_filter($shown, $isWords),
        ];
    }

    private static function head(Column $column): string
    {
        $title = $column->title === '' ? lcfirst($column->label) : $column->title;

        return $column->above === null || $column->above->title === '' ? $title : "{$column->above->title} $title";
    }

    private function isUsed(Column $column, Table $table): bool
    {
        foreach ($table->rows as $row) {
            if (!in_array($column->of($row), [null, '', 0, 0.0, false, []], true)) {
                return true;
            }
        }

        return false;
    }

    /** @param Row $row */
    private function cell(Column $column, array $row): string
    {
        $value = $column->of($row);
        if (is_array($value) && $column->unit === Unit::Path) {
            $path = array_values(array_filter($value, is_string(...)));
            $more = count($path) - self::FRAMES;
            $shown = array_map($this->words->code(...), array_slice($path, 0, self::FRAMES));

            return implode(' <- ', $shown) . ($more > 0 ? " <- $more more" : '');
        }
        if (is_string($value)) {
            $depth = $column->unit === Unit::Nested ? (int) ($row['depth'] ?? 0) : intdiv(strspn($value, ' '), 2);
            $indent = str_repeat('  ', min(self::DEPTH, $depth));

            return $column->unit->isWords() && !in_array($column->unit, [Unit::Text, Unit::Mark], true)
                ? $indent . $this->words->code(ltrim($value, ' '))
                : $this->words->sentence($value);
        }
        $figure = $column->plain($row);
        $share = $column->share !== null && is_numeric($figure) ? $column->share->text($figure + 0) : '-';

        return $this->words->sentence($column->text($row)) . ($share === '-' ? '' : " ($share)");
    }

    /** A sentence of the report itself. */
    private function said(string $text): string
    {
        return $this->words->sentence(Hints::forTools($text));
    }
}
