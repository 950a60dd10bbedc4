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
 * cell a change; growth: whether that is shown in percent; tone: "bad" for what needs a look, "badge"; badge, moved, place: small
 * texts behind it; frames: a call path with links; template, part: what shows the cell instead, and its variables; why: reason for
 * which a change is not worth a look, for scripts.
 *
 * @phpstan-import-type Row from Table
 * @phpstan-type Place array{text: ?string, title: ?string, url: ?string, from?: int}
 * @phpstan-type Frame array{name: string, url: ?string, recursive: bool}
 * @phpstan-type Frames array{first: Frame, shown: list<Frame>, rest: list<Frame>, more: int}
 * @phpstan-type Additions array{text?: string, url?: ?string, label?: string, title?: string, share?: int|float, bar?: int|float,
 *     from?: int|float|null, growth?: bool, tone?: string, badge?: string, moved?: ?string, place?: string|Place|null,
 *     frames?: Frames|null, template?: string, part?: array<string, mixed>, why?: string}
 * @phpstan-type ReportCell array{plain: bool, kind: string, class: string, text: string, url: ?string, label: string,
 *     title: string,
 *     width: float, family: string, share: ?string, tone: string, arrow: string, badge: string, moved: ?string,
 *     place: Place|null, moment: array<string, string>|null, template: string, part: array<string, mixed>, frames: Frames|null,
 *     figure: int|float|null, why: string}
 * @phpstan-type Head array{key: string, label: string, title: string, class: string, url: ?string, aria: ?string}
 * @phpstan-type Group array{label: string, title: string, class: string, columns: non-empty-list<Head>}
 */
final class ReportTable
{
    /** Rows shown at first, and on a page of all of them. */
    private const TOP = 50;
    private const MOST = 2000;

    /** Functions of a call path that are shown, and that can be unfolded. */
    private const CALLERS = 5;
    private const FOLDED = 60;

    /** Additions that leave a figure a figure. */
    private const OF_FIGURES = ['title' => true, 'share' => true, 'bar' => true];

    private Table $table;

    /** @var array<string, string> by key */
    private array $classOf = [];

    private ?Order $order = null;

    /** @var (\Closure(array<string, string|int|null>): string)|null */
    private ?\Closure $url = null;

    private bool $isAll = false;

    private ?string $moreUrl = null;

    /** Words before the name of a row at the box that picks it; '' if rows cannot be picked. */
    private string $picked = '';

    /** @var (\Closure(Row): string)|null name of a row that can be picked */
    private ?\Closure $pick = null;

    /** @var (\Closure(Row): bool)|null whether a row is the one that the address names */
    private ?\Closure $isSelected = null;

    /** @var list<string>|null names of its orders, of a table that has the rows of one page only */
    private ?array $orders = null;

    /** Whether scripts sort the rows: heads have the names of their orders, cells their figures. */
    private bool $isScripted = false;

    /** Whether changes are sorted by their size, whatever their sign. */
    private bool $isBySize = false;

    private Paging $paging;

    /**
     * @param (\Closure(Row, string): Additions)|null $additions to the cell of a column
     * @param (\Closure(Row): array<string, string>)|null $links label => address: a last column
     * @param string $class of the table, for columns of its own
     * @param int    $top   rows that are shown at first
     * @param string $id    of its section; '' stands for the key of the table
     * @param array<string, string> $classes of columns, by their keys
     * @param string $look  class of tables that look alike
     */
    public function __construct(
        Table $table,
        private readonly ?\Closure $additions = null,
        private readonly ?\Closure $links = null,
        private readonly string $class = '',
        private readonly int $top = self::TOP,
        private readonly string $id = '',
        private readonly array $classes = [],
        private readonly string $look = 'own report',
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
        $this->paging = self::paging($request, count($this->table->rows), $this->top);

        return $this;
    }

    /**
     * For a table that was made of the rows of one page, in their order.
     *
     * @param Paging $paging as of paging()
     * @param bool   $isAll  whether there are further pages, else a link to all rows
     * @param list<string> $orders that the rows can have
     * @param \Closure(array<string, string|int|null>): string $url of the same page, by these parameters
     */
    public function paged(Paging $paging, bool $isAll, Order $order, array $orders, \Closure $url): self
    {
        [$this->paging, $this->isAll, $this->order, $this->orders, $this->url] = [$paging, $isAll, $order, $orders, $url];

        return $this;
    }

    /**
     * For rows that scripts bring into another order.
     *
     * @param bool $isBySize whether changes are sorted by their size, whatever their sign
     */
    public function scripted(Order $order, bool $isBySize = false): self
    {
        [$this->isScripted, $this->isBySize] = [true, $isBySize];

        return $this->sorted($order);
    }

    /** For rows that come in one order only. */
    public function sorted(Order $order): self
    {
        $this->order = $order;

        return $this;
    }

    /** The first rows of so many; with all=1 those of a page of all. */
    public static function paging(Request $request, int $rows, int $top = self::TOP, int $most = self::MOST): Paging
    {
        $isAll = $request->flag('all');

        return new Paging($rows, $isAll ? $most : $top, $isAll ? $request->number('page', 1) : 1);
    }

    /** For the first rows of a table of so many, with the address of a page that has all; null for none. */
    public function of(int $total, ?string $url): self
    {
        $this->paging = new Paging($total, max(1, count($this->table->rows)), 1);
        $this->moreUrl = $url;

        return $this;
    }

    /**
     * Lets rows be picked, for a form around the table: its field `pick`.
     *
     * @param \Closure(Row): string $name
     * @param string $words before the name, for readers of the screen
     */
    public function picked(\Closure $name, string $words): self
    {
        [$this->pick, $this->picked] = [$name, $words];

        return $this;
    }

    /** @param \Closure(Row): bool $isSelected whether a row is the one that the address names */
    public function selected(\Closure $isSelected): self
    {
        $this->isSelected = $isSelected;

        return $this;
    }

    /**
     * Choices of the list "sort by" that narrow screens have.
     *
     * @return list<array{key: string, label: string, selected: bool}>
     */
    public static function choices(Table $table, Order $order): array
    {
        return array_map(static fn (Column $column): array => [
            'key' => $column->order(),
            'label' => $column->help === '' ? $column->label : $column->help,
            'selected' => $column->order() === $order->by,
        ], array_values(array_filter($table->columns, static fn (Column $column): bool => $column->label !== ''
            && $column->order() !== '')));
    }

    /**
     * A call path as parts.html.twig prints it: the first function, then its callers.
     *
     * @param list<string> $functions
     * @param (\Closure(string): ?string)|null $url of the page of a function
     *
     * @return Frames|null null for none
     */
    public static function frames(array $functions, ?\Closure $url = null): ?array
    {
        $count = count($functions);
        if ($functions === []) {
            return null;
        }
        $shown = $count <= self::CALLERS + 1 ? $count : self::CALLERS;
        $frames = array_map(static fn (string $function): array => [
            'name' => $function,
            'url' => $url === null ? null : $url($function),
            'recursive' => false,
        ], array_slice($functions, 0, $shown + self::FOLDED));

        return [
            'first' => $frames[0],
            'shown' => array_slice($frames, 1, $shown - 1),
            'rest' => array_slice($frames, $shown),
            'more' => $count - count($frames),
        ];
    }

    /** The order that the address names, if the table has it. */
    public static function asked(Request $request, Table $table): ?Order
    {
        return self::order($request, $table->orders());
    }

    /**
     * The order that the address names, if it is one of these.
     *
     * @param list<string> $orders
     * @param string|null $usual stands for another one
     *
     * @return ($usual is null ? Order|null : Order)
     */
    public static function order(Request $request, array $orders, ?string $usual = null): ?Order
    {
        return Order::fromTexts($request->text('sort'), $request->text('dir'), $orders, $usual);
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
            'class' => rtrim("$this->look $this->class"),
            'groups' => $this->groups($columns),
            'has_links' => $this->links !== null,
            'rows' => array_map(
                fn (array $row): array => $this->row($row, $columns),
                $this->orders === null ? array_values($this->paging->slice($this->table->rows)) : $this->table->rows,
            ),
            'paging' => $this->paging,
            'pages' => $this->isAll
                ? $this->paging->links(fn (int $page): string => (string) $this->link($all + ['page' => $page]))
                : ['previous' => null, 'next' => null],
            'more_url' => $this->moreUrl ?? ($this->paging->pages > 1 && !$this->isAll ? $this->link($all) : null),
            'picked' => $this->picked,
            'scripted' => !$this->isScripted ? null : ($this->moreUrl === null ? 'all' : 'first'),
        ];
    }

    /**
     * @param list<Column> $columns
     *
     * @return list<Group> heads, those with a title above them together
     */
    private function groups(array $columns): array
    {
        $groups = [];
        $above = null;
        foreach ($columns as $column) {
            $head = $this->head($column);
            if ($column->above !== null && $column->above === $above) {
                $last = count($groups) - 1;
                $groups[$last]['columns'][] = $head;
                $common = array_intersect(explode(' ', $groups[$last]['class']), explode(' ', $head['class']));
                $groups[$last]['class'] = implode(' ', $common);
                continue;
            }
            $above = $column->above;
            $groups[] = [
                'label' => $above->title ?? '',
                'title' => implode(' ', $above->lines ?? []),
                // What they share hides the title together with them.
                'class' => (string) preg_replace('/\Anum ?/', '', $head['class']),
                'columns' => [$head],
            ];
        }

        return $groups;
    }

    /** @return Head */
    private function head(Column $column): array
    {
        $by = $column->order();
        $isWords = $column->unit->isWords();
        $aria = $this->order?->aria($by, $isWords);

        return [
            'key' => $this->isScripted ? $by : '',
            'label' => $column->label,
            'title' => $column->help === '' ? $column->label : $column->help,
            'class' => $this->classOf($column),
            'url' => !in_array($by, $this->orders ?? $this->table->orders(), true) ? null : $this->link([
                'sort' => $by,
                'dir' => $this->order?->next($by, $isWords)->dir($isWords),
                'all' => $this->isAll ? 1 : null,
            ]),
            'aria' => $aria !== null && $column->isChange && $this->isBySize ? 'other' : $aria,
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

        return rtrim(($isText ? 'text ' : 'num ') . ($this->classes[$column->key] ?? '')) . match (true) {
            $this->order !== null && $this->order->by === $column->order() => ' main',
            $column->weight >= Column::NARROW => ' k-wide',
            $column->weight >= Column::PHONE => ' k-mid',
            default => '',
        };
    }

    /**
     * @param Row $row
     * @param list<Column> $columns
     *
     * @return array{cells: list<ReportCell>, links: array<string, string>, name: string, pick: string, class: string}
     */
    private function row(array $row, array $columns): array
    {
        $cells = array_map(
            fn (Column $column): array => $this->cell(
                $column,
                $column->of($row),
                $column->unitOf($row),
                $this->additions === null ? [] : ($this->additions)($row, $column->key),
            ),
            $columns,
        );

        return [
            'cells' => $cells,
            'links' => $this->links === null ? [] : ($this->links)($row),
            'name' => $cells[0]['text'] ?? '',
            'pick' => $this->pick === null ? '' : ($this->pick)($row),
            'class' => match (true) {
                isset($row[$this->table->faint]) => 'faint',
                $this->isSelected !== null && ($this->isSelected)($row) => 'selected',
                default => '',
            },
        ];
    }

    /**
     * @param string|int|float|bool|list<string|int|float>|null $value
     * @param Additions $more
     *
     * @return ReportCell
     */
    private function cell(Column $column, string|int|float|bool|array|null $value, Unit $unit, array $more): array
    {
        if (is_array($value) && $column->isChange) {
            [$before, $value] = $value;
            if (!is_string($before) && !is_string($value)) {
                $more['from'] = $before;
                $value -= $before;
            }
        }
        $frames = is_array($value) ? self::frames(array_map(strval(...), $value)) : null;
        $value = is_array($value) ? implode(' ← ', $value) : $value;
        $more += $column->share === null ? [] : ['share' => $column->share->whole, 'bar' => $column->share->whole];
        $figure = is_int($value) || is_float($value) ? $value : null;
        $place = $more['place'] ?? null;
        $class = $this->classOf[$column->key] ??= $this->classOf($column);
        $isPlain = $figure !== null && $class[0] === 'n' && array_diff_key($more, self::OF_FIGURES) === [];
        $cell = [
            'plain' => $isPlain,
            'kind' => $unit === Unit::Name || $unit === Unit::Symbol ? 'name' : ($unit->isTime() ? 'moment' : 'value'),
            'class' => $class,
            // The template makes words readable.
            'text' => $more['text'] ?? (is_string($value) ? $value : $unit->text($value)),
            'url' => $more['url'] ?? null,
            'label' => $more['label'] ?? '',
            'title' => $more['title'] ?? match (true) {
                $figure !== null => $this->isScripted ? $unit->whole($figure) : $unit->exact($figure),
                default => $value === null && !$unit->isWords() ? 'not known' : '',
            },
            'width' => 0.0,
            'family' => $unit === Unit::Bytes ? 'memory' : 'time',
            'share' => null,
            'tone' => $more['tone'] ?? '',
            'arrow' => '',
            'badge' => $more['badge'] ?? '',
            'moved' => $more['moved'] ?? null,
            'place' => is_string($place) ? ($place === '' ? null : ['text' => $place, 'title' => '', 'url' => null]) : $place,
            'moment' => $unit->isTime() && $figure !== null ? TimeLabel::of((float) $figure) : null,
            'template' => $more['template'] ?? '',
            'part' => $more['part'] ?? [],
            'frames' => $more['frames'] ?? $frames,
            'figure' => $this->isScripted ? $figure : null,
            'why' => $more['why'] ?? '',
        ];
        if ($figure === null) {
            return $cell;
        }

        return isset($more['from'])
            ? self::change($cell, $column, $unit, $more['from'], $figure, $more)
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
        } elseif ($share > 0) {
            // Figures of a column stand below each other.
            $cell['share'] = '';
        }
        if ($isPart($bar) && $value > 0) {
            $cell['width'] = round(min(1.0, $value / $bar) * 100, 2);
            $cell['family'] .= ' heat-' . Cells::heat(min(1.0, $value / $bar));
        }

        return $cell;
    }

    /**
     * @param ReportCell $cell
     * @param Additions $more
     *
     * @return ReportCell whose sign, arrow and colour say the same thing
     */
    private static function change(
        array $cell,
        Column $column,
        Unit $unit,
        int|float $before,
        int|float $delta,
        array $more,
    ): array {
        $bar = $more['bar'] ?? 0;
        $after = $before + $delta;
        $arrow = $delta == 0 ? 'same' : ($delta > 0 ? 'up' : 'down');

        return [
            'class' => "{$cell['class']} delta $arrow",
            'arrow' => $arrow,
            'width' => $bar > 0 ? round(min(1.0, abs($delta) / $bar) * 100, 2) : 0.0,
            'family' => $arrow,
            'text' => $unit->change($delta),
            'title' => $more['title'] ?? $unit->changeWords($column->label, $before, $after),
            'share' => $more['growth'] ?? true ? Units::growth($before, $after) : null,
        ] + $cell;
    }
}
