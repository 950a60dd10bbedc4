<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Format\Units;
use XHProf\Heap\HeapGroup;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\Paging;
use XHProf\Web\Table\ShownMetric;

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
        $paging = new Paging($group->count, self::PER_PAGE, $request->number('page', 1));
        $state = $this->lines->url->parameters() + HeapUrl::groupParameters($group->type, $group->name);
        $members = $this->index->members($group, ($paging->page - 1) * self::PER_PAGE, self::PER_PAGE);

        return $this->page('heap_group.html.twig', [
            'group' => $this->lines->groups([$group])[0],
            'is_type' => $group->name === '',
            'noun' => self::noun($group),
            'tiles' => $this->tiles($group),
            'rows' => $this->lines->members($members, $group->retained),
            'paging' => $paging,
            'pages' => $paging->links(static fn (int $page): string => Url::index($state + ['page' => $page])),
            'holders' => $this->retainers($group),
            'allocations' => $this->allocations($group),
            'has_allocations' => $this->index->hasAllocations(),
        ]);
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
    private function tiles(HeapGroup $group): array
    {
        $bytes = $this->lines->bytes($group->bytes);
        $retained = $this->lines->bytes($group->retained);

        return [
            self::tile('Count', Units::count($group->count)),
            self::tile('Own bytes', $bytes['text'], $bytes['exact'], $bytes['share']),
            self::tile('Retained', $retained['text'], "$retained[exact] would be free without all of them", $retained['share']),
        ];
    }

    /** @return list<array<string, mixed>> */
    private function retainers(HeapGroup $group): array
    {
        $rows = [];
        foreach ($this->index->retainers($group, self::HOLDERS) as $holder) {
            $rows[] = [
                'text' => $holder['text'],
                'example' => $this->lines->node($holder['example']),
                'cells' => [
                    Cells::value($holder['count'], ShownMetric::heap('count')),
                    Cells::value($holder['bytes'], ShownMetric::heap('bytes')),
                    Cells::value($holder['retained'], ShownMetric::heap('retained'), $group->retained, true, true),
                ],
            ];
        }

        return $rows;
    }

    /** @return list<array<string, mixed>> */
    private function allocations(HeapGroup $group): array
    {
        $rows = [];
        foreach ($this->index->allocations($group, self::PATHS) as $allocation) {
            $rows[] = [
                'path' => self::frames($allocation['path']),
                'cells' => [
                    Cells::value($allocation['count'], ShownMetric::heap('count')),
                    Cells::value($allocation['bytes'], ShownMetric::heap('bytes'), $group->bytes, true, true),
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
