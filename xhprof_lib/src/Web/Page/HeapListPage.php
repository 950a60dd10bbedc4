<?php

declare(strict_types=1);

namespace XHProf\Web\Page;

use XHProf\Exception\StoreError;
use XHProf\Format\Units;
use XHProf\Web\Heap\HeapUrl;
use XHProf\Web\Heap\Snapshots;
use XHProf\Web\Http\Flash;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\Metric;
use XHProf\Web\Table\Moment;
use XHProf\Web\Table\Paging;
use XHProf\Web\View;

/**
 * index.php?view=heap: all heap snapshots, newest first.
 *
 * Parameters: page, pick (two of them, by the form of a snapshot: leads to their comparison). The list's own form: see HeapActions.
 */
final class HeapListPage
{
    private const PER_PAGE = 50;

    public function __construct(private readonly Snapshots $snapshots, private readonly View $view)
    {
    }

    /** @throws HttpError */
    public function respond(Request $request): Response
    {
        $picked = $request->values('pick');
        if ($picked !== []) {
            return (new HeapActions($this->snapshots, $this->view))->compare($picked);
        }
        try {
            $all = $this->snapshots->all();
        } catch (StoreError) {
            return $this->view->page('runs_empty.html.twig', ['unreadable' => true, 'folder' => null], 500);
        }
        $paging = new Paging(count($all), self::PER_PAGE, $request->number('page', 1));

        return Flash::clear($this->view->page('heap_list.html.twig', [
            'rows' => array_map($this->line(...), array_values($paging->slice($all))),
            'paging' => $paging,
            'pages' => $paging->links(static fn (int $page): string => Url::index(['view' => 'heap', 'page' => $page])),
            'is_writable' => $this->snapshots->isWritable(),
            'told' => Flash::message($request),
        ]), $request);
    }

    /**
     * @param array{name: string, size: int, mtime: int} $file
     * @return array<string, mixed>
     */
    private function line(array $file): array
    {
        $head = $this->snapshots->head($file['name']);
        $sums = $head->sums;
        $bytes = Metric::heap('bytes');
        $usage = $head->number('usage') ?? $sums['usage'] ?? null;

        return [
            'name' => $file['name'],
            'url' => (new HeapUrl($file['name']))->page(),
            'title' => $head->title($file['name']),
            'damage' => $head->damage,
            'usable' => $head->header !== [],
            'time' => Moment::of($head->time() ?? (float) $file['mtime']),
            'php' => $head->text('php'),
            'process' => trim($head->text('sapi') . ' ' . $head->text('pid')),
            'host' => $head->text('host'),
            'usage' => Cells::value($usage, $bytes),
            'peak' => Cells::value($head->number('peak'), $bytes),
            'nodes' => Cells::value($sums['nodes'] ?? null, Metric::heap('count')),
            'typed' => isset($sums['typed']) && ($sums['usage'] ?? 0) > 0 ? Units::percent($sums['typed'], $sums['usage']) : '',
            'size' => Cells::value($file['size'], $bytes),
        ];
    }
}
