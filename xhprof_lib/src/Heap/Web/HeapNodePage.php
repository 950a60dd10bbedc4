<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Format\Units;
use XHProf\Heap\HeapNode;
use XHProf\Heap\HeapPath;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\Paging;

/**
 * index.php?view=heap&heap=NAME&node=0xADDRESS: one node: its references, its referrers and its retaining path.
 *
 * Parameters: page (of its references), rpage (of its referrers), dpage (of the nodes it dominates).
 */
final class HeapNodePage extends HeapSnapshotPage
{
    private const REFERENCES = 100;
    private const REFERRERS = 50;
    private const DOMINATED = 50;
    private const PATHS = 6;

    public function respond(Request $request): Response
    {
        $node = $this->node($request);
        $state = $this->lines->url->parameters() + ['node' => $node->hex()];
        $references = new Paging($node->references, self::REFERENCES, $request->number('page', 1));
        $referrers = new Paging($node->referrers, self::REFERRERS, $request->number('rpage', 1));
        $dominated = new Paging($node->dominated, self::DOMINATED, $request->number('dpage', 1));
        $links = static fn (Paging $paging, string $parameter, string $anchor): array
            => $paging->links(static fn (int $page): string => Url::index($state + [$parameter => $page]) . "#$anchor");
        $shortest = $this->index->path($node);
        $others = array_filter(
            $this->index->paths($node, self::PATHS),
            static fn (HeapPath $path): bool => $path->text !== $shortest->text,
        );
        $equal = $this->index->equalTo($node);
        $details = $this->index->details($node);

        return $this->page('heap_node.html.twig', [
            'node' => $this->lines->node($node),
            'tiles' => $this->tiles($node, $details),
            'details' => $details,
            'equal' => $equal === null ? null : ['others' => $equal['count'] - 1, 'url' => $this->lines->url->equal($node)],
            'path' => $this->lines->path($shortest),
            'paths' => array_map($this->lines->path(...), array_values($others)),
            'references' => $this->lines->references(
                $this->index->references($node, ($references->page - 1) * self::REFERENCES, self::REFERENCES),
            ),
            'reference_paging' => $references,
            'reference_pages' => $links($references, 'page', 'references'),
            'referrers' => $this->lines->references(
                $this->index->referrers($node, ($referrers->page - 1) * self::REFERRERS, self::REFERRERS),
            ),
            'referrer_paging' => $referrers,
            'referrer_pages' => $links($referrers, 'rpage', 'referrers'),
            'dominated' => $this->lines->nodes(
                $this->index->dominated($node, ($dominated->page - 1) * self::DOMINATED, self::DOMINATED),
                $node->retained,
            ),
            'dominated_paging' => $dominated,
            'dominated_pages' => $links($dominated, 'dpage', 'dominated'),
            'dominators' => $this->lines->nodes(array_slice($this->index->dominators($node), -30)),
            'allocation' => HeapGroupPage::frames($this->index->allocation($node)),
        ]);
    }

    /**
     * @param array{refcount?: int, length?: int, value?: string, file?: string, line?: int, shared?: true} $details
     * @return list<array{label: string, text: string, title: string, note: string}>
     */
    private function tiles(HeapNode $node, array $details): array
    {
        $retained = $this->lines->bytes($node->retained);
        $own = $this->lines->bytes($node->block);
        $where = $node->block === 0 ? 'Part of another block, or outside the heap' : $own['exact'];
        $tiles = [
            self::tile('Retained', $retained['text'], $retained['exact'] . ' would be free without it', $retained['share']),
            self::tile('Own bytes', $own['text'], $where, $this->lines->bytes($node->size)['text'] . ' used'),
        ];
        if (isset($details['refcount'])) {
            $tiles[] = self::tile('Refcount', Units::count($details['refcount']));
        }
        if (isset($details['length'])) {
            $tiles[] = $node->type === 'string'
                ? self::tile('Length', Units::bytes($details['length']))
                : self::tile('Elements', Units::count($details['length']));
        }

        return $tiles;
    }
}
