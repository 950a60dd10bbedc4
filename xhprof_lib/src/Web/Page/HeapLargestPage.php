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

/** index.php?view=heap&heap=NAME&show=largest: the largest strings, and the arrays with the largest retained size. */
final class HeapLargestPage
{
    private const ROWS = 50;

    public function __construct(private readonly View $view)
    {
    }

    public function respond(Request $request, HeapIndex $index, SnapshotHead $head, string $name): Response
    {
        $lines = new HeapLines($index, $name);

        return $this->view->page('heap_largest.html.twig', [
            'strings' => $lines->members($index->largest('string', self::ROWS)),
            'arrays' => $lines->members($index->largest('array', self::ROWS)),
            'strings_url' => $lines->url->page(['type' => 'string']),
            'arrays_url' => $lines->url->page(['type' => 'array']),
        ] + HeapHeader::of($index, $head, $name, 'largest'));
    }
}
