<?php

declare(strict_types=1);

namespace XHProf\Web\Heap;

use XHProf\Heap\HeapIndex;
use XHProf\Web\Table\Moment;

/** Head of every page of a snapshot: its name, the process, the views. */
final class HeapHeader
{
    /** show => [label, key, title] */
    private const VIEWS = [
        '' => ['Overview', '', ''],
        'classes' => ['Classes', 'c', ''],
        'largest' => ['Strings and arrays', 's', ''],
        'strings' => ['Duplicate strings', 'd', 'Contents that are in memory several times'],
        'tree' => ['Retained tree', 't', 'Values below what retains them (dominator tree)'],
        'leaks' => ['Leak candidates', 'l', ''],
    ];

    /**
     * @param string|null $current one of VIEWS, or null for a page below them
     * @return array<string, mixed> variables of heap_top.html.twig
     */
    public static function of(HeapIndex $index, SnapshotHead $head, string $name, ?string $current): array
    {
        $url = new HeapUrl($name);
        $tabs = [];
        foreach (self::VIEWS as $show => [$label, $key, $title]) {
            $tabs[] = [
                'label' => $label,
                'url' => $url->page(['show' => $show]),
                'current' => $show === $current,
                'hotkey' => $key,
                'title' => $title,
            ];
        }

        return [
            'heap' => [
                'name' => $name,
                'title' => $head->title($name),
                'time' => Moment::of($head->time()),
                'facts' => self::facts($head),
                'url' => $url->page(),
                'list_url' => HeapUrl::list(),
                'notes' => $index->notes(),
            ],
            'tabs' => $tabs,
        ];
    }

    /** @return list<string> short words on the process */
    private static function facts(SnapshotHead $head): array
    {
        $facts = [];
        foreach (['php' => 'PHP %s', 'sapi' => '%s', 'pid' => 'process %s', 'host' => '%s'] as $key => $words) {
            if ($head->text($key) !== '') {
                $facts[] = sprintf($words, $head->text($key));
            }
        }
        $facts[] = match ($head->text('reader')) {
            'inside' => 'taken by the process itself',
            'outside' => ($head->header['stopped'] ?? true) === true ? 'read from outside' : 'read from outside while it ran',
            'image' => 'read from an image of its memory',
            default => '',
        };
        if (($head->header['redacted'] ?? false) === true) {
            $facts[] = 'without string contents';
        }

        return array_values(array_filter($facts, static fn (string $fact): bool => $fact !== ''));
    }
}
