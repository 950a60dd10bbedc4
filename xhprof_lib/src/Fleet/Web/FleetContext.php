<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Templates;

/** What all pages of the fleet have: the store, what is asked of it, and how the answer is shown. */
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
     * @param list<array<string, mixed>|FleetTable|null> $blocks from top to bottom; null for none
     */
    public function page(array $top, array $blocks): Response
    {
        return $this->template('fleet.html.twig', $top, ['blocks' => array_map(
            static fn (array|FleetTable $block): array => $block instanceof FleetTable ? $block->toArray() : $block,
            array_values(array_filter($blocks, static fn (array|FleetTable|null $block): bool => $block !== null)),
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
        return (new FleetHead($this->client, $this->query))->of($show, $title, $detail);
    }

    /**
     * Lets the reader sort a table of this page.
     *
     * @param array<string, string|null> $own parameters of the page
     */
    public function sortable(FleetTable $table, string $show, array $own = []): FleetTable
    {
        return $table->ordered($this->request, fn (array $order): string => $this->query->url($show, $order + $own));
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
