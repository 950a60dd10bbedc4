<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Format\Units;
use XHProf\Profile\CodePlace;
use XHProf\Profile\TimeParts;
use XHProf\Report\Table;
use XHProf\Report\TimeBar;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Table\ReportTable;
use XHProf\Web\Templates;

/**
 * What all pages of the fleet have: the store, what is asked of it, and how the answer is shown.
 *
 * @phpstan-import-type Row from Table
 * @phpstan-import-type Additions from ReportTable
 */
final class FleetContext
{
    public function __construct(
        public readonly Client $client,
        public readonly FleetQuery $query,
        public readonly Request $request,
        private readonly Templates $view,
    ) {
    }

    /**
     * A page of figures, drawings and tables.
     *
     * @param array<string, mixed> $top    of FleetHead
     * @param list<array<string, mixed>|ReportTable|null> $blocks from top to bottom; null for none
     */
    public function page(array $top, array $blocks): Response
    {
        return $this->template('fleet.html.twig', $top, ['blocks' => array_map(
            static fn (array|ReportTable $block): array => $block instanceof ReportTable ? $block->toArray() : $block,
            array_values(array_filter($blocks, static fn (array|ReportTable|null $block): bool => $block !== null)),
        )]);
    }

    /**
     * @param array<string, mixed> $top
     * @param array<string, mixed> $variables
     */
    public function template(string $template, array $top, array $variables): Response
    {
        return $this->view->page($template, ['top' => $top] + $variables);
    }

    /**
     * @return array<string, mixed>
     */
    public function top(string $show, string $title, string $detail = ''): array
    {
        return (new FleetHead($this->client, $this->query))->variables($show, $title, $detail);
    }

    /**
     * A table of a report, with the links that all pages have.
     *
     * @param string $id of its section
     * @param (\Closure(Row, string): Additions)|null $more to the cell of a column, before the usual additions
     * @param (\Closure(Row): array<string, string>)|null $links label => address
     */
    public function table(Table $table, string $id, ?\Closure $more = null, ?\Closure $links = null): ReportTable
    {
        return new ReportTable(
            $table,
            fn (array $row, string $key): array => ($more === null ? [] : $more($row, $key)) + $this->usual($row, $key),
            $links,
            id: $id,
        );
    }

    /**
     * Lets the reader sort a table of this page.
     *
     * @param array<string, string|null> $own parameters of the page
     */
    public function sortable(ReportTable $table, string $show, array $own = []): ReportTable
    {
        return $table->ordered($this->request, fn (array $order): string => $this->query->url($show, $order + $own));
    }

    /**
     * @param Row $row
     *
     * @return Additions
     */
    private function usual(array $row, string $key): array
    {
        $value = $row[$key] ?? null;
        $name = is_string($value) ? $value : '';

        return match ($key) {
            'function' => [
                'url' => $this->query->functionUrl($name),
                'place' => ($row['file'] ?? '') === '' ? null : self::place((string) $row['file'], (int) ($row['line'] ?? 0)),
            ],
            'route' => self::named($name, '(no route)', $this->query->url('routes', ['route' => $name])),
            'service' => self::named($name, '(no name)', $this->query->url('routes', ['service' => $name])),
            'host' => self::named($name, '(no name)', $this->query->url('routes', ['host' => $name]))
                + (($row['is_outlier'] ?? false) === true ? ['badge' => 'stands out'] : []),
            'failed' => (int) $value === 0 ? ['text' => ''] : [
                'tone' => 'bad',
                'title' => Units::percent((int) $value, max(1, (int) ($row['requests'] ?? 0))) . ' of the requests',
            ],
            default => [],
        };
    }

    /** @return Additions of a name, which may be nothing */
    public static function named(string $name, string $none, ?string $url): array
    {
        return ($name === '' ? ['text' => $none] : []) + ['url' => $url];
    }

    /** "src/Catalog.php:12". */
    public static function place(string $file, int $line): string
    {
        return $file === '' ? '' : (new CodePlace($file, $line))->text();
    }

    /**
     * @param list<array{label: string, text: string, exact: string}> $tiles
     *
     * @return array<string, mixed>
     */
    public static function tiles(array $tiles): array
    {
        return ['kind' => 'tiles', 'tiles' => $tiles];
    }

    /** @return array<string, mixed>|null */
    public static function where(?TimeParts $times): ?array
    {
        $bar = TimeBar::of($times);

        return $bar === null ? null : ['kind' => 'where', 'bar' => $bar->drawn()];
    }

    /**
     * @param 'note'|'warning'|'empty' $class
     * @param array<string, string> $links label => address
     *
     * @return array<string, mixed>
     */
    public static function notice(string $text, string $class = 'note', array $links = []): array
    {
        return ['kind' => 'notice', 'text' => $text, 'class' => $class, 'links' => $links];
    }

    /**
     * @param array<string, string> $links label => address
     *
     * @return array<string, mixed>
     */
    public static function links(array $links): array
    {
        return ['kind' => 'links', 'links' => $links];
    }

    /**
     * What is said where nothing has arrived, and where to look.
     *
     * @return array<string, mixed>
     */
    public function nothing(string $show, string $what): array
    {
        $period = $this->query->period();
        $wider = $period === 'all that is kept' ? [] : [
            'Last 7 days' => $this->query->url($show, ['last' => '7d', 'from' => null, 'to' => null]),
            'Any time' => $this->query->url($show, ['last' => 'all', 'from' => null, 'to' => null]),
        ];

        return self::notice("No $what of this selection have arrived ($period).", 'empty', $wider);
    }
}
