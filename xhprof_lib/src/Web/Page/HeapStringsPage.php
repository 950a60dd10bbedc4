<?php

declare(strict_types=1);

namespace XHProf\Web\Page;

use XHProf\Format\Units;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\HeapNode;
use XHProf\Web\Heap\HeapHeader;
use XHProf\Web\Heap\HeapLines;
use XHProf\Web\Heap\NodeFinder;
use XHProf\Web\Heap\SnapshotHead;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\Metric;
use XHProf\Web\Table\Paging;
use XHProf\Web\View;

/**
 * index.php?view=heap&heap=NAME&show=strings: contents that more than one string has; with node, the strings with the content
 * of that one, and what holds them.
 *
 * Parameters: node, page.
 */
final class HeapStringsPage
{
    private const PER_PAGE = 50;
    private const HOLDERS = 20;

    /** Most strings of one content whose retaining paths are added up. */
    private const MAX_HELD = 100000;

    public function __construct(private readonly View $view)
    {
    }

    /** @throws HttpError 404 for a string without an equal one */
    public function respond(Request $request, HeapIndex $index, SnapshotHead $head, string $name): Response
    {
        $lines = new HeapLines($index, $name);
        $page = $request->number('page', 1);

        return $request->has('node')
            ? $this->one(NodeFinder::find($index, $request), $page, $index, $head, $name, $lines)
            : $this->all($page, $index, $head, $name, $lines);
    }

    private function all(int $page, HeapIndex $index, SnapshotHead $head, string $name, HeapLines $lines): Response
    {
        $sums = $index->equalStringSums();
        $paging = new Paging($sums['groups'], self::PER_PAGE, $page);
        $usage = $index->summary()['usage'];
        $rows = [];
        foreach ($index->equalStrings(($paging->page - 1) * self::PER_PAGE, self::PER_PAGE) as $group) {
            $node = $group['example'];
            $rows[] = [
                'node' => $lines->node($node),
                'where' => $index->path($node)->text,
                'url' => $lines->url->equal($node),
                'cells' => [
                    Cells::value($group['count'], Metric::heap('count')),
                    Cells::value($node->block, Metric::heap('bytes')),
                    Cells::value($group['bytes'], Metric::heap('bytes'), $usage, true, true),
                ],
            ];
        }
        $state = $lines->url->parameters() + ['show' => 'strings'];

        return $this->view->page('heap_strings.html.twig', [
            'known' => $index->hasStringHashes(),
            'sums' => $lines->bytes($sums['bytes']) + ['copies' => $sums['copies']],
            'rows' => $rows,
            'paging' => $paging,
            'pages' => $paging->links(static fn (int $page): string => Url::index($state + ['page' => $page])),
        ] + HeapHeader::of($index, $head, $name, 'strings'));
    }

    private function one(
        HeapNode $node,
        int $page,
        HeapIndex $index,
        SnapshotHead $head,
        string $name,
        HeapLines $lines,
    ): Response {
        $group = $index->equalTo($node) ?? throw new HttpError(404, 'No other string of this snapshot has its content.');
        $paging = new Paging($group['count'], self::PER_PAGE, $page);
        $wasted = $lines->bytes($group['bytes']);
        $holders = [];
        foreach ($index->equalRetainers($node, self::HOLDERS, self::MAX_HELD) as $holder) {
            $holders[] = [
                'text' => $holder['text'],
                'example' => $lines->node($holder['example']),
                'cells' => [
                    Cells::value($holder['count'], Metric::heap('count'), $group['count'], true, true),
                    Cells::value($holder['bytes'], Metric::heap('bytes')),
                ],
            ];
        }
        $members = $index->equalMembers($node, ($paging->page - 1) * self::PER_PAGE, self::PER_PAGE);
        $state = $lines->url->parameters() + ['show' => 'strings', 'node' => $node->hex()];

        return $this->view->page('heap_equal.html.twig', [
            'node' => $lines->node($group['example']),
            'tiles' => [
                ['label' => 'Copies', 'text' => Units::count($group['count']), 'title' => '', 'note' => ''],
                [
                    'label' => 'Wasted',
                    'text' => $wasted['text'],
                    'title' => $wasted['exact'] . ' would be free with one of them',
                    'note' => $wasted['share'],
                ],
            ],
            'details' => $index->details($group['example']),
            'holders' => $holders,
            'rows' => $lines->members($members),
            'paging' => $paging,
            'pages' => $paging->links(static fn (int $page): string => Url::index($state + ['page' => $page])),
        ] + HeapHeader::of($index, $head, $name, 'strings'));
    }
}
