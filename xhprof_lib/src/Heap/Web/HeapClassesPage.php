<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Heap\HeapGroup;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\TablePages;
use XHProf\Web\Table\TableSorting;
use XHProf\Web\Table\Tabs;

/**
 * index.php?view=heap&heap=NAME&show=classes: all classes that have objects, and the owners of native memory.
 *
 * Parameters: of (objects, owners, all), q (part of a name), sort, dir; those of TablePages.
 */
final class HeapClassesPage extends HeapSnapshotPage
{
    private const OF = ['objects' => 'Classes', 'owners' => 'Owners of native memory', 'all' => 'Both'];

    public function respond(Request $request): Response
    {
        $of = $request->text('of');
        $of = isset(self::OF[$of]) ? $of : 'objects';
        $query = $request->typed('q');
        $groups = match ($of) {
            'objects' => $this->index->classes(),
            'owners' => $this->index->owners(),
            'all' => [...$this->index->classes(), ...$this->index->owners()],
        };
        $total = count($groups);
        if ($query !== '') {
            $has = static fn (HeapGroup $group): bool => mb_stripos(mb_scrub($group->name), mb_scrub($query)) !== false;
            $groups = array_values(array_filter($groups, $has));
        }
        $sorting = TableSorting::from($request, HeapColumns::KEYS, 'bytes', [TableSorting::BY_NAME]);
        $groups = $sorting->apply($groups, HeapColumns::value($sorting->key));
        $pages = new TablePages($request, count($groups));
        $page = $this->lines->url->parameters() + ['show' => 'classes'];
        $state = $page + ['of' => $of === 'objects' ? null : $of, 'q' => $query];
        $order = ['sort' => $sorting->key, 'dir' => $sorting->direction($sorting->key === TableSorting::BY_NAME)];
        $columns = HeapColumns::head($sorting, $state + ['all' => $pages->all], $of === 'owners' ? 'Owner' : 'Class');

        return $this->page('heap_classes.html.twig', [
            'of' => $of,
            'choices_of' => Tabs::of(self::OF, $of, static fn (string $key): string
                => Url::index($page + ['of' => $key, 'q' => $query])),
            'head' => $columns,
            'choices' => HeapColumns::choices($columns),
            'rows' => $this->lines->groups(array_values($pages->slice($groups)), $sorting->key),
            'main_base' => $sorting->key === TableSorting::BY_NAME ? 'bytes' : $sorting->key,
            'functions' => $total,
            'query' => $query,
            'clear_url' => Url::index($page + ['of' => $of] + $order),
            'hidden' => $page + ['of' => $of] + $order,
            'sort_hidden' => $state,
        ] + $pages->variables($state + $order + ['all' => $pages->all]), 'classes');
    }
}
