<?php

declare(strict_types=1);

namespace XHProf\Web;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Store\RunSummary;

/**
 * index.php without a run: all runs, newest first.
 *
 * Parameters: q (text), only (source), sort, dir, page, with (ID.SOURCE of a run to compare with).
 */
final class RunListPage
{
    private const PER_PAGE = 50;

    /** Bytes of run files read to show figures of runs saved without metadata by older tools. */
    private const READ_BUDGET = 4 << 20;

    /** key => [label, title] */
    private const COLUMNS = [
        'title' => ['Run', 'Command or URL'],
        'source' => ['Source', 'Source: the name of the application'],
        'time' => ['Time', 'When it began'],
        'wt' => ['Wall', 'Wall time'],
        'cpu' => ['CPU', 'CPU time'],
        'pmu' => ['Peak memory', 'Peak memory'],
        'ct' => ['Calls', 'Number of calls'],
        'host' => ['Host', 'Host'],
    ];

    private const TEXT_COLUMNS = ['title', 'source', 'host'];

    public function __construct(private readonly Runs $runs, private readonly View $view)
    {
    }

    public function respond(Request $request): Response
    {
        try {
            $summaries = $this->runs->store->list();
        } catch (StoreError) {
            return $this->view->page('runs_empty.html.twig', ['unreadable' => true, 'folder' => $this->folder()], 500);
        }
        if ($summaries === []) {
            return $this->view->page('runs_empty.html.twig', ['unreadable' => false, 'folder' => $this->folder()]);
        }
        $all = $this->rows($summaries);
        $query = $request->typed('q');
        // Not "source": that one belongs to the classic run parameters, and "source=" must not hide the list.
        $source = $request->text('only');
        $rows = array_filter($all, static fn (RunRow $row): bool
            => ($source === '' || $row->id->source === $source) && ($query === '' || $row->matches($query)));
        $sorting = Sorting::from($request, array_keys(self::COLUMNS), 'time', self::TEXT_COLUMNS);
        $rows = $sorting->apply($rows, static fn (RunRow $row): int|float|string|null => $row->sortValue($sorting->key));
        $paging = new Paging(count($rows), self::PER_PAGE, $request->number('page', 1));
        $with = $this->baseOf($request->text('with'), $all);
        $filter = ['q' => $query, 'only' => $source, 'with' => $with === null ? null : (string) $with->id];
        $order = ['sort' => $sorting->key, 'dir' => $sorting->direction(in_array($sorting->key, self::TEXT_COLUMNS, true))];

        return $this->view->page('runs.html.twig', [
            'head' => $this->head($sorting, $filter),
            'rows' => array_map($this->line(...), array_values($paging->slice($rows))),
            'paging' => $paging,
            'pages' => $paging->links(static fn (int $page): string => Url::index($filter + $order + ['page' => $page])),
            'query' => $query,
            'source' => $source,
            'sources' => $this->sources($all),
            'order' => $order,
            'total' => count($all),
            'with' => $with === null ? null : $this->line($with),
        ]);
    }

    /**
     * @param list<RunSummary> $summaries newest first
     * @return list<RunRow>
     */
    private function rows(array $summaries): array
    {
        $rows = [];
        $budget = self::READ_BUDGET;
        foreach ($summaries as $run) {
            $totals = [];
            $error = $run->error === null ? null : $this->runs->publicText(new DamagedRun($run->error));
            $note = null;
            if ($run->meta->totals === [] && $run->bytes > 0 && $run->bytes <= $budget) {
                $budget -= $run->bytes;
                try {
                    $totals = array_map(intval(...), $this->runs->store->load($run->id)->totals());
                    // It can be opened: only its metadata is damaged.
                    [$note, $error] = [$error, null];
                } catch (DamagedRun | RunNotFound | StoreError $e) {
                    $error = $this->runs->publicText($e);
                }
            }
            $rows[] = RunRow::of($run, $totals, $error, $note);
        }

        return $rows;
    }

    /** @return array<string, mixed> what the template shows of one run */
    private function line(RunRow $row): array
    {
        $wall = Metric::of('wt');

        return [
            'title' => $row->title,
            'pick' => (string) $row->id,
            'id' => $row->id->id,
            'source' => $row->id->source,
            'url' => Url::index(Url::runParameters($row->id)),
            'time' => Moment::of($row->time),
            'figures' => [
                Cells::figure($row->wall, $wall),
                Cells::figure($row->cpu, Metric::of('cpu')),
                Cells::figure($row->memory, Metric::of('pmu')),
                Cells::figure($row->calls, Metric::of('ct')),
            ],
            'host' => $row->host,
            'git' => $row->git,
            'error' => $row->error,
            'note' => $row->note,
        ];
    }

    /**
     * @param array<string, ?string> $filter
     * @return list<array{key: string, label: string, title: string, url: string, aria: ?string, numeric: bool}>
     */
    private function head(Sorting $sorting, array $filter): array
    {
        $head = [];
        foreach (self::COLUMNS as $key => [$label, $title]) {
            $head[] = [
                'key' => $key,
                'label' => $label,
                'title' => $title,
                'url' => Url::index($filter + $sorting->linkTo($key, in_array($key, self::TEXT_COLUMNS, true))),
                'aria' => $sorting->aria($key),
                'numeric' => in_array($key, ['wt', 'cpu', 'pmu', 'ct'], true),
            ];
        }

        return $head;
    }

    /**
     * @param list<RunRow> $rows
     * @return list<string>
     */
    private function sources(array $rows): array
    {
        $sources = array_values(array_unique(array_map(static fn (RunRow $row): string => $row->id->source, $rows)));
        sort($sources, SORT_STRING);

        return $sources;
    }

    /** @param list<RunRow> $rows */
    private function baseOf(string $with, array $rows): ?RunRow
    {
        foreach ($rows as $row) {
            if ((string) $row->id === $with) {
                return $row;
            }
        }

        return null;
    }

    /**
     * The run folder, told only by PHP's development server: on a public server a path is nobody's
     * business, on one's own machine it is the first thing to check.
     */
    private function folder(): ?string
    {
        return PHP_SAPI === 'cli-server' ? $this->runs->store->directory() : null;
    }
}
