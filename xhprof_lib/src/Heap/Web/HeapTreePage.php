<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Heap\HeapNode;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\Paging;

/**
 * index.php?view=heap&heap=NAME&show=tree: the dominator tree. Children of a line would be freed with it. With JavaScript a
 * line loads its children when it is opened: the same page, from that node on.
 *
 * Parameters: node (the tree from there), page.
 */
final class HeapTreePage extends HeapSnapshotPage
{
    private const CHILDREN = 50;

    /** Lines, the largest ones, whose children are loaded with the page. */
    private const OPENED = 3;
    private const INNER = 8;

    public function respond(Request $request): Response
    {
        $top = $request->has('node') ? $this->node($request) : null;
        $page = $request->number('page', 1);
        // The index has no count for the top: reading one node more than a page shows whether another page follows.
        $first = ($page - 1) * self::CHILDREN;
        $nodes = $this->index->dominated($top, $first, self::CHILDREN + 1);
        $total = $top === null ? $first + count($nodes) : $top->dominated;
        $paging = new Paging($total, self::CHILDREN, $page);
        $nodes = array_slice($nodes, 0, self::CHILDREN);
        $state = $this->cells->url->parameters() + ['show' => 'tree'] + ($top === null ? [] : ['node' => $top->hex()]);
        $children = [];
        // To what more than one root leads to; a root has none.
        $path = fn (HeapNode $node): string => $node->type === 'root' ? '' : $this->index->path($node)->text;
        foreach ($nodes as $i => $node) {
            $line = $this->line($node, $i < self::OPENED && $page === 1, $i === 0 && $page === 1);
            $children[] = ['by' => $top === null ? $path($node) : $this->index->heldBy($node, $top)] + $line;
        }

        return $this->page('heap_tree.html.twig', [
            'top' => $top === null ? null : $this->cells->node($top),
            'above' => $top === null ? [] : $this->cells->nodes(array_slice($this->index->dominators($top), -12)),
            'children' => $children,
            'paging' => $paging,
            'pages' => $paging->links(static fn (int $number): string => Url::index($state + ['page' => $number])),
            'tree_url' => $this->cells->url->page(['show' => 'tree']),
            'roots' => $this->cells->nodes($this->index->roots()),
        ], 'tree');
    }

    /** @return array<string, mixed> */
    private function line(HeapNode $node, bool $withChildren, bool $isOpen): array
    {
        $children = $withChildren && $node->dominated > 0 ? $this->index->dominated($node, 0, self::INNER) : [];

        return [
            'node' => $this->cells->node($node),
            'by' => '',
            'children' => array_map(fn (HeapNode $child): array => [
                'node' => $this->cells->node($child),
                'by' => $this->index->heldBy($child, $node),
                'children' => [],
                'open' => false,
                'more' => $child->dominated,
            ], $children),
            'open' => $isOpen,
            'more' => $node->dominated - count($children),
        ];
    }
}
