<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Format\Units;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\ShownMetric;
use XHProf\Web\Table\TableSorting;
use XHProf\Web\Table\TimeLabel;

/**
 * A table of the fleet's pages: columns, and rows of cells, of which the first is the row's head; fleet_blocks.html.twig shows it.
 * Rows are sorted by "value" of their cells.
 *
 * @phpstan-type Column array{label: string, title: string, class: string}
 * @phpstan-type FleetCell array<string, mixed>
 */
final class FleetTable
{
    /** Columns that narrow screens leave out, and those that phones do. */
    public const WIDE = ' k-wide';
    public const MEDIUM = ' k-mid';

    /** What a failed request is. */
    public const FAILED = 'Answered with a status from 500, or ended by a fatal error or a signal';

    /** Rows shown at first, and at most. */
    private const TOP = 50;
    private const MOST = 2000;

    /** @var list<list<FleetCell>> */
    private array $rows = [];

    /** @var array<string, array{url: ?string, aria: ?string}> by column */
    private array $order = [];

    private int $shown = self::MOST;

    private ?string $moreUrl = null;

    /**
     * @param string $id      of the section
     * @param string $title   '' for none
     * @param string $caption for readers of the screen
     * @param array<string, Column> $columns by key
     * @param string $empty   what is said where there are no rows
     */
    public function __construct(
        private readonly string $id,
        private readonly string $title,
        private readonly string $caption,
        private readonly array $columns,
        private readonly string $empty,
        private readonly string $note = '',
    ) {
    }

    /** @return Column */
    public static function number(string $label, string $title = '', string $when = ''): array
    {
        return ['label' => $label, 'title' => $title === '' ? $label : $title, 'class' => 'num' . $when];
    }

    /** @return Column */
    public static function words(string $label, string $title = '', string $when = ''): array
    {
        return ['label' => $label, 'title' => $title === '' ? $label : $title, 'class' => 'text' . $when];
    }

    /** @param list<FleetCell> $cells as many as columns */
    public function add(array $cells): void
    {
        $this->rows[] = $cells;
    }

    /**
     * Sorts the rows by `sort` and `dir`, unless they are to stay as they are; shows the first, or with all=1 all of them.
     *
     * @param \Closure(array<string, string|null>): string $url of the same page, by these parameters
     */
    public function ordered(Request $request, \Closure $url): self
    {
        $keys = array_keys($this->columns);
        $isWords = static fn (array $column): bool => str_starts_with($column['class'], 'text');
        $texts = array_keys(array_filter($this->columns, $isWords));
        $isAll = $request->flag('all');
        $own = ['sort' => $request->has('sort') ? $request->text('sort') : null, 'dir' => $request->text('dir')];
        if ($request->has('sort')) {
            $sorting = TableSorting::from($request, $keys, $keys[0], $texts);
            $at = (int) array_search($sorting->key, $keys, true);
            $value = static function (array $row) use ($at): int|float|string|null {
                $found = $row[$at]['value'] ?? null;

                return is_int($found) || is_float($found) || is_string($found) ? $found : null;
            };
            $this->rows = array_values($sorting->apply($this->rows, $value));
        }
        foreach ($keys as $key) {
            $isText = in_array($key, $texts, true);
            $sort = isset($sorting) ? $sorting->linkTo($key, $isText) : ['sort' => $key, 'dir' => null];
            $this->order[$key] = [
                'url' => $url($sort + ['all' => $isAll ? '1' : null]) . "#$this->id",
                'aria' => isset($sorting) ? $sorting->aria($key) : null,
            ];
        }
        $this->shown = $isAll ? self::MOST : self::TOP;
        $this->moreUrl = count($this->rows) > $this->shown && !$isAll ? $url($own + ['all' => '1']) . "#$this->id" : null;

        return $this;
    }

    /** @return array<string, mixed> for the template */
    public function toArray(): array
    {
        $head = [];
        foreach ($this->columns as $key => $column) {
            $order = $this->order[$key] ?? ['url' => null, 'aria' => null];
            $head[] = $column + $order + ['main' => $order['aria'] !== null];
        }

        return [
            'kind' => 'table',
            'id' => $this->id,
            'title' => $this->title,
            'caption' => $this->caption,
            'empty' => $this->empty,
            'note' => $this->note,
            'head' => $head,
            'rows' => array_slice($this->rows, 0, $this->shown),
            'total' => count($this->rows),
            'more_url' => $this->moreUrl,
        ];
    }

    /**
     * A name that comes from the store.
     *
     * @param string $besides in small letters: a place
     *
     * @return FleetCell
     */
    public static function name(string $name, ?string $url, string $none = '', string $besides = '', string $badge = ''): array
    {
        return [
            'kind' => 'name', 'name' => $name === '' ? $none : $name, 'url' => $url, 'value' => $name, 'besides' => $besides,
            'badge' => $badge,
        ];
    }

    /** @return FleetCell */
    public static function text(string $text, ?string $url = null, string $title = ''): array
    {
        return ['kind' => 'text', 'text' => $text, 'url' => $url, 'title' => $title, 'value' => $text, 'label' => ''];
    }

    /** @return FleetCell nothing for 0 where it is $isRare */
    public static function count(int|float $count, bool $isRare = false, ?string $url = null): array
    {
        $text = $count == 0 && $isRare ? '' : Units::count($count);

        return ['value' => $count] + self::text($text, $text === '' ? null : $url);
    }

    /** @return FleetCell */
    public static function ratio(float $ratio): array
    {
        return ['value' => $ratio] + self::text(number_format($ratio, 2, '.', ' '));
    }

    /** @return FleetCell */
    public static function failed(int $failed, int $requests): array
    {
        $share = $failed === 0 ? '' : Units::percent($failed, max(1, $requests)) . ' of the requests';

        return ['kind' => 'failed', 'text' => $failed === 0 ? '' : Units::count($failed), 'title' => $share, 'value' => $failed];
    }

    /**
     * @param int|float|null $us microseconds
     * @param int|float $whole for a bar
     *
     * @return FleetCell
     */
    public static function time(int|float|null $us, int|float $whole = 0, ?string $url = null, string $label = ''): array
    {
        $cell = Cells::value($us, ShownMetric::of('wt'), $whole, $whole > 0);

        return ['kind' => 'figure', 'cell' => $cell, 'url' => $url, 'label' => $label, 'value' => $us];
    }

    /**
     * @param float|null $before µs
     * @param float|null $after  µs
     *
     * @return FleetCell
     */
    public static function change(?float $before, ?float $after): array
    {
        return $before === null || $after === null
            ? self::text('-') + ['value' => 0]
            : [
                'kind' => 'change', 'cell' => Cells::change($before, $after, ShownMetric::of('wt')),
                'growth' => Units::growth($before, $after), 'value' => $after - $before,
            ];
    }

    /** @return FleetCell */
    public static function moment(int $seconds): array
    {
        return ['kind' => 'moment', 'moment' => TimeLabel::of($seconds), 'value' => $seconds];
    }

    /** @return FleetCell */
    public static function badge(string $text, string $title = ''): array
    {
        return ['kind' => 'badge', 'text' => $text, 'title' => $title, 'value' => $text];
    }

    /**
     * @param array<string, string> $links label => address
     * @param string $of what they are of, for readers of the screen
     *
     * @return FleetCell
     */
    public static function links(array $links, string $of): array
    {
        return ['kind' => 'links', 'links' => $links, 'of' => $of, 'value' => ''];
    }

    /**
     * The address of a function's page.
     *
     * @param array<string, string|null> $changes
     */
    public static function functionUrl(FleetQuery $query, string $name, int $fn, array $changes = []): string
    {
        $isSendable = strlen($name) <= 500 && $name !== '' && preg_match('/^[^\x00-\x1F]*$/uD', $name) === 1;

        return $query->url('functions', ($isSendable ? Url::symbolParameter($name) : ['fn' => (string) $fn]) + $changes);
    }
}
