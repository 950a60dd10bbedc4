<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Heap\HeapDiffReport;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\HeapRows;
use XHProf\Heap\ValuesReport;
use XHProf\Report\Table;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\ReportTable;
use XHProf\Web\Table\Tabs;
use XHProf\Web\Table\TimeLabel;
use XHProf\Web\Templates;

/**
 * index.php?view=heap&heap1=A&heap2=B: changes from one snapshot to another, by class or type.
 *
 * Parameters: by (class, type), sort (bytes, count, retained, fn), dir, all, page, changed; class: lists its new objects.
 *
 * @phpstan-import-type Row from Table
 */
final class HeapDiffPage
{
    private const BY = ['class' => 'By class', 'type' => 'By type'];
    private const NEW_OBJECTS = 100;

    public function __construct(private readonly HeapOpener $opener, private readonly Templates $view)
    {
    }

    /** @throws HttpError|\XHProf\Heap\Web\IndexNotReady */
    public function respond(Request $request): Response
    {
        if (!$request->has('heap1') || !$request->has('heap2')) {
            throw new HttpError(400, 'A comparison needs two heap snapshots: heap1 and heap2.');
        }
        $names = [$this->opener->named($request, 'heap1'), $this->opener->named($request, 'heap2')];
        $before = $this->opener->open($names[0]);
        $after = $this->opener->open($names[1]);
        $report = new HeapDiffReport($before, $after);
        $state = ['view' => 'heap', 'heap1' => $names[0], 'heap2' => $names[1]];
        $common = [
            'sides' => [$this->side($before, $names[0]), $this->side($after, $names[1])],
            'swap_url' => HeapUrl::diff($names[1], $names[0]),
            'diff_url' => Url::index($state),
            'list_url' => HeapUrl::list(),
            'one_process' => $report->diff->isOneProcess(),
        ];
        if ($request->has('class') || $request->has('class_hash')) {
            $group = GroupFinder::find($after, $request);
            $cells = new HeapCells($after, $names[1]);
            $nodes = $report->diff->newObjects($group, 0, self::NEW_OBJECTS);
            $table = (new ValuesReport($cells->rows))->table('new', $nodes, $group->retained);

            return $this->view->page('heap_new.html.twig', $common + [
                'name' => $group->name,
                'url' => $cells->group(HeapRows::group($group)),
                'count' => count($nodes),
                'limit' => self::NEW_OBJECTS,
                'table' => $cells->values($table)->toArray(),
            ]);
        }

        return $this->table($request, $report, $state, $common);
    }

    /**
     * @param array<string, string> $state
     * @param array<string, mixed> $common
     */
    private function table(Request $request, HeapDiffReport $report, array $state, array $common): Response
    {
        $by = $request->text('by') === 'type' ? 'type' : 'class';
        $onlyChanged = $request->flag('changed', true);
        // An object's own bytes do not include the growth of its contents.
        $order = ReportTable::order($request, HeapDiffReport::SORTS, $by === 'class' ? 'retained' : 'bytes');
        $table = $report->table($by, $order);
        $table = ($onlyChanged ? HeapDiffReport::changed($table) : $table)->with([
            'none' => $onlyChanged ? 'Nothing has changed.' : 'Nothing to compare.',
        ]);
        $state += ['by' => $by === 'type' ? 'type' : null, 'changed' => $onlyChanged ? null : '0'];
        $sorted = ['sort' => $order->by, 'dir' => $request->text('dir')];
        $main = $table->column($order->by);
        $change = static fn (array $row): float => abs((float) $main?->plain($row));
        $largest = $main?->isChange === true ? max([0.0, ...array_map($change, $table->rows)]) : 0;
        $cells = new ReportTable(
            $table,
            static fn (array $row, string $key): array => self::additions($row, $key, $state)
                + ($key === $main?->key ? ['bar' => $largest] : []),
            class: 'heap-diff',
        );

        return $this->view->page('heap_diff.html.twig', $common + [
            'tabs_by' => Tabs::links(self::BY, $by, static fn (string $key): string
                => Url::index(['by' => $key === 'type' ? 'type' : null] + $state)),
            'totals' => (new ReportTable($report->totals()))->toArray(),
            'choices' => ReportTable::choices($table, $order),
            'hidden' => $state,
            'table' => $cells->ordered($request, static fn (array $sort): string => Url::index($sort + $state), $order)->toArray(),
            'changed' => $onlyChanged,
            'changed_url' => Url::index(['changed' => $onlyChanged ? '0' : null] + $state + $sorted),
        ]);
    }

    /**
     * @param Row $row
     * @param array<string, string|null> $state
     * @return array{url?: string, badge?: string, label?: string}
     */
    private static function additions(array $row, string $key, array $state): array
    {
        $named = HeapUrl::groupParameters($row['type'], $row['name'] ?? '');

        return match ($key) {
            'name' => [
                'url' => Url::index(['view' => 'heap', 'heap' => $state['heap' . ($row['count'][1] > 0 ? 2 : 1)]] + $named),
                'badge' => HeapDiffReport::status($row),
            ],
            'new' => $row['new'] > 0 && isset($named['class']) ? ['url' => Url::index($state + $named), 'label' => 'New ones'] : [],
            default => [],
        };
    }

    /** @return array<string, mixed> */
    private function side(HeapIndex $index, string $name): array
    {
        $head = $this->opener->snapshots->head($name);

        return [
            'name' => $name,
            'title' => $head->title($name),
            'time' => TimeLabel::of($head->time()),
            'url' => (new HeapUrl($name))->page(),
            'process' => $head->text('pid') === '' ? '' : 'process ' . $head->text('pid'),
            'notes' => $index->notes(),
        ];
    }
}
