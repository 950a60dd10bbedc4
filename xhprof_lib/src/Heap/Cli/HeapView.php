<?php

declare(strict_types=1);

namespace XHProf\Heap\Cli;

use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\View;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\HeapNode;
use XHProf\Heap\SnapshotInfo;

/** One answer about a heap snapshot, for people and for programs. */
abstract class HeapView implements View
{
    /** Characters of a string's value shown on a line. */
    private const VALUE = 40;

    protected const BAR = 6;

    protected static function heading(string $title, HeapIndex $index, Screen $screen): void
    {
        $header = $index->header();
        $screen->text(Text::printable($title), 'options=bold');
        $facts = ['PHP ' . ($header['php'] ?? '?') . (isset($header['sapi']) ? " {$header['sapi']}" : '')];
        if (isset($header['pid'])) {
            $facts[] = "process {$header['pid']}" . (isset($header['host']) ? " on {$header['host']}" : '');
        }
        if (isset($header['time'])) {
            $facts[] = date('Y-m-d H:i:s', (int) $header['time']);
        }
        $what = SnapshotInfo::task($header);
        $screen->say(implode(', ', [...$facts, ...($what === '' ? [] : [$what])]));
        self::notes($index, $screen);
    }

    protected static function notes(HeapIndex $index, Screen $screen): void
    {
        foreach ($index->notes() as $note) {
            $screen->say($note, 'comment');
        }
    }

    /** Number of rows for a --limit: 0 means no limit. */
    protected static function most(int $limit): int
    {
        return $limit === 0 ? PHP_INT_MAX : $limit;
    }

    /**
     * @template T
     * @param list<T> $rows
     * @return list<T>
     */
    protected static function first(array $rows, int $limit): array
    {
        return array_slice($rows, 0, self::most($limit));
    }

    /** Title of a node, with the beginning of a string's value or the number of an array's elements. */
    protected static function describe(HeapNode $node, HeapIndex $index): string
    {
        $title = $node->title();
        if ($node->type !== 'string' && $node->type !== 'array') {
            return Text::printable($title);
        }
        $details = $index->details($node);
        if ($node->type === 'array') {
            return isset($details['length']) ? 'array (' . Units::count($details['length']) . ')' : 'array';
        }
        if (!isset($details['value'])) {
            return 'string';
        }
        $known = Text::printable($details['value']);
        $value = mb_strimwidth($known, 0, self::VALUE, '', 'UTF-8');
        $isCut = $value !== $known || strlen($details['value']) < ($details['length'] ?? 0);

        return "\"$value\"" . ($isCut ? '...' : '');
    }

    /** @return array<string, mixed> */
    protected static function nodeJson(HeapNode $node): array
    {
        return [
            'address' => $node->hex(),
            'type' => $node->type,
            ...($node->name === '' ? [] : ['name' => $node->name]),
            'size' => $node->size,
            'bytes' => $node->block,
            'retained_bytes' => $node->retained,
            'live' => $node->isLive,
        ];
    }
}
