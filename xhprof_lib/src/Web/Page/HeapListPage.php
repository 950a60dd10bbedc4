<?php

declare(strict_types=1);

namespace XHProf\Web\Page;

use XHProf\Exception\StoreError;
use XHProf\Format\Units;
use XHProf\Web\Heap\HeapUrl;
use XHProf\Web\Heap\Snapshots;
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
 * Parameters: page, pick (two of them, by the form: leads to their comparison).
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
            return $this->compare($picked);
        }
        try {
            $all = $this->snapshots->all();
        } catch (StoreError) {
            return $this->view->page('runs_empty.html.twig', ['unreadable' => true, 'folder' => null], 500);
        }
        $paging = new Paging(count($all), self::PER_PAGE, $request->number('page', 1));

        return $this->view->page('heap_list.html.twig', [
            'rows' => array_map($this->line(...), array_values($paging->slice($all))),
            'paging' => $paging,
            'pages' => $paging->links(static fn (int $page): string => Url::index(['view' => 'heap', 'page' => $page])),
        ]);
    }

    /**
     * @param list<string> $picked
     * @throws HttpError
     */
    private function compare(array $picked): Response
    {
        if (count($picked) !== 2) {
            throw new HttpError(400, 'A comparison takes two snapshots: pick two of the list.');
        }
        $times = [];
        foreach ($picked as $name) {
            $size = $this->snapshots->size($name);
            $times[$name] = $size === null ? 0.0 : $this->snapshots->head($name)->time() ?? 0.0;
        }
        asort($times);
        [$before, $after] = array_map(strval(...), array_keys($times)) + [1 => $picked[1]];

        return Response::redirect(HeapUrl::diff($before, $after));
    }

    /**
     * @param array{name: string, size: int, mtime: int} $file
     * @return array<string, mixed>
     */
    private function line(array $file): array
    {
        $head = $this->snapshots->head($file['name']);
        $bytes = Metric::heap('bytes');
        $usage = $head->number('usage') ?? $head->sums['usage'] ?? null;
        $tiers = [];
        foreach (['typed', 'native', 'unreachable'] as $tier) {
            $tiers[$tier] = isset($head->sums[$tier]) && ($head->sums['usage'] ?? 0) > 0
                ? Units::percent($head->sums[$tier], $head->sums['usage']) : '';
        }

        return [
            'name' => $file['name'],
            'url' => (new HeapUrl($file['name']))->page(),
            'title' => $head->title() === '' ? $file['name'] : $head->title(),
            'damage' => $head->damage,
            'usable' => $head->header !== [],
            'time' => Moment::of($head->time() ?? (float) $file['mtime']),
            'php' => $head->text('php'),
            'process' => trim($head->text('sapi') . ' ' . $head->text('pid')),
            'host' => $head->text('host'),
            'usage' => Cells::figure($usage, $bytes),
            'peak' => Cells::figure($head->number('peak'), $bytes),
            'nodes' => Cells::figure($head->sums['nodes'] ?? null, Metric::heap('count')),
            'typed' => $tiers['typed'],
            'size' => Cells::figure($file['size'], $bytes),
        ];
    }
}
