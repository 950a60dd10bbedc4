<?php

declare(strict_types=1);

namespace XHProf\Report;

use XHProf\Format\VisibleName;

/**
 * A report as Markdown, for a ticket or the comment of a pull request. GitHub and GitLab show nothing of a name as markup, link or
 * mention: words from outside are code, and in sentences what either would read is escaped.
 *
 * @phpstan-import-type Row from Table
 */
final class Markdown
{
    /** Bytes of a name in a table; longer ones lose their middle. */
    private const NAME_LIMIT = 300;

    /** What begins a line that is no paragraph. */
    private const BLOCK = '/\A(\d{1,9}(?=[.)])|(?=[-+=>#]))(?=[.)]?[-+=>#]*(?:\s|\z))/';

    public static function report(Report $report): string
    {
        $blocks = array_map(self::heading(...), $report->headings);
        foreach ($report->findings as $list) {
            $blocks[] = self::findings($list);
        }
        foreach ($report->tables as $table) {
            $blocks[] = self::table($table);
        }
        $notes = array_filter($report->notes, static fn (string $note): bool => $note !== '');

        $paragraph = static fn (string $note): string => self::paragraph(ucfirst($note));

        return self::blocks([...$blocks, ...array_map($paragraph, array_values($notes))]);
    }

    /** @param list<string> $blocks of Markdown, of which empty ones are left out */
    public static function blocks(array $blocks): string
    {
        $texts = array_filter(array_map(rtrim(...), $blocks), static fn (string $block): bool => $block !== '');

        return $texts === [] ? '' : implode("\n\n", $texts) . "\n";
    }

    public static function heading(Heading $heading): string
    {
        $subject = $heading->subject === null || $heading->subject === '' ? '' : ' ' . self::code($heading->subject);
        $parts = $heading->parts === [] ? '' : self::paragraph(implode(', ', $heading->parts));
        $warnings = array_map(static fn (string $text): string => '> ' . self::paragraph($text), $heading->warnings);

        return self::blocks([
            $heading->title === '' ? '' : '### ' . self::text($heading->title) . $subject,
            $parts,
            $heading->bar === null ? '' : self::paragraph($heading->bar->sentence() . '.'),
            ...array_map(self::paragraph(...), $heading->bar?->notes() ?? []),
            ...array_map(self::paragraph(...), $heading->lines),
            ...$warnings,
        ]);
    }

    public static function table(Table $table): string
    {
        $title = $table->title === '' ? '' : '#### ' . self::text($table->title);
        if ($table->rows === []) {
            return $table->none === '' ? '' : self::blocks([$title, self::paragraph($table->none)]);
        }
        $columns = self::columns($table);
        $lines = [self::line(array_map(static fn (Column $column): string => self::text(self::head($column)), $columns))];
        $rules = array_map(static fn (Column $column): string => $column->unit->isWords() ? '---' : '--:', $columns);
        $lines[] = self::line($rules);
        foreach ($table->rows as $row) {
            foreach ([$row, ...($table->parts === null ? [] : ($table->parts)($row))] as $each) {
                $cells = array_map(static fn (Column $column): string => self::cell($column, $each), $columns);
                $lines[] = self::line($cells);
            }
        }

        return self::blocks([
            $title,
            $title === '' ? self::paragraph($table->lead) : '',
            $table->note === '' ? '' : self::paragraph($table->note),
            implode("\n", $lines),
            self::paragraph(str_replace(Table::SHOW_ALL, '', $table->below)),
        ]);
    }

    public static function findings(FindingList $list): string
    {
        $lines = array_map(self::finding(...), $list->findings);
        $none = $list->none === '' ? '' : self::paragraph($list->none);
        if ($lines === [] && $none === '') {
            return '';
        }

        return self::blocks([
            $list->title === '' ? '' : '#### ' . self::text($list->title),
            $lines === [] ? $none : implode("\n", $lines),
        ]);
    }

    /** A sentence of a paragraph of its own. */
    public static function paragraph(string $text): string
    {
        return preg_replace(self::BLOCK, '$1\\\\', self::text($text), 1) ?? '';
    }

    /** Words within a paragraph: shown as they are. */
    public static function text(string $text): string
    {
        $text = VisibleName::text(trim(str_replace(["\r\n", "\n", "\r", "\t"], ' ', $text)));
        $escaped = preg_replace('/[\\\\`*\[\]|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/', '\\\\$0', $text) ?? '';
        // Before the others: their entities have "&" and "#".
        $escaped = strtr($escaped, ['&' => '&amp;', '<' => '&lt;', '>' => '&gt;']);

        // A space of no width ends what would name a user, an issue, or be a link.
        return preg_replace('~@(?=\w)|#(?=\d)|:(?=//)~', '$0&#8203;', $escaped) ?? '';
    }

    /** Words that are shown letter by letter: a name, a path, SQL. */
    public static function code(string $text): string
    {
        $text = VisibleName::text($text, self::NAME_LIMIT);
        if ($text === '') {
            return '';
        }
        // In a table "|" ends a cell of code too, and between backquotes nothing can be escaped.
        return preg_match('/[`|]|\A | \z/', $text) !== 1 ? "`$text`" : '<code>' . preg_replace_callback(
            '/[^A-Za-z0-9 \x80-\xFF]/',
            static fn (array $match): string => '&#' . ord($match[0]) . ';',
            $text,
        ) . '</code>';
    }

    private static function finding(Finding $finding): string
    {
        $text = self::text($finding->text);
        if ($finding->why === '') {
            $mark = $finding->level === Level::Ok ? '' : '**' . ucfirst($finding->level->value) . ':** ';

            return "- $mark$text" . ($finding->todo === null ? '' : '. ' . self::text($finding->todo));
        }
        $place = implode(' ', array_filter([self::text($finding->between), self::code($finding->symbol)]));

        return "- **$text**" . ($place === '' ? '' : ($finding->between === '' ? ' ' : '; ') . $place)
            . '. ' . self::text($finding->why);
    }

    /** @return list<Column> words first, as on pages, without what only they can show */
    private static function columns(Table $table): array
    {
        $shown = array_values(array_filter($table->columns, static fn (Column $column): bool
            => $column->unit !== Unit::Bar && ($column->title !== '' || $column->unit === Unit::Mark)));
        $isWords = static fn (Column $column): bool => $column->unit->isWords();
        if ($shown === [] || $isWords($shown[0])) {
            return $shown;
        }

        return [
            ...array_filter($shown, $isWords),
            ...array_filter($shown, static fn (Column $column): bool => !$isWords($column)),
        ];
    }

    private static function head(Column $column): string
    {
        $label = $column->label === '' ? ucfirst($column->title) : $column->label;

        return $column->above === null || $column->above->title === '' ? $label : "{$column->above->title}: $label";
    }

    /** @param Row $row */
    private static function cell(Column $column, array $row): string
    {
        $value = $column->of($row);
        if (is_array($value) && $column->unit === Unit::Path) {
            return implode(' ← ', array_map(self::code(...), array_filter($value, is_string(...))));
        }
        if (is_string($value) && $value !== '') {
            $depth = $column->unit === Unit::Nested ? 2 * (int) ($row['depth'] ?? 0) : strspn($value, ' ');
            $indent = str_repeat('&nbsp;', min(80, $depth));

            return $column->unit->isWords() && !in_array($column->unit, [Unit::Text, Unit::Mark], true)
                ? $indent . self::code(ltrim($value, ' '))
                : self::text($value);
        }
        $figure = $column->plain($row);
        $share = $column->share !== null && is_numeric($figure) ? $column->share->text($figure + 0) : '-';

        return self::text($column->text($row)) . ($share === '-' ? '' : " ($share)");
    }

    /** @param list<string> $cells */
    private static function line(array $cells): string
    {
        return '| ' . implode(' | ', $cells) . ' |';
    }
}
