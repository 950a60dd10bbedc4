<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Format\Units;
use XHProf\Heap\HeapNode;
use XHProf\Heap\HoldersReport;
use XHProf\Heap\StringsReport;
use XHProf\Heap\ValuesReport;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Table\Paging;

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

    /** @throws HttpError 404 for a string without an equal one */
    public function respond(Request $request): Response
    {
        $page = $request->number('page', 1);
        if ($request->has('node')) {
            return $this->one($this->node($request), $page);
        }
        $paging = new Paging($this->index->equalStringSums()['groups'], self::PER_PAGE, $page);
        [$table] = (new StringsReport($this->cells->rows))->report($paging->first() - 1, self::PER_PAGE)->tables;

        return $this->page('heap_strings.html.twig', [
            'tables' => $this->index->hasStringHashes()
                ? [$this->paged($this->cells->strings($table), $paging, ['show' => 'strings'])]
                : [],
        ], 'strings');
    }

    private function one(HeapNode $node, int $page): Response
    {
        $group = $this->index->equalTo($node) ?? throw new HttpError(404, 'No other string of this snapshot has its content.');
        $paging = new Paging($group['count'], self::PER_PAGE, $page);
        $holders = (new HoldersReport($this->cells->rows))->holders(
            $this->index->equalRetainers($node, self::HOLDERS),
            $group['count'],
        );
        $members = $this->index->equalMembers($node, $paging->first() - 1, self::PER_PAGE);
        $values = (new ValuesReport($this->cells->rows))->table('objects', $members)->with(['title' => 'All']);

        return $this->page('heap_equal.html.twig', [
            'tiles' => [
                HeapCells::tile('Copies', Units::count($group['count'])),
                $this->cells->bytes('Wasted', $group['bytes'], '%s would be free with one of them'),
            ],
            'details' => $this->index->details($group['example']),
            'tables' => [
                $this->cells->holders($holders)->toArray(),
                $this->paged($this->cells->values($values), $paging, ['show' => 'strings', 'node' => $node->hex()]),
            ],
        ], 'strings');
    }
}
