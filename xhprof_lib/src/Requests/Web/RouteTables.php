<?php

declare(strict_types=1);

namespace XHProf\Requests\Web;

use XHProf\Format\Units;
use XHProf\Report\Table;
use XHProf\Report\TimeBar;
use XHProf\Requests\RouteReport;
use XHProf\Run\RequestWindow;
use XHProf\Run\RouteFigures;
use XHProf\Web\Table\ReportTable;

/** The tables of a report on requests by route, with what only pages have: links to single requests, pictures, tooltips. */
final class RouteTables
{
    /** @var array<string, array<string, array{url: string, title: string}>> by a NUL and the route's name, and column */
    private array $known = [];

    /**
     * @param \Closure(string): ?string $url of a route
     * @param string $title what is there
     * @param \Closure(string, RouteFigures): array<string, array{url: string, title: string}> $links of figures, by column
     * @param (\Closure(array<string, mixed>): array<string, string>)|null $last links in a last column: label => URL
     */
    public function __construct(
        private readonly RouteReport $report,
        private readonly \Closure $url,
        private readonly string $title,
        private readonly \Closure $links,
        private readonly ?\Closure $last = null,
    ) {
    }

    public function times(Table $table, int $top): ReportTable
    {
        return new ReportTable($table, $this->additions(...), $this->last, 'routes latencies', $top);
    }

    public function memory(Table $table, int $top): ReportTable
    {
        return new ReportTable($table, $this->additions(...), class: 'routes route-memory', top: $top);
    }

    /**
     * @param array<string, mixed> $row
     *
     * @return array<string, mixed>
     */
    private function additions(array $row, string $key): array
    {
        $figures = $row['figures'];
        if (!$figures instanceof RouteFigures) {
            return [];
        }
        $route = $row['route'];
        $link = $key === 'route' ? null : ($this->known["\0$route"] ??= ($this->links)($route, $figures))[$key] ?? null;
        $all = $this->report->all;

        return ($link === null ? [] : ['url' => $link['url'], 'label' => $link['title']]) + match ($key) {
            'route' => ['url' => ($this->url)($row['route']), 'label' => $this->title]
                + (RouteReport::isBetween($row) ? ['title' => RequestWindow::BETWEEN_HELP] : []),
            'failed' => $figures->failed === 0 ? [] : [
                'tone' => 'bad',
                'title' => Units::percent($figures->failed, max(1, $figures->requests)) . ' of the requests',
            ],
            'shape' => ['template' => 'strip.html.twig', 'part' => ['strip' => Histogram::draw($figures)]],
            'total' => ['share' => $all->wall, 'bar' => $all->wall],
            'samples' => ['share' => $all->samples],
            'by_all' => ['share' => $all->allocations->allocated, 'bar' => $all->allocations->allocated],
            'where' => ['template' => 'time_strip.html.twig', 'part' => ['bar' => TimeBar::of($figures->times())?->drawn()]],
            'waits' => ['title' => RouteReport::waits($figures)],
            'after' => $figures->early === 0 ? [] : ['title' => sprintf(
                '%s of %s requests went on, for %s on average',
                Units::count($figures->early),
                Units::count($figures->requests),
                Units::us($figures->meanAfter() ?? 0),
            )],
            'suspended' => $figures->suspended === 0 ? [] : ['title' => sprintf(
                '%s of %s requests were suspended, for %s on average; %s of the wall time',
                Units::count($figures->suspended),
                Units::count($figures->requests),
                Units::us($figures->meanSuspended() ?? 0),
                Units::percent($figures->suspendedTime, max(1, $figures->wall)),
            )],
            'unsampled' => $figures->unsampled === 0 ? [] : ['title' => sprintf(
                '%s of %s requests began a profile or a job of their own, or could not be sampled',
                Units::count($figures->unsampled),
                Units::count($figures->requests),
            )],
            default => [],
        };
    }
}
