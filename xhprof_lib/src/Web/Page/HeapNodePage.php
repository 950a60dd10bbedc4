<?php

declare(strict_types=1);

namespace XHProf\Web\Page;

use XHProf\Format\Units;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\HeapNode;
use XHProf\Heap\HeapPath;
use XHProf\Web\Heap\HeapHeader;
use XHProf\Web\Heap\HeapLines;
use XHProf\Web\Heap\NodeFinder;
use XHProf\Web\Heap\SnapshotHead;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\Paging;
use XHProf\Web\View;

/**
 * index.php?view=heap&heap=NAME&node=0xADDRESS: one node: its references, its referrers and its retaining path.
 *
 * Parameters: page (of its references), rpage (of its referrers), dpage (of the nodes it dominates).
 */
final class HeapNodePage
{
    private const REFERENCES = 100;
    private const REFERRERS = 50;
    private const DOMINATED = 50;
    private const PATHS = 6;

    public function __construct(private readonly View $view)
    {
    }

    /** @throws HttpError */
    public function respond(Request $request, HeapIndex $index, SnapshotHead $head, string $name): Response
    {
        $node = NodeFinder::find($index, $request);
        $lines = new HeapLines($index, $name);
        $state = $lines->url->parameters() + ['node' => $node->hex()];
        $references = new Paging($node->references, self::REFERENCES, $request->number('page', 1));
        $referrers = new Paging($node->referrers, self::REFERRERS, $request->number('rpage', 1));
        $dominated = new Paging($node->dominated, self::DOMINATED, $request->number('dpage', 1));
        $links = static fn (Paging $paging, string $parameter, string $anchor): array
            => $paging->links(static fn (int $page): string => Url::index($state + [$parameter => $page]) . "#$anchor");
        $paths = $index->paths($node, self::PATHS);
        $shortest = $index->path($node);
        $details = $index->details($node);

        return $this->view->page('heap_node.html.twig', [
            'node' => $lines->node($node),
            'tiles' => self::tiles($node, $lines, $details),
            'details' => $details,
            'equal' => $this->equal($node, $index, $lines),
            'path' => $lines->path($shortest),
            'paths' => array_map($lines->path(...), self::others($shortest, $paths)),
            'references' => $lines->references(
                $index->references($node, ($references->page - 1) * self::REFERENCES, self::REFERENCES),
            ),
            'reference_paging' => $references,
            'reference_pages' => $links($references, 'page', 'references'),
            'referrers' => $lines->references(
                $index->referrers($node, ($referrers->page - 1) * self::REFERRERS, self::REFERRERS),
            ),
            'referrer_paging' => $referrers,
            'referrer_pages' => $links($referrers, 'rpage', 'referrers'),
            'dominated' => $lines->nodes(
                $index->dominated($node, ($dominated->page - 1) * self::DOMINATED, self::DOMINATED),
                $node->retained,
            ),
            'dominated_paging' => $dominated,
            'dominated_pages' => $links($dominated, 'dpage', 'dominated'),
            'dominators' => $lines->nodes(array_slice($index->dominators($node), -30)),
            'allocation' => HeapGroupPage::frames($index->allocation($node)),
        ] + HeapHeader::of($index, $head, $name, null));
    }

    /** @return array{others: int, url: string}|null the other strings with its content */
    private function equal(HeapNode $node, HeapIndex $index, HeapLines $lines): ?array
    {
        $group = $index->equalTo($node);

        return $group === null ? null : ['others' => $group['count'] - 1, 'url' => $lines->url->equal($node)];
    }

    /**
     * @param array{refcount?: int, length?: int, value?: string, file?: string, line?: int, shared?: true} $details
     * @return list<array{label: string, text: string, title: string, note: string}>
     */
    private static function tiles(HeapNode $node, HeapLines $lines, array $details): array
    {
        $retained = $lines->bytes($node->retained);
        $own = $lines->bytes($node->block);
        $used = $lines->bytes($node->size);
        $tiles = [
            [
                'label' => 'Retained',
                'text' => $retained['text'],
                'title' => $retained['exact'] . ' would be free without it',
                'note' => $retained['share'],
            ],
            [
                'label' => 'Own bytes',
                'text' => $own['text'],
                'title' => $node->block === 0 ? 'Part of another block, or outside the heap' : $own['exact'],
                'note' => $used['text'] . ' used',
            ],
        ];
        if (isset($details['refcount'])) {
            $tiles[] = ['label' => 'Refcount', 'text' => Units::count($details['refcount']), 'title' => '', 'note' => ''];
        }
        if (isset($details['length'])) {
            $isString = $node->type === 'string';
            $tiles[] = [
                'label' => $isString ? 'Length' : 'Elements',
                'text' => $isString ? Units::bytes($details['length']) : Units::count($details['length']),
                'title' => '',
                'note' => '',
            ];
        }

        return $tiles;
    }

    /**
     * @param list<HeapPath> $paths
     * @return list<HeapPath> those that are not the shortest one
     */
    private static function others(HeapPath $shortest, array $paths): array
    {
        return array_values(array_filter($paths, static fn (HeapPath $path): bool => $path->text !== $shortest->text));
    }
}
