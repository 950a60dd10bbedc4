<?php

declare(strict_types=1);

namespace XHProf\Web\Page;

use XHProf\Format\Units;
use XHProf\Heap\HeapGroup;
use XHProf\Heap\HeapIndex;
use XHProf\Web\Heap\GroupFinder;
use XHProf\Web\Heap\HeapHeader;
use XHProf\Web\Heap\HeapLines;
use XHProf\Web\Heap\HeapUrl;
use XHProf\Web\Heap\SnapshotHead;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\Metric;
use XHProf\Web\Table\Paging;
use XHProf\Web\View;

/**
 * index.php?view=heap&heap=NAME&class=C (or owner=, type=): the objects of a class by retained size, their retaining paths and
 * the call paths that allocated them.
 *
 * Parameters: page.
 */
final class HeapGroupPage
{
    private const PER_PAGE = 50;
    private const HOLDERS = 20;
    private const PATHS = 12;

    public function __construct(private readonly View $view)
    {
    }

    /** @throws HttpError */
    public function respond(Request $request, HeapIndex $index, SnapshotHead $head, string $name): Response
    {
        $group = GroupFinder::find($index, $request);
        $lines = new HeapLines($index, $name);
        $paging = new Paging($group->count, self::PER_PAGE, $request->number('page', 1));
        $state = $lines->url->parameters() + HeapUrl::groupParameters($group->type, $group->name);
        $members = $index->members($group, ($paging->page - 1) * self::PER_PAGE, self::PER_PAGE);

        return $this->view->page('heap_group.html.twig', [
            'group' => $lines->groups([$group])[0],
            'is_type' => $group->name === '',
            'noun' => self::noun($group),
            'tiles' => self::tiles($group, $lines),
            'rows' => $lines->members($members, $group->retained),
            'paging' => $paging,
            'pages' => $paging->links(static fn (int $page): string => Url::index($state + ['page' => $page])),
            'holders' => $this->retainers($index, $group, $lines),
            'allocations' => $this->allocations($index, $group),
            'has_allocations' => $index->hasAllocations(),
        ] + HeapHeader::of($index, $head, $name, null));
    }

    private static function noun(HeapGroup $group): string
    {
        return match (true) {
            $group->name === '' => $group->type,
            $group->type === 'native' => 'native memory',
            $group->type === 'object' => 'class',
            default => $group->type,
        };
    }

    /** @return list<array{label: string, text: string, title: string, note: string}> */
    private static function tiles(HeapGroup $group, HeapLines $lines): array
    {
        $bytes = $lines->bytes($group->bytes);
        $retained = $lines->bytes($group->retained);

        return [
            ['label' => 'Count', 'text' => Units::count($group->count), 'title' => '', 'note' => ''],
            ['label' => 'Own bytes', 'text' => $bytes['text'], 'title' => $bytes['exact'], 'note' => $bytes['share']],
            [
                'label' => 'Retained',
                'text' => $retained['text'],
                'title' => $retained['exact'] . ' would be free without all of them',
                'note' => $retained['share'],
            ],
        ];
    }

    /** @return list<array<string, mixed>> */
    private function retainers(HeapIndex $index, HeapGroup $group, HeapLines $lines): array
    {
        $rows = [];
        foreach ($index->retainers($group, self::HOLDERS) as $holder) {
            $rows[] = [
                'text' => $holder['text'],
                'example' => $lines->node($holder['example']),
                'cells' => [
                    Cells::value($holder['count'], Metric::heap('count')),
                    Cells::value($holder['bytes'], Metric::heap('bytes')),
                    Cells::value($holder['retained'], Metric::heap('retained'), $group->retained, true, true),
                ],
            ];
        }

        return $rows;
    }

    /** @return list<array<string, mixed>> */
    private function allocations(HeapIndex $index, HeapGroup $group): array
    {
        $rows = [];
        foreach ($index->allocations($group, self::PATHS) as $allocation) {
            $rows[] = [
                'path' => self::frames($allocation['path']),
                'cells' => [
                    Cells::value($allocation['count'], Metric::heap('count')),
                    Cells::value($allocation['bytes'], Metric::heap('bytes'), $group->bytes, true, true),
                ],
            ];
        }

        return $rows;
    }

    /**
     * A call path as parts.html.twig prints it: the allocating function, then its callers.
     *
     * @param list<string> $functions from main() to the allocating one
     * @return array{first: array<string, mixed>, shown: list<array<string, mixed>>, rest: list<array<string, mixed>>,
     *     more: int}|null
     */
    public static function frames(array $functions): ?array
    {
        $frames = array_map(
            static fn (string $function): array => ['name' => $function, 'url' => null, 'recursive' => false],
            array_reverse($functions),
        );
        if ($frames === []) {
            return null;
        }
        $shown = count($frames) <= 6 ? count($frames) : 5;

        return [
            'first' => $frames[0],
            'shown' => array_slice($frames, 1, $shown - 1),
            'rest' => array_slice($frames, $shown, 60),
            'more' => max(0, count($frames) - $shown - 60),
        ];
    }
}
