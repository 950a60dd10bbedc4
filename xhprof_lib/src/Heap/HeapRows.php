<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Report\Column;
use XHProf\Report\Heading;
use XHProf\Report\Share;
use XHProf\Report\Unit;

/**
 * Values and groups of a snapshot as rows of reports, and the columns of such rows.
 *
 * @phpstan-import-type Row from \XHProf\Report\Table
 */
final class HeapRows
{
    /** Characters of a string's value shown on a line. */
    private const VALUE = 40;

    /** Bytes in use, which shares are of. */
    public readonly int $whole;

    public function __construct(public readonly HeapIndex $index)
    {
        $this->whole = $index->summary()['usage'];
    }

    /** @return Row */
    public static function node(HeapNode $node): array
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

    /** @return Row a value with its details: see HeapIndex::details() */
    public function known(HeapNode $node): array
    {
        return self::node($node) + $this->index->details($node);
    }

    /** @return Row the same with the shortest path to it */
    public function value(HeapNode $node): array
    {
        return $this->known($node) + ['path' => $this->index->path($node)->text];
    }

    /** Describes a node in the form of describe(). */
    public function title(HeapNode $node): string
    {
        return self::describe(in_array($node->type, ['string', 'array'], true) ? $this->known($node) : self::node($node));
    }

    /** @return Row */
    public static function group(HeapGroup $group): array
    {
        return ['type' => $group->type]
            + ($group->name === '' ? [] : ['name' => $group->name])
            + ['count' => $group->count, 'bytes' => $group->bytes, 'size' => $group->size, 'retained_bytes' => $group->retained];
    }

    /** @return list<Heading> what is wrong with the snapshot, if anything is */
    public function warnings(): array
    {
        return $this->index->notes() === [] ? [] : [new Heading('', [], $this->index->notes())];
    }

    /** The snapshot's process, and what is wrong with its file. */
    public static function heading(string $title, HeapIndex $index): Heading
    {
        $header = $index->header();
        $facts = ['PHP ' . ($header['php'] ?? '?') . (isset($header['sapi']) ? " {$header['sapi']}" : '')];
        if (isset($header['pid'])) {
            $facts[] = "process {$header['pid']}" . (isset($header['host']) ? " on {$header['host']}" : '');
        }
        if (isset($header['time'])) {
            $facts[] = date('Y-m-d H:i:s', (int) $header['time']);
        }
        $why = SnapshotInfo::why($header);
        if ($why !== '') {
            $facts[] = "taken because of $why";
        }
        $what = SnapshotInfo::task($header);

        return new Heading($title, [implode(', ', [...$facts, ...($what === '' ? [] : [$what])])], $index->notes());
    }

    /**
     * Title of a value: "Foo", "function Foo::bar"; of a string its beginning, of an array the number of its elements;
     * a scalar.
     *
     * @param Row $row of value()
     */
    public static function describe(array $row): string
    {
        if (!isset($row['type'])) {
            return (string) ($row['scalar'] ?? '');
        }
        if ($row['type'] === 'array' && isset($row['length'])) {
            return 'array (' . Units::count($row['length']) . ')';
        }
        if ($row['type'] !== 'string' || !isset($row['value'])) {
            return HeapNode::titleOf($row['type'], $row['name'] ?? '');
        }
        $known = Text::printable($row['value']);
        $value = mb_strimwidth($known, 0, self::VALUE, '', 'UTF-8');
        $isCut = $value !== $known || strlen($row['value']) < ($row['length'] ?? 0);

        return "\"$value\"" . ($isCut ? '...' : '');
    }

    /** Bytes that would be free without what the row is of; the terminal's share is of the heap. */
    public function retained(int $weight = 12, ?int $whole = null): Column
    {
        return new Column(
            'retained_bytes',
            Unit::Bytes,
            'retained',
            help: 'Bytes that would be free without it',
            sort: 'retained',
            share: new Share($whole ?? $this->whole, $weight),
        );
    }

    public static function what(string $label = 'Value', int $weight = 0): Column
    {
        return new Column('what', Unit::Name, 'what', $weight, $label, value: self::describe(...));
    }

    public static function keptBy(): Column
    {
        return new Column('path', Unit::Name, 'kept by', label: '');
    }

    public static function address(string $title = 'address', int $weight = 11): Column
    {
        return new Column('address', Unit::Text, $title, $weight, 'Address');
    }
}
