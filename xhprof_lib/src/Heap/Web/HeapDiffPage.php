<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Format\Units;
use XHProf\Heap\HeapDiff;
use XHProf\Heap\HeapIndex;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\ShownMetric;
use XHProf\Web\Table\TablePages;
use XHProf\Web\Table\TableSorting;
use XHProf\Web\Table\Tabs;
use XHProf\Web\Table\TimeLabel;
use XHProf\Web\Templates;

/**
 * index.php?view=heap&heap1=A&heap2=B: changes from one snapshot to another, by class or type.
 *
 * Parameters: by (class, type), sort (bytes, count, retained, new, fn), dir, changed; class: lists its new objects; those of
 * TablePages.
 *
 * @phpstan-import-type Change from HeapDiff
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
        $diff = new HeapDiff($before, $after);
        $state = ['view' => 'heap', 'heap1' => $names[0], 'heap2' => $names[1]];
        $sides = [$this->side($before, $names[0]), $this->side($after, $names[1])];
        $common = [
            'before' => $sides[0],
            'after' => $sides[1],
            'swap_url' => HeapUrl::diff($names[1], $names[0]),
            'diff_url' => Url::index($state),
            'list_url' => HeapUrl::list(),
            'one_process' => $diff->isOneProcess(),
        ];
        if ($request->has('class') || $request->has('class_hash')) {
            $group = GroupFinder::find($after, $request);
            $lines = new HeapLines($after, $names[1]);

            return $this->view->page('heap_new.html.twig', $common + [
                'group' => $lines->groups([$group])[0],
                'rows' => $lines->nodes($diff->newObjects($group, 0, self::NEW_OBJECTS), $group->retained),
                'limit' => self::NEW_OBJECTS,
            ]);
        }

        return $this->table($request, $diff, $before, $after, $state, $common);
    }

    /**
     * @param array<string, string> $state
     * @param array<string, mixed> $common
     */
    private function table(
        Request $request,
        HeapDiff $diff,
        HeapIndex $before,
        HeapIndex $after,
        array $state,
        array $common,
    ): Response {
        $by = $request->text('by') === 'type' ? 'type' : 'class';
        $rows = $by === 'type' ? $diff->types() : $diff->classes();
        $total = count($rows);
        $isChanged = static fn (array $row): bool => $row['bytes'][0] !== $row['bytes'][1] || $row['count'][0] !== $row['count'][1]
            || $row['retained'][0] !== $row['retained'][1] || ($row['new'] ?? 0) > 0 || ($row['gone'] ?? 0) > 0;
        $onlyChanged = $request->flag('changed', true);
        if ($onlyChanged) {
            $rows = array_values(array_filter($rows, $isChanged));
        }
        $hasNew = $diff->isOneProcess() && $by === 'class';
        // An object's own bytes do not include the growth of its contents.
        $main = $by === 'class' ? 'retained' : 'bytes';
        $sorting = TableSorting::from($request, HeapColumns::KEYS, $main, [TableSorting::BY_NAME]);
        $rows = $sorting->apply($rows, static fn (array $row): int|string => $sorting->key === TableSorting::BY_NAME
            ? self::nameOf($row) : self::changeOf($row, $sorting->key));
        $pages = new TablePages($request, count($rows));
        $state += ['by' => $by === 'type' ? 'type' : null, 'changed' => $onlyChanged ? null : '0'];
        $order = ['sort' => $sorting->key, 'dir' => $sorting->direction($sorting->key === TableSorting::BY_NAME)];
        $largest = 0;
        foreach ($rows as $row) {
            $largest = max($largest, abs(self::changeOf($row, $sorting->key)));
        }
        $lines = [];
        foreach ($pages->slice($rows) as $row) {
            $lines[] = $this->line($row, $sorting->key, $largest, $state, $hasNew);
        }
        $head = HeapColumns::head($sorting, $state + ['all' => $pages->all], 'Name', 'Change of: ');

        return $this->view->page('heap_diff.html.twig', $common + [
            'by' => $by,
            'tabs_by' => Tabs::of(self::BY, $by, static fn (string $key): string
                => Url::index(['by' => $key === 'type' ? 'type' : null] + $state)),
            'totals' => $this->totals($before, $after),
            'head' => $head,
            'choices' => HeapColumns::choices($head),
            'hidden' => $state,
            'rows' => $lines,
            'has_new' => $hasNew,
            'changed' => $onlyChanged,
            'changed_url' => Url::index(['changed' => $onlyChanged ? '0' : null] + $state + $order),
            'main_base' => $sorting->key === TableSorting::BY_NAME ? 'bytes' : $sorting->key,
            'functions' => count($rows),
            'total' => $total,
            'query' => '',
        ] + $pages->variables($state + $order + ['all' => $pages->all]));
    }

    /** @param Change $row */
    private static function nameOf(array $row): string
    {
        return $row['name'] === '' ? $row['type'] : $row['name'];
    }

    /** @param Change $row */
    private static function changeOf(array $row, string $key): int
    {
        [$before, $after] = match ($key) {
            'count' => $row['count'],
            'retained' => $row['retained'],
            default => $row['bytes'],
        };

        return $after - $before;
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

    /** @return list<array{label: string, before: string, after: string, change: array<string, mixed>}> */
    private function totals(HeapIndex $before, HeapIndex $after): array
    {
        $values = [];
        [$a, $b] = [$before->summary(), $after->summary()];
        foreach (['typed' => 'Known', 'native' => 'Native', 'unreachable' => 'Unreachable'] as $tier => $label) {
            $values[$label] = [$a[$tier]['bytes'], $b[$tier]['bytes'], ShownMetric::heap('bytes')];
        }
        $values = ['In use' => [$a['usage'], $b['usage'], ShownMetric::heap('bytes')]] + $values
            + ['Values' => [$a['nodes'], $b['nodes'], ShownMetric::heap('count')]];
        $totals = [];
        foreach ($values as $label => [$from, $to, $metric]) {
            $totals[] = [
                'label' => $label,
                'before' => Units::in($from, $metric->unit),
                'after' => Units::in($to, $metric->unit),
                'change' => Cells::change($from, $to, $metric),
            ];
        }

        return $totals;
    }

    /**
     * @param Change $row
     * @param array<string, string|null> $state
     * @return array<string, mixed>
     */
    private function line(array $row, string $sort, int $largest, array $state, bool $hasNew): array
    {
        $cells = [];
        $sort = $sort === TableSorting::BY_NAME ? 'bytes' : $sort;
        foreach (HeapColumns::FIGURES as $key) {
            $metric = ShownMetric::heap($key);
            $isMain = $key === $sort;
            $cells[] = [
                'key' => $key,
                'after' => Units::in($row[$key][1], $metric->unit),
                'change' => Cells::change($row[$key][0], $row[$key][1], $metric, $isMain ? $largest : 0, $isMain),
            ];
        }
        $named = HeapUrl::groupParameters($row['type'], $row['name']);
        $side = $row['count'][1] > 0 ? $state['heap2'] : $state['heap1'];
        $new = $row['new'] ?? null;

        return [
            'name' => self::nameOf($row),
            'type' => $row['type'],
            'url' => Url::index(['view' => 'heap', 'heap' => $side] + $named),
            'status' => $row['count'][0] === 0 ? 'new' : ($row['count'][1] === 0 ? 'gone' : ''),
            'cells' => $cells,
            'new' => $new === null ? '' : Units::count($new),
            'new_url' => $hasNew && $new > 0 && isset($named['class']) ? Url::index($state + $named) : null,
            'gone' => ($row['gone'] ?? null) === null ? '' : Units::count($row['gone']),
        ];
    }
}
