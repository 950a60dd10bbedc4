<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Cli\Terminal\View;
use XHProf\Format\Units;
use XHProf\Format\VisibleName;

/**
 * An answer about a fleet: rows of named values, the same on a screen and in JSON.
 *
 * @phpstan-type Row array<string, string|int|float|bool|null>
 */
final class RowsView implements View
{
    /** Units of values: of screens, and how JSON's readers know them by the ends of keys. */
    public const NAME = 'name';
    public const TEXT = 'text';
    public const COUNT = 'count';
    public const BYTES = 'bytes';
    public const US = 'us';
    public const AGE = 'us of a time that may be days';
    public const NS = 'ns';
    public const TIMES = 'times';
    public const MARK = 'mark';

    /** Bytes of a text on a screen: `xhprof ship` sends no longer ones, but it is not the only one that can write to a store. */
    private const LONGEST = 1000;

    /**
     * @param array<string, array{string, string, int}> $columns key => title, unit, weight: the highest is left out first, 0 never
     * @param list<Row>             $rows
     * @param string                $none  what is said where there are no rows
     * @param list<string>          $notes below the rows
     * @param array<string, mixed>  $facts in JSON beside the rows
     */
    public function __construct(
        private readonly array $columns,
        private readonly array $rows,
        private readonly string $none,
        private readonly array $notes = [],
        private readonly array $facts = [],
    ) {
    }

    public function print(Screen $screen): void
    {
        if ($this->rows === []) {
            $screen->text($this->none);
        } else {
            $this->table()->print($screen);
        }
        array_map($screen->say(...), $this->notes);
    }

    public function json(): array
    {
        return $this->facts + ['rows' => $this->rows];
    }

    private function table(): Table
    {
        $columns = [];
        foreach ($this->columns as [$title, $unit, $weight]) {
            $columns[] = match ($unit) {
                self::NAME => Column::name($title, 20),
                self::TEXT, self::MARK => new Column($title, Column::LEFT, weight: $weight),
                default => new Column($title, weight: $weight),
            };
        }
        $table = new Table($columns);
        foreach ($this->rows as $row) {
            $cells = [];
            foreach ($this->columns as $key => [, $unit]) {
                $cells[] = self::cell($row[$key] ?? null, $unit);
            }
            $table->add($cells);
        }

        return $table;
    }

    /** A value for people, in a unit of this class. */
    public static function cell(string|int|float|bool|null $value, string $unit): string
    {
        return match (true) {
            $value === null => '-',
            is_bool($value) => $value ? 'stands out' : '',
            is_string($value) => VisibleName::text($value, self::LONGEST),
            $unit === self::US => Units::us($value),
            $unit === self::AGE => Units::age((int) ($value / 1_000_000)),
            $unit === self::BYTES => Units::bytes($value),
            $unit === self::NS => Units::us($value / 1000),
            $unit === self::TIMES => sprintf('%.2f', $value),
            default => Units::count($value),
        };
    }
}
