<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

use XHProf\Format\Units;
use XHProf\Report\Column;
use XHProf\Report\Order;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Web\Http\Request;

/**
 * A table of a report on a page: report_table.html.twig shows it. The first column is the head of its row. What only a page has,
 * as links, bars and badges, is added to a cell by a function of the row and the column's key.
 *
 * text: instead of the value's; url: where it leads, with the tooltip `label`; title: tooltip of the cell, instead of the exact
 * value; share: whole of which the value is a share, in words; bar: the same, drawn; from: what it was before, which makes the
 * cell a change; tone: "bad" for what needs a look, "badge"; badge, place: small texts behind it.
 *
 * @phpstan-import-type Row from Table
 * @phpstan-type Additions array{text?: string, url?: ?string, label?: string, title?: string, share?: int|float, bar?: int|float,
 *     from?: int|float|null, tone?: string, badge?: string, place?: string|array{text: string, title: string, url: ?string}|null}
 * @phpstan-type ReportCell array{kind: string, class: string, text: string, url: ?string, label: string, title: string,
 *     width: float, family: string, share: string, tone: string, arrow: string, badge: string, place: array{text: string,
 *     title: string, url: ?string}|null, moment: array<string, string>|null}
 */
final class ReportTable
{
    /** Rows shown at first, and on a page of all of them. */
    private const TOP = 50;
    private const MOST = 2000;

    private Table $table;

    private ?Order $order = null;

    /** @var (\Closure(array<string, string|int|null>): string)|null */
    private ?\Closure $url = null;

    private bool $isAll = false;

    private Paging $paging;

    /**
     * @param (\Closure(Row, string): Additions)|null $additions to the cell of a column
     * @param (\Closure(Row): array<string, string>)|null $links label => address: a last column
     * @param string $class of the table, for columns of its own
     * @param int    $top   rows that are shown at first
     * @param string $id    of its section; '' stands for the key of the table
     */
    public function __construct(
        Table $table,
        private readonly ?\Closure $additions = null,
        private readonly ?\Closure $links = null,
        private readonly string $class = '',
        private readonly int $top = self::TOP,
        private readonly string $id = '',
    ) {
        $this->table = $table;
        $this->paging = new Paging(count($table->rows), self::MOST, 1);
    }

    /**
     * Sorts the rows by `sort` and `dir`, and shows the first; with all=1 all, in pages.
     *
     * @param \Closure(array<string, string|int|null>): string $url of the same page, by these parameters
     * @param Order|null $usual the order that the rows have, where the address names none; null: they stay as they are
     */
    public function ordered(Request $request, \Closure $url, ?Order $usual = null): self
    {
        $this->order = self::asked($request, $this->table) ?? $usual;
        $this->table = $this->table->ordered(self::asked($request, $this->table));
        $this->url = $url;
        $this->isAll = $request->flag('all');
        $this->paging = new Paging(
            count($this->table->rows),
            $this->isAll ? self::MOST : $this->top,
            $this->isAll ? $request->number('page', 1) : 1,
        );

        return $this;
    }

    /** The order that the address names, if the table has it. */
    public static function asked(Request $request, Table $table): ?Order
    {
        $by = $request->text('sort');

        return $table->column($by) === null ? null : new Order($by, match ($request->text('dir')) {
            'asc' => false,
            'desc' => true,
            default => null,
        });
    }

    /** @return array<string, mixed> for the template */
    public function toArray(): array
    {
        $columns = array_values(array_filter($this->table->columns, static fn (Column $column): bool => $column->label !== ''));
        $all = $this->parameters() + ['all' => 1];

        return [
            'kind' => 'table',
            'id' => $this->id(),
            'title' => $this->table->title,
            'caption' => $this->table->caption,
            'none' => $this->table->none,
            'note' => $this->table->note,
            'class' => $this->class,
            'head' => array_map($this->head(...), $columns),
            'has_links' => $this->links !== null,
            'rows' => array_map(
                fn (array $row): array => $this->row($row, $columns),
                array_values($this->paging->slice($this->table->rows)),
            ),
            'paging' => $this->paging,
            'pages' => $this->isAll
                ? $this->paging->links(fn (int $page): string => (string) $this->link($all + ['page' => $page]))
                : ['previous' => null, 'next' => null],
            'more_url' => $this->paging->pages > 1 && !$this->isAll ? $this->link($all) : null,
        ];
    }

    /** @return array{label: string, title: string, class: string, url: ?string, aria: ?string, main: bool} */
    private function head(Column $column): array
    {
        $isMain = $this->order?->by === $column->order();
        $isDescending = $this->order?->isDescending($column) ?? false;
        $natural = !$column->unit->isWords();
        $next = $isMain ? !$isDescending : $natural;

        return [
            'label' => $column->label,
            'title' => $column->help === '' ? $column->label : $column->help,
            'class' => $this->classOf($column),
            'url' => $this->link([
                'sort' => $column->order(),
                'dir' => $next === $natural ? null : ($next ? 'desc' : 'asc'),
                'all' => $this->isAll ? 1 : null,
            ]),
            'aria' => $isMain ? ($isDescending ? 'descending' : 'ascending') : null,
            'main' => $isMain,
        ];
    }

    /** @return array{sort: ?string, dir: ?string} that name the order */
    private function parameters(): array
    {
        return [
            'sort' => $this->order?->by,
            'dir' => $this->order?->descending === null ? null : ($this->order->descending ? 'desc' : 'asc'),
        ];
    }

    /** @param array<string, string|int|null> $parameters */
    private function link(array $parameters): ?string
    {
        return $this->url === null ? null : ($this->url)($parameters) . "#{$this->id()}";
    }

    private function id(): string
    {
        return $this->id === '' ? $this->table->key : $this->id;
    }

    private function classOf(Column $column): string
    {
        $isText = $column === $this->table->columns[0] || $column->unit->isWords() || $column->unit->isTime();

        return ($isText ? 'text' : 'num') . match (true) {
            $column->weight >= Column::NARROW => ' k-wide',
            $column->weight >= Column::PHONE => ' k-mid',
            default => '',
        };
    }

    /**
     * @param Row $row
     * @param list<Column> $columns
     *
     * @return array{cells: list<ReportCell>, links: array<string, string>, of: string}
     */
    private function row(array $row, array $columns): array
    {
        $cells = array_map(
            fn (Column $column): array => $this->cell(
                $column,
                $column->plain($row),
                $this->additions === null ? [] : ($this->additions)($row, $column->key),
            ),
            $columns,
        );

        return ['cells' => $cells, 'links' => $this->links === null ? [] : ($this->links)($row), 'of' => $cells[0]['text'] ?? ''];
    }

    /**
     * @param Additions $more
     *
     * @return ReportCell
     */
    private function cell(Column $column, string|int|float|bool|null $value, array $more): array
    {
        $unit = $column->unit;
        $figure = is_int($value) || is_float($value) ? $value : null;
        $place = $more['place'] ?? null;
        $cell = [
            'kind' => $unit === Unit::Name || $unit === Unit::Symbol ? 'name' : ($unit->isTime() ? 'moment' : 'value'),
            'class' => $this->classOf($column),
            'text' => $more['text'] ?? $unit->text($value),
            'url' => $more['url'] ?? null,
            'label' => $more['label'] ?? '',
            'title' => $more['title'] ?? ($figure === null ? '' : $unit->exact($figure)),
            'width' => 0.0,
            'family' => $unit === Unit::Bytes ? 'memory' : 'time',
            'share' => '',
            'tone' => $more['tone'] ?? '',
            'arrow' => '',
            'badge' => $more['badge'] ?? '',
            'place' => is_string($place) ? ($place === '' ? null : ['text' => $place, 'title' => '', 'url' => null]) : $place,
            'moment' => $unit->isTime() && $figure !== null ? TimeLabel::of((float) $figure) : null,
        ];
        if ($figure === null) {
            return $cell;
        }

        return isset($more['from'])
            ? self::change($cell, $column, $more['from'], $figure)
            : self::part($cell, $unit, $figure, $more);
    }

    /**
     * @param ReportCell $cell
     * @param Additions $more
     *
     * @return ReportCell with a share and a bar: memory that was allocated and freed makes parts that are no shares
     */
    private static function part(array $cell, Unit $unit, int|float $value, array $more): array
    {
        [$share, $bar] = [$more['share'] ?? 0, $more['bar'] ?? 0];
        $isPart = static fn (int|float $whole): bool => $whole > 0 && ($unit !== Unit::Bytes || ($value >= 0 && $value <= $whole));
        if ($isPart($share)) {
            $cell['share'] = Units::percent($value, $share);
            $cell['title'] .= ($cell['title'] === '' ? '' : ', ') . $cell['share'];
        }
        if ($isPart($bar) && $value > 0) {
            $cell['width'] = round(min(1.0, $value / $bar) * 100, 2);
        }

        return $cell;
    }

    /**
     * @param ReportCell $cell
     *
     * @return ReportCell whose sign, arrow and colour say the same thing
     */
    private static function change(array $cell, Column $column, int|float $before, int|float $delta): array
    {
        $after = $before + $delta;
        $arrow = $delta == 0 ? 'same' : ($delta > 0 ? 'up' : 'down');
        $exact = static fn (int|float $value): string => $column->unit->exact($value) ?: $column->unit->text($value);

        return [
            'class' => "{$cell['class']} delta $arrow",
            'arrow' => $arrow,
            'text' => $column->unit->change($delta),
            'title' => sprintf(
                '%s: %s before, %s after, change %s%s',
                $column->label,
                $exact($before),
                $exact($after),
                $delta > 0 ? '+' : '',
                $exact($delta),
            ),
            'share' => Units::growth($before, $after),
        ] + $cell;
    }
}
