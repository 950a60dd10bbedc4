<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Format\Units;
use XHProf\Heap\HeapNode;
use XHProf\Heap\HeapPath;
use XHProf\Heap\NodeReport;
use XHProf\Heap\ValuesReport;
use XHProf\Report\Table;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Table\Paging;
use XHProf\Web\Table\ReportTable;

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
    private const DOMINATORS = 30;

    public function respond(Request $request): Response
    {
        $node = $this->node($request);
        $report = new NodeReport($this->cells->rows, $node);
        $shortest = $this->index->path($node);
        $others = array_filter(
            array_column($this->index->paths($node, self::PATHS), 'text'),
            static fn (string $text): bool => $text !== $shortest->text,
        );
        $equal = $this->index->equalTo($node);
        $values = new ValuesReport($this->cells->rows);
        $paged = function (string $parameter, int $total, int $size, \Closure $table) use ($node, $request): array {
            $paging = new Paging($total, $size, $request->number($parameter, 1));

            return $this->paged($table(max(0, $paging->first() - 1), $size), $paging, ['node' => $node->hex()], $parameter);
        };
        $retained = fn (int $first, int $most): Table => $values
            ->table('dominated', $this->index->dominated($node, $first, $most), $node->retained)
            ->with(['title' => 'Retained by it', 'note' => 'nothing else keeps these alive',
                'none' => 'Nothing: others hold what it holds, too.']);

        return $this->page('heap_node.html.twig', [
            'node' => $this->cells->value($report->row),
            'name' => match ($node->type) {
                'string' => 'string',
                'root' => $node->name,
                default => $node->title(),
            },
            'noun' => $node->type,
            'address' => $node->hex(),
            'tiles' => $this->tiles($node, $report->row),
            'details' => $report->row,
            'equal' => $equal === null ? null : ['others' => $equal['count'] - 1, 'url' => $this->cells->url->equal($node->hex())],
            'path' => $this->path($shortest),
            'paths' => array_values($others),
            'references' => [
                $paged('page', $node->references, self::REFERENCES, fn (int $first, int $most): ReportTable
                    => $this->cells->references($report->references($first, $most))),
                $paged('rpage', $node->referrers, self::REFERRERS, fn (int $first, int $most): ReportTable
                    => $this->cells->references($report->referrers($first, $most))),
            ],
            'dominated' => $paged('dpage', $node->dominated, self::DOMINATED, fn (int $first, int $most): ReportTable
                => $this->cells->values($retained($first, $most))),
            'dominators' => $this->cells->nodes(array_slice($this->index->dominators($node), -self::DOMINATORS)),
            'allocation' => ReportTable::frames(array_reverse($this->index->allocation($node))),
        ]);
    }

    /** @return array{text: string, live: bool, steps: list<array<string, mixed>>} */
    private function path(HeapPath $path): array
    {
        return ['text' => $path->text, 'live' => $path->isLive, 'steps' => array_map(fn (array $step): array => [
            'text' => $step['reference']->text ?? '', 'node' => $this->cells->node($step['node']),
        ], $path->steps)];
    }

    /**
     * @param array<string, mixed> $row
     * @return list<array{label: string, text: string, title: string, note: string}>
     */
    private function tiles(HeapNode $node, array $row): array
    {
        $where = $node->block === 0 ? 'Part of another block, or outside the heap' : '%s';

        return [
            $this->cells->bytes('Retained', $node->retained, '%s would be free without it'),
            ['note' => Units::bytes($node->size) . ' used'] + $this->cells->bytes('Own bytes', $node->block, $where),
            ...(isset($row['refcount']) ? [HeapCells::tile('Refcount', Units::count($row['refcount']))] : []),
            ...(!isset($row['length']) ? [] : [
                $node->type === 'string' ? HeapCells::tile('Length', Units::bytes($row['length']))
                    : HeapCells::tile('Elements', Units::count($row['length'])),
            ]),
        ];
    }
}
