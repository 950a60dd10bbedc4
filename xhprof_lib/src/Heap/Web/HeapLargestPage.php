<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Format\Units;
use XHProf\Heap\HeapNode;
use XHProf\Heap\ValuesReport;
use XHProf\Report\Table;
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
            return Response::redirect($this->cells->url->node($node->hex()));
        }

        return $this->page('heap_largest.html.twig', [
            'query' => $query,
            'hidden' => $this->cells->url->parameters() + ['show' => 'largest'],
            'clear_url' => $this->cells->url->page(['show' => 'largest']),
            'tables' => $query !== '' ? [$this->found($query)] : [
                $this->largest('string', 'Largest strings'), $this->largest('array', 'Arrays by retained size'),
            ],
        ], 'largest');
    }

    /**
     * @param 'string'|'array' $type
     * @return array<string, mixed>
     */
    private function largest(string $type, string $title): array
    {
        $group = $this->index->type($type);
        $table = $this->table("{$type}s", $this->index->largest($type, self::ROWS), $title, 'None.');

        return $this->cells->values($table)->of($group->count ?? 0, $this->cells->url->page(['type' => $type]))->toArray();
    }

    /** @return array<string, mixed> */
    private function found(string $query): array
    {
        [$found, $isMore] = $this->index->stringsWith($query, self::FOUND);
        $most = $this->head->number('max_string');
        $note = ($isMore ? 'the first ones; ' : '') . 'in the first ' . ($most === null ? '' : Units::count($most) . ' ')
            . 'bytes of each, which the snapshot has';
        $table = $this->table('found', $found, 'Strings with this text', 'No string has it. Upper and lower case differ.');

        return $this->cells->values($table->with(['note' => $note]))->toArray();
    }

    /** @param list<HeapNode> $nodes */
    private function table(string $key, array $nodes, string $title, string $none): Table
    {
        return (new ValuesReport($this->cells->rows))->table($key, $nodes)->with(['title' => $title, 'none' => $none]);
    }
}
