<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Exception\StoreError;
use XHProf\Heap\Snapshots;
use XHProf\Heap\SnapshotsReport;
use XHProf\Report\Table;
use XHProf\Web\Http\Flash;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\Paging;
use XHProf\Web\Table\ReportTable;
use XHProf\Web\Templates;

/**
 * index.php?view=heap: all heap snapshots, newest first, filtered and sorted.
 *
 * Parameters: page, q (text in command, URL, name, host, process or PHP version), sort, dir; pick (two of them, by the form of a
 * snapshot: leads to their comparison). The list's own form: see HeapActions.
 *
 * @phpstan-import-type Row from Table
 */
final class HeapListPage
{
    private const PER_PAGE = 50;

    public function __construct(private readonly Snapshots $snapshots, private readonly Templates $view)
    {
    }

    /** @throws HttpError */
    public function respond(Request $request): Response
    {
        $picked = $request->values('pick');
        if ($picked !== []) {
            return (new HeapActions($this->snapshots, $this->view))->compare($picked);
        }
        $query = $request->typed('q');
        $asked = ReportTable::order($request, SnapshotsReport::SORTS);
        $order = ReportTable::order($request, SnapshotsReport::SORTS, 'time');
        $page = $request->number('page', 1);
        try {
            $report = (new SnapshotsReport($this->snapshots))->report($order, $query, self::PER_PAGE, ($page - 1) * self::PER_PAGE);
        } catch (StoreError) {
            return $this->view->page('runs_empty.html.twig', ['unreadable' => true, 'folder' => null], 500);
        }
        $paging = new Paging($report->facts['found'], self::PER_PAGE, $page);
        $state = ['view' => 'heap', 'q' => $query];
        $sorted = ['sort' => $asked?->by, 'dir' => $request->text('dir')];
        $table = (new ReportTable($report->tables[0], self::additions(...), class: 'runs heap-list'))
            ->paged($paging, true, $order, SnapshotsReport::SORTS, static fn (array $sort): string
                => Url::index(['sort' => $sort['sort'] ?? null, 'dir' => $sort['dir'] ?? null] + $state))
            ->picked(static fn (array $row): string => $row['name'], 'Pick the snapshot');

        return Flash::clear($this->view->page('heap_list.html.twig', [
            'table' => ['pages' => ['previous' => null, 'next' => null]] + $table->toArray(),
            'query' => $query,
            'total' => $report->facts['total'],
            'searched' => $query === '' ? 0 : SnapshotsReport::MOST,
            'order' => ['view' => 'heap'] + $sorted,
            'clear_url' => Url::index(['view' => 'heap'] + $sorted),
            'paging' => $paging,
            'pages' => $paging->links(static fn (int $page): string => Url::index($state + $sorted + ['page' => $page])),
            'is_writable' => $this->snapshots->isWritable(),
            'told' => Flash::message($request),
        ]), $request);
    }

    /**
     * @param Row $row
     * @return array{url?: string|null, place?: string, badge?: string}
     */
    private static function additions(array $row, string $key): array
    {
        return $key !== 'title' ? [] : [
            'url' => $row['usable'] ? (new HeapUrl($row['name']))->page() : null,
            'badge' => $row['damage'] === '' ? '' : 'damaged',
            'place' => trim("$row[damage] " . ($row['title'] === $row['name'] ? '' : $row['name'])),
        ];
    }
}
