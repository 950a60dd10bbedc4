<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;

/**
 * index.php?view=heap&heap=NAME&show=largest: the largest strings, and the arrays with the largest retained size; or the strings
 * that have a text.
 *
 * Parameters: q (a text; or an address, whose page is opened).
 */
final class HeapLargestPage extends HeapSnapshotPage
{
    private const ROWS = 50;
    private const FOUND = 200;

    public function respond(Request $request): Response
    {
        $query = $request->typed('q');
        $address = self::address($query);
        $node = $address === null ? null : $this->index->node($address);
        if ($node !== null) {
            return Response::redirect($this->lines->url->node($node));
        }
        [$found, $isMore] = $query === '' ? [[], false] : $this->index->stringsWith($query, self::FOUND);

        return $this->page('heap_largest.html.twig', [
            'query' => $query,
            'found' => $this->lines->members($found),
            'is_more' => $isMore,
            'shown_of_each' => $this->head->number('max_string'),
            'hidden' => $this->lines->url->parameters() + ['show' => 'largest'],
            'clear_url' => $this->lines->url->page(['show' => 'largest']),
            'strings' => $query === '' ? $this->lines->members($this->index->largest('string', self::ROWS)) : [],
            'arrays' => $query === '' ? $this->lines->members($this->index->largest('array', self::ROWS)) : [],
            'strings_url' => $this->lines->url->page(['type' => 'string']),
            'arrays_url' => $this->lines->url->page(['type' => 'array']),
        ], 'largest');
    }
}
