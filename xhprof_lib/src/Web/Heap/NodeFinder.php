<?php

declare(strict_types=1);

namespace XHProf\Web\Heap;

use XHProf\Heap\HeapIndex;
use XHProf\Heap\HeapNode;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;

/** The node that a URL names by its address: node=0x7f12a4c01e00. */
final class NodeFinder
{
    /**
     * @throws HttpError 400 for an invalid address, 404 if the snapshot has no node there
     */
    public static function find(HeapIndex $index, Request $request): HeapNode
    {
        $text = $request->text('node');
        if (preg_match('/\A0x[0-9a-f]{1,15}\z/i', $text) !== 1) {
            throw new HttpError(400, 'This is not an address (node) such as 0x7f12a4c01e00.');
        }

        return $index->node((int) hexdec($text)) ?? throw new HttpError(404, "There is nothing at $text in this snapshot.");
    }
}
