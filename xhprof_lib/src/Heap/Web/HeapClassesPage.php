<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Heap\GroupsReport;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\ReportTable;
use XHProf\Web\Table\Tabs;

/**
 * index.php?view=heap&heap=NAME&show=classes: all classes that have objects, and the owners of native memory.
 *
 * Parameters: of (objects, owners, all), q (part of a name), sort, dir, all, page.
 */
final class HeapClassesPage extends HeapSnapshotPage
{
    private const OF = ['objects' => 'Classes', 'owners' => 'Owners of native memory', 'all' => 'Both'];

    public function respond(Request $request): Response
    {
        $choice = isset(self::OF[$request->text('of')]) ? $request->text('of') : 'objects';
        $query = $request->typed('q');
        $groups = [
            ...($choice === 'owners' ? [] : $this->index->classes()), ...($choice === 'objects' ? [] : $this->index->owners()),
        ];
        $found = GroupsReport::named($groups, $query);
        $order = ReportTable::order($request, GroupsReport::SORTS, 'bytes');
        $views = $this->cells->url->parameters() + ['show' => 'classes'];
        $page = $views + ['of' => $choice === 'objects' ? null : $choice];
        $state = $page + ['q' => $query];
        $table = (new GroupsReport($this->cells->rows))->table('results', $found, $choice === 'owners' ? 'owner' : 'class', $order);
        $table = $table->with(['none' => $query === '' ? 'None.' : 'No name matches.', 'caption' => 'Classes']);
        $sorted = ['sort' => $order->by, 'dir' => $request->text('dir')];

        return $this->page('heap_classes.html.twig', [
            'choices_of' => Tabs::links(self::OF, $choice, static fn (string $key): string
                => Url::index($views + ['of' => $key, 'q' => $query])),
            'choices' => ReportTable::choices($table, $order),
            'table' => $this->cells->groups($table)->ordered($request, static fn (array $sort): string
                => Url::index($sort + $state), $order)->toArray(),
            'found' => count($found),
            'total' => count($groups),
            'query' => $query,
            'clear_url' => Url::index($page + $sorted),
            'hidden' => $page + $sorted,
            'sort_hidden' => $state,
        ], 'classes');
    }
}
