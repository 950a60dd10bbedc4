<?php

declare(strict_types=1);

namespace XHProf\Requests;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\RunTooLarge;
use XHProf\Format\Units;
use XHProf\Owners\Grouping;
use XHProf\Owners\GroupSums;
use XHProf\Owners\RouteHost;
use XHProf\Profile\Metrics;
use XHProf\Report\Column;
use XHProf\Report\Heading;
use XHProf\Report\Order;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Run\RunRecording;
use XHProf\Store\RunFolder;
use XHProf\Store\RunQuery;

/**
 * Which part of the time of each route, or of each site, packages, plug-ins or owners have: of the windows of a folder, or where it
 * has none of its saved requests.
 */
final class GroupShares
{
    /** Orders of the rows, and the usual one. */
    public const ORDERS = ['total', 'share', 'per_request', 'row', 'group'];
    public const USUAL = 'total';

    private const SAVED = 'These are the saved requests: there are no windows of all.';

    /** What is not part of a route: requests of a folder that say none. */
    private const NO_ROUTE = '(no route)';

    /** Most runs of a folder that are read, the newest. */
    public const MOST = 2000;

    private readonly GroupSums $sums;

    /** Windows, or saved runs, that were read; runs that could not be read; folders without a run. */
    private int $windows = 0;
    private int $damaged = 0;
    private int $empty = 0;
    private int $folders = 0;
    private bool $isCut = false;

    public function __construct(private readonly Grouping $grouping, private readonly string $route, private readonly bool $perSite)
    {
        $this->sums = new GroupSums(new Grouping($grouping->by, $grouping->owners));
    }

    /**
     * @param string|null $site whose runs these are; null where the routes say it
     * @param bool $isOneOfMany whether there are more folders
     * @param float|null $seconds after which no further run is read; null for no such limit
     *
     * @throws \XHProf\Exception\StoreError if the folder cannot be read
     */
    public function add(RunFolder $store, RunQuery $query, ?string $site, bool $isOneOfMany = false, ?float $seconds = null): void
    {
        $until = $seconds === null ? INF : microtime(true) + $seconds;
        $this->folders++;
        $catalog = $isOneOfMany ? $store->passingCatalog() : $store->catalog();
        $ofWindows = ['start' => RunRecording::WINDOW, 'requests' => false, 'route' => '', 'sort' => 'time', 'descending' => true];
        $ids = $catalog->ids($query->with($ofWindows));
        $this->windows += count($ids);
        if ($ids === []) {
            $ids = $catalog->ids($query->with(['start' => '', 'single' => true, 'sort' => 'time', 'descending' => true]));
        }
        $this->empty += (int) ($ids === []);
        foreach ($ids as $at => $id) {
            if ($at >= self::MOST || microtime(true) >= $until) {
                $this->isCut = true;
                break;
            }
            try {
                $this->sums->add($store->open($id), fn (string $route): ?string => $this->row($route, $site));
            } catch (RunNotFound | DamagedRun | InvalidProfile | RunTooLarge) {
                $this->damaged++; // or it was removed meanwhile
            }
        }
    }

    /** @param int $limit of rows; 0 for all */
    public function report(?Order $order, int $limit): Report
    {
        $table = $this->table()->ordered($order ?? new Order(self::USUAL));
        $all = count($table->rows);
        $what = $this->perSite ? 'sites' : 'routes';
        $noun = $this->grouping->by->noun();
        $shown = $table->first($limit, "lines, a $noun of a " . rtrim($what, 's') . ' each');
        $rows = $this->sums->rows();

        return new Report([$shown], $this->notes(), [
            'by' => $this->grouping->by->value,
            'per' => $this->perSite ? 'site' : 'route',
            'metric' => $this->sums->metric(),
            'folders' => $this->folders,
            'runs' => $this->sums->runs,
            'windows' => $this->windows,
            "{$what}_total" => count($rows),
            'rows_total' => $all,
        ], $rows === [] ? [] : [new Heading('', [sprintf(
            '%s of %s%s; own time of each %s, with that of PHP\'s functions which it calls',
            $this->metricWords(),
            Units::counted(count($rows), rtrim($what, 's')),
            $this->folders > 1 ? ' in ' . Units::counted($this->folders, 'folder') : '',
            $noun,
        )])]);
    }

    /** All rows: a route, or a site, with a group of it. */
    public function table(): Table
    {
        $rows = [];
        foreach ($this->sums->rows() as ['row' => $name, 'requests' => $requests, 'ns' => $whole, 'groups' => $groups]) {
            foreach ($groups as $group => $ns) {
                if ($this->grouping->one !== null && $this->grouping->one !== substr($group, 1)) {
                    continue;
                }
                $rows[] = [
                    'row' => $name,
                    'group' => substr($group, 1),
                    'time_us' => $ns / 1000,
                    'share' => $whole === 0 ? 0 : $ns / $whole,
                    'per_request_us' => $requests === 0 ? null : $ns / 1000 / $requests,
                    'requests' => $requests,
                ];
            }
        }
        $noun = $this->grouping->by->noun();
        $row = $this->perSite ? 'site' : 'route';

        return new Table('rows', [
            new Column('row', Unit::Name, $row, label: $this->perSite ? 'Site' : 'Route or job', sort: 'row'),
            new Column('group', Unit::Name, $noun, sort: 'group'),
            new Column('time_us', Unit::Microseconds, 'total', sort: 'total', help: "All own time of the $noun in these requests"),
            new Column('share', Unit::Percent, 'share', 1, help: "Its share of the time of the $row", sort: 'share'),
            new Column('per_request_us', Unit::Microseconds, 'per request', Column::PHONE, sort: 'per_request'),
            new Column('requests', Unit::Count, 'requests', Column::PHONE + 1, sort: null),
        ], $rows, 'No run of these has requests with times.', printed: [
            'time_us', 'share', 'per_request_us', 'requests', 'group', 'row',
        ]);
    }

    private function row(string $route, ?string $site): ?string
    {
        if ($this->route !== '' && $route !== $this->route) {
            return null;
        }
        if (!$this->perSite) {
            return $route === '' ? self::NO_ROUTE : $route;
        }

        return $site ?? RouteHost::of($route);
    }

    private function metricWords(): string
    {
        return ucfirst(Metrics::of((string) $this->sums->metric())->words());
    }

    /** @return list<string> sentences on what is left out */
    public function notes(): array
    {
        $say = static fn (int $count, string $text): array => $count === 0 ? [] : [Units::counted($count, 'run') . " $text"];

        return [
            ...($this->windows > 0 || $this->sums->runs === 0 ? [] : [self::SAVED]),
            ...$say($this->damaged, 'could not be read.'),
            ...$say($this->sums->skipped, 'without such a time left out.'),
            ...($this->empty > 0 && $this->folders > 1 ? [Units::counted($this->empty, 'folder') . ' without a run.'] : []),
            ...($this->isCut ? ['Older runs are left out.'] : []),
        ];
    }
}
