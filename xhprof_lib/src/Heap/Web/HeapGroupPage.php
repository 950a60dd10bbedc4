<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Format\Units;
use XHProf\Heap\HoldersReport;
use XHProf\Heap\ValuesReport;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Table\Paging;
use XHProf\Web\Table\ReportTable;

/**
 * index.php?view=heap&heap=NAME&class=C (or owner=, type=): the objects of a class by retained size, their retaining paths and
 * the call paths that allocated them.
 *
 * Parameters: page.
 */
final class HeapGroupPage extends HeapSnapshotPage
{
    private const PER_PAGE = 50;
    private const HOLDERS = 20;
    private const PATHS = 12;

    public function respond(Request $request): Response
    {
        $group = GroupFinder::find($this->index, $request);
        [$noun, $members] = match (true) {
            $group->name === '' => ['type', 'All'],
            $group->type === 'native' => ['native memory', 'Blocks'],
            $group->type === 'object' => ['class', 'Instances'],
            default => [$group->type, 'Blocks'],
        };
        $paging = new Paging($group->count, self::PER_PAGE, $request->number('page', 1));
        $nodes = $this->index->members($group, $paging->first() - 1, self::PER_PAGE);
        $values = (new ValuesReport($this->cells->rows))->table('objects', $nodes, $group->retained);
        $reports = new HoldersReport($this->cells->rows);
        $holders = $reports->holders($this->index->retainers($group, self::HOLDERS), $group->count);
        $allocations = $reports->allocations($group, self::PATHS);

        return $this->page('heap_group.html.twig', [
            'name' => $group->name === '' ? $group->type : $group->name,
            'noun' => $noun,
            'tiles' => [
                HeapCells::tile('Count', Units::count($group->count)),
                $this->cells->bytes('Own bytes', $group->bytes, '%s'),
                $this->cells->bytes('Retained', $group->retained, '%s would be free without all of them'),
            ],
            'tables' => [
                $this->cells->holders($holders, $group->retained)->toArray(),
                ...($allocations->rows === [] ? [] : [(new ReportTable($allocations))->toArray()]),
                $this->paged(
                    $this->cells->values($values->with(['title' => $members, 'note' => 'by retained size'])),
                    $paging,
                    HeapUrl::groupParameters($group->type, $group->name),
                ),
            ],
            'has_allocations' => $this->index->hasAllocations(),
        ]);
    }
}
