<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Exception\StoreError;
use XHProf\Format\Units;
use XHProf\Web\Http\Flash;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\Columns;
use XHProf\Web\Table\Paging;
use XHProf\Web\Table\ShownMetric;
use XHProf\Web\Table\TableSorting;
use XHProf\Web\Table\TimeLabel;
use XHProf\Web\Templates;

/**
 * index.php?view=heap: all heap snapshots, newest first, filtered and sorted.
 *
 * Parameters: page, q (text in command, URL, name, host, process or PHP version), sort, dir; pick (two of them, by the form of a
 * snapshot: leads to their comparison). The list's own form: see HeapActions.
 */
final class HeapListPage
{
    private const PER_PAGE = 50;

    /** Newest snapshots that a filter or an order looks into: each is a file to be opened. */
    private const MOST = 2000;

    /** Sort key => [label, words]. */
    private const COLUMNS = [
        TableSorting::BY_NAME => ['Process', 'Process'],
        'time' => ['Taken', 'Time'],
        'usage' => ['In use', 'memory_get_usage()'],
        'peak' => ['Peak', 'Most memory since the request began; of a snapshot from outside: memory_get_peak_usage()'],
        'nodes' => ['Values', 'Strings, arrays, objects, functions ...'],
        'typed' => ['Known', 'Share of the heap whose type and content are known'],
        'file' => ['File', 'Bytes of the file'],
    ];

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
        try {
            $all = $this->snapshots->all();
        } catch (StoreError) {
            return $this->view->page('runs_empty.html.twig', ['unreadable' => true, 'folder' => null], 500);
        }
        $query = $request->typed('q');
        $sorting = TableSorting::from($request, array_keys(self::COLUMNS), 'time', [TableSorting::BY_NAME]);
        $rows = $this->ordered($this->matching($all, $query), $sorting);
        $paging = new Paging(count($rows), self::PER_PAGE, $request->number('page', 1));
        $order = ['sort' => $sorting->key, 'dir' => $sorting->direction($sorting->key === TableSorting::BY_NAME)];
        $order = $order === ['sort' => 'time', 'dir' => null] ? [] : $order;
        $state = ['view' => 'heap', 'q' => $query] + $order;
        $head = [];
        foreach (self::COLUMNS as $key => [$label, $words]) {
            $url = static fn (array $sort): string => Url::index($sort + ['view' => 'heap', 'q' => $query]);
            $head[$key] = Columns::column($key, $label, $words, $sorting, $url);
        }

        return Flash::clear($this->view->page('heap_list.html.twig', [
            'rows' => array_map($this->line(...), array_values($paging->slice($rows))),
            'head' => $head,
            'query' => $query,
            'total' => count($all),
            'searched' => $query === '' ? 0 : self::MOST,
            'order' => ['view' => 'heap'] + $order,
            'clear_url' => Url::index(['view' => 'heap'] + $order),
            'paging' => $paging,
            'pages' => $paging->links(static fn (int $page): string => Url::index($state + ['page' => $page])),
            'is_writable' => $this->snapshots->isWritable(),
            'told' => Flash::message($request),
        ]), $request);
    }

    /**
     * @param list<array{name: string, size: int, mtime: int}> $all
     * @return list<array{name: string, size: int, mtime: int}>
     */
    private function matching(array $all, string $query): array
    {
        if ($query === '') {
            return $all;
        }
        $query = mb_scrub($query);

        return array_values(array_filter(array_slice($all, 0, self::MOST), function (array $file) use ($query): bool {
            $head = $this->snapshots->head($file['name']);
            $texts = array_map($head->text(...), ['command', 'method', 'url', 'route', 'host', 'sapi', 'php', 'pid']);

            return mb_stripos(mb_scrub(implode("\n", [$file['name'], ...$texts])), $query) !== false;
        }));
    }

    /**
     * @param list<array{name: string, size: int, mtime: int}> $files the newest first
     * @return list<array{name: string, size: int, mtime: int}>
     */
    private function ordered(array $files, TableSorting $sorting): array
    {
        if ($sorting->key === 'time') {
            return $sorting->descending ? $files : array_reverse($files);
        }

        return array_values($sorting->apply(
            array_slice($files, 0, self::MOST),
            fn (array $file): int|float|string|null => $this->sortValue($file, $sorting->key),
        ));
    }

    /** @param array{name: string, size: int, mtime: int} $file */
    private function sortValue(array $file, string $key): int|float|string|null
    {
        if ($key === 'file') {
            return $file['size'];
        }
        $head = $this->snapshots->head($file['name']);
        $usage = $head->sums['usage'] ?? 0;

        return match ($key) {
            TableSorting::BY_NAME => $head->title($file['name']),
            'peak' => $head->number('peak'),
            'nodes' => $head->sums['nodes'] ?? null,
            'typed' => isset($head->sums['typed']) && $usage > 0 ? $head->sums['typed'] / $usage : null,
            default => $head->number('usage') ?? $head->sums['usage'] ?? null,
        };
    }

    /**
     * @param array{name: string, size: int, mtime: int} $file
     * @return array<string, mixed>
     */
    private function line(array $file): array
    {
        $head = $this->snapshots->head($file['name']);
        $sums = $head->sums;
        $bytes = ShownMetric::heap('bytes');
        $usage = $head->number('usage') ?? $sums['usage'] ?? null;

        return [
            'name' => $file['name'],
            'url' => (new HeapUrl($file['name']))->page(),
            'title' => $head->title($file['name']),
            'damage' => $head->damage,
            'usable' => $head->header !== [],
            'time' => TimeLabel::of($head->time() ?? (float) $file['mtime']),
            'php' => $head->text('php'),
            'process' => trim($head->text('sapi') . ' ' . $head->text('pid')),
            'host' => $head->text('host'),
            'usage' => Cells::value($usage, $bytes),
            'peak' => Cells::value($head->number('peak'), $bytes),
            'nodes' => Cells::value($sums['nodes'] ?? null, ShownMetric::heap('count')),
            'typed' => isset($sums['typed']) && ($sums['usage'] ?? 0) > 0 ? Units::percent($sums['typed'], $sums['usage']) : '',
            'size' => Cells::value($file['size'], $bytes),
        ];
    }
}
