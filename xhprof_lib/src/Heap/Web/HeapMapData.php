<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Format\VisibleName;
use XHProf\Heap\HeapNode;
use XHProf\Heap\RetainedBranch;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;

/**
 * index.php?view=heap&heap=NAME&show=map: JSON of the treemap by holder, the largest parts of the dominator tree below a node.
 * All texts are made visible.
 *
 * Parameters: node (the tree from there).
 */
final class HeapMapData extends HeapSnapshotPage
{
    /** Roots whose name is a word of the engine => plain words. */
    private const ROOTS = [
        'call_frames' => 'running functions', 'function_table' => 'functions', 'class_table' => 'classes',
        'global_constants' => 'constants',
    ];

    private const TITLE = 120;
    private const BY = 80;
    private const ABOVE = 30;
    private const KINDS = 3;

    /** @throws HttpError 400, 404 */
    public function respond(Request $request): Response
    {
        $top = $request->has('node') ? $this->node($request) : null;
        $above = $top === null ? [] : array_slice($this->index->dominators($top), -self::ABOVE);

        return Response::json((string) json_encode([
            'usage' => $this->index->summary()['usage'],
            'above' => array_map(fn (HeapNode $node): array => [
                'at' => $node->hex(),
                'name' => $this->caption($node),
            ], $above),
            'tree' => $this->cells->url->page(['show' => 'tree', 'node' => $top?->hex()]),
            'top' => $this->branch($this->index->retainedTree($top)),
        ], JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR));
    }

    /** Title of a node, made visible; of a root in plain words. */
    private function caption(HeapNode $node): string
    {
        return $node->type === 'root'
            ? self::ROOTS[$node->name] ?? strtr(VisibleName::text($node->name, self::TITLE), '_', ' ')
            : VisibleName::text($this->cells->rows->title($node), self::TITLE);
    }

    /** @return array<string, mixed> */
    private function branch(RetainedBranch $branch): array
    {
        $node = $branch->node;

        return [
            'name' => $node === null ? 'The heap' : $this->caption($node),
            'by' => VisibleName::text($branch->by, self::BY),
            'kind' => $node->type ?? '',
            'family' => $node === null ? '' : HeapCells::family($node->type),
            'at' => $node === null ? '' : $node->hex(),
            'url' => $node === null ? '' : $this->cells->url->node($node->hex()),
            'own' => $node->block ?? 0,
            'retained' => $branch->bytes,
            'count' => $branch->dominated,
            'more' => $branch->more,
            'moreBytes' => max(0, $branch->moreBytes),
            'moreFamily' => $branch->moreType === '' ? '' : HeapCells::family($branch->moreType),
            'kinds' => array_map(
                static fn (string $kind): string => VisibleName::text($kind, self::BY),
                array_slice($branch->kinds, 0, self::KINDS),
            ),
            'children' => array_map(fn (RetainedBranch $child): array => $this->branch($child), $branch->children),
        ];
    }
}
