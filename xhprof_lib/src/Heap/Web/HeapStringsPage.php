<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Format\Units;
use XHProf\Heap\HeapNode;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\Paging;
use XHProf\Web\Table\ShownMetric;

/**
 * index.php?view=heap&heap=NAME&show=strings: contents that more than one string has; with node, the strings with the content
 * of that one, and what holds them.
 *
 * Parameters: node, page.
 */
final class HeapStringsPage extends HeapSnapshotPage
{
    private const PER_PAGE = 50;
    private const HOLDERS = 20;

    /** Most strings of one content whose retaining paths are added up. */
    private const MAX_HELD = 100000;

    /** @throws HttpError 404 for a string without an equal one */
    public function respond(Request $request): Response
    {
        $page = $request->number('page', 1);

        return $request->has('node')
            ? $this->one($this->node($request), $page)
            : $this->all($page);
    }

    private function all(int $page): Response
    {
        $sums = $this->index->equalStringSums();
        $paging = new Paging($sums['groups'], self::PER_PAGE, $page);
        $usage = $this->index->summary()['usage'];
        $rows = [];
        foreach ($this->index->equalStrings(($paging->page - 1) * self::PER_PAGE, self::PER_PAGE) as $group) {
            $node = $group['example'];
            $rows[] = [
                'node' => $this->lines->node($node),
                'where' => $this->index->path($node)->text,
                'url' => $this->lines->url->equal($node),
                'cells' => [
                    Cells::value($group['count'], ShownMetric::heap('count')),
                    Cells::value($node->block, ShownMetric::heap('bytes')),
                    Cells::value($group['bytes'], ShownMetric::heap('bytes'), $usage, true, true),
                ],
            ];
        }
        $state = $this->lines->url->parameters() + ['show' => 'strings'];

        return $this->page('heap_strings.html.twig', [
            'known' => $this->index->hasStringHashes(),
            'sums' => $this->lines->bytes($sums['bytes']) + ['copies' => $sums['copies']],
            'rows' => $rows,
            'paging' => $paging,
            'pages' => $paging->links(static fn (int $page): string => Url::index($state + ['page' => $page])),
        ], 'strings');
    }

    private function one(HeapNode $node, int $page): Response
    {
        $group = $this->index->equalTo($node) ?? throw new HttpError(404, 'No other string of this snapshot has its content.');
        $paging = new Paging($group['count'], self::PER_PAGE, $page);
        $wasted = $this->lines->bytes($group['bytes']);
        $holders = [];
        foreach ($this->index->equalRetainers($node, self::HOLDERS, self::MAX_HELD) as $holder) {
            $holders[] = [
                'text' => $holder['text'],
                'example' => $this->lines->node($holder['example']),
                'cells' => [
                    Cells::value($holder['count'], ShownMetric::heap('count'), $group['count'], true, true),
                    Cells::value($holder['bytes'], ShownMetric::heap('bytes')),
                ],
            ];
        }
        $members = $this->index->equalMembers($node, ($paging->page - 1) * self::PER_PAGE, self::PER_PAGE);
        $state = $this->lines->url->parameters() + ['show' => 'strings', 'node' => $node->hex()];

        return $this->page('heap_equal.html.twig', [
            'node' => $this->lines->node($group['example']),
            'tiles' => [
                self::tile('Copies', Units::count($group['count'])),
                self::tile('Wasted', $wasted['text'], $wasted['exact'] . ' would be free with one of them', $wasted['share']),
            ],
            'details' => $this->index->details($group['example']),
            'holders' => $holders,
            'rows' => $this->lines->members($members),
            'paging' => $paging,
            'pages' => $paging->links(static fn (int $page): string => Url::index($state + ['page' => $page])),
        ], 'strings');
    }
}
