<?php

declare(strict_types=1);

namespace XHProf\Web\Page;

use XHProf\Heap\HeapIndex;
use XHProf\Web\Heap\HeapHeader;
use XHProf\Web\Heap\HeapLines;
use XHProf\Web\Heap\SnapshotHead;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\View;

/**
 * index.php?view=heap&heap=NAME&show=largest: the largest strings, and the arrays with the largest retained size; or the strings
 * that have a text.
 *
 * Parameters: q (a text; or an address, whose page is opened).
 */
final class HeapLargestPage
{
    private const ROWS = 50;
    private const FOUND = 200;

    public function __construct(private readonly View $view)
    {
    }

    public function respond(Request $request, HeapIndex $index, SnapshotHead $head, string $name): Response
    {
        $lines = new HeapLines($index, $name);
        $query = $request->typed('q');
        $node = preg_match('/\A0x[0-9a-f]{1,15}\z/i', $query) === 1 ? $index->node((int) hexdec($query)) : null;
        if ($node !== null) {
            return Response::redirect($lines->url->node($node));
        }
        [$found, $isMore] = $query === '' ? [[], false] : $index->stringsWith($query, self::FOUND);

        return $this->view->page('heap_largest.html.twig', [
            'query' => $query,
            'found' => $lines->members($found),
            'is_more' => $isMore,
            'shown_of_each' => $head->number('max_string'),
            'hidden' => $lines->url->parameters() + ['show' => 'largest'],
            'clear_url' => $lines->url->page(['show' => 'largest']),
            'strings' => $query === '' ? $lines->members($index->largest('string', self::ROWS)) : [],
            'arrays' => $query === '' ? $lines->members($index->largest('array', self::ROWS)) : [],
            'strings_url' => $lines->url->page(['type' => 'string']),
            'arrays_url' => $lines->url->page(['type' => 'array']),
        ] + HeapHeader::of($index, $head, $name, 'largest'));
    }
}
