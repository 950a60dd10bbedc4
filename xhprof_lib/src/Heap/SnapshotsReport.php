<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\Report\Column;
use XHProf\Report\Order;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/**
 * The heap snapshots of a folder.
 *
 * @phpstan-import-type Row from Table
 */
final class SnapshotsReport
{
    public const SORTS = ['time', 'usage', 'peak', 'nodes', 'typed', 'file', 'fn'];

    /** Newest snapshots that a filter or an order looks into: each is a file to be opened. */
    public const MOST = 2000;

    public function __construct(private readonly Snapshots $snapshots)
    {
    }

    /**
     * @param string $filter text in command, URL, name, host, process or PHP version; '' for all
     * @param int    $limit  0 for all
     */
    public function report(Order $order, string $filter, int $limit, int $offset = 0): Report
    {
        $files = $this->snapshots->all();
        $total = count($files);
        $filter = mb_scrub($filter);
        if ($filter !== '') {
            $files = array_values(array_filter(array_slice($files, 0, self::MOST), fn (array $file): bool
                => mb_stripos($this->texts($file['name']), $filter) !== false));
        }
        $table = new Table('snapshots', self::columns(), [], 'No snapshot matches.', caption: 'Heap snapshots');
        $most = $limit === 0 ? null : $limit;
        if ($order->by === 'time') {
            // The files have this order: only those that are shown are opened.
            $found = count($files);
            $files = $order->descending === false ? array_reverse($files) : $files;
            $rows = array_map($this->row(...), array_slice($files, $offset, $most));
        } else {
            $rows = array_map($this->row(...), array_slice($files, 0, self::MOST));
            $found = count($rows);
            $rows = array_slice($table->with(['rows' => $rows])->ordered($order)->rows, $offset, $most);
        }
        $withWhy = array_filter(array_column($rows, 'why')) !== [];
        $below = Table::rest(count($rows), $found, 'snapshots');
        $table = $table->with(['columns' => self::columns($withWhy), 'rows' => $rows, 'below' => $below]);

        return new Report([$table], facts: ['found' => $found, 'total' => $total]);
    }

    /**
     * @param bool $withWhy whether a condition has asked for one of them
     * @return list<Column>
     */
    private static function columns(bool $withWhy = false): array
    {
        $share = static fn (array $row): ?float => $row['typed_bytes'] !== null && $row['in_use_bytes'] > 0
            ? $row['typed_bytes'] / $row['in_use_bytes'] : null;

        return [
            new Column('title', Unit::Name, 'process', label: 'Process', sort: 'fn'),
            new Column('time', Unit::Moment, 'taken', label: 'Taken', help: 'Time'),
            new Column('usage_bytes', Unit::Bytes, 'in use', label: 'In use', help: 'memory_get_usage()', sort: 'usage'),
            new Column(
                'peak_bytes',
                Unit::Bytes,
                'peak',
                11,
                help: 'Most memory since the request began; of a snapshot from outside: memory_get_peak_usage()',
                sort: 'peak',
            ),
            new Column('nodes', Unit::Count, 'values', 12, help: 'Strings, arrays, objects, functions ...'),
            new Column(
                'typed',
                Unit::Percent,
                'known',
                13,
                help: 'Share of the heap whose type and content are known',
                value: $share,
            ),
            ...($withWhy ? [new Column('why', Unit::Text, 'condition', 15, help: 'The one of xhprof.heap_if that held')] : []),
            new Column('process', Unit::Text, 'PHP, host', 20),
            new Column('file_bytes', Unit::Bytes, 'file', 14, help: 'Bytes of the file', sort: 'file'),
        ];
    }

    /**
     * @param array{name: string, size: int, mtime: int} $file
     * @return Row
     */
    private function row(array $file): array
    {
        $head = $this->snapshots->head($file['name']);
        $process = [$head->text('php'), trim($head->text('sapi') . ' ' . $head->text('pid')), $head->text('host')];

        return [
            'name' => $file['name'],
            'title' => $head->title($file['name']),
            'damage' => $head->damage,
            'usable' => $head->header !== [],
            'time' => $head->time() ?? (float) $file['mtime'],
            'usage_bytes' => $head->number('usage') ?? $head->sums['usage'] ?? null,
            'peak_bytes' => $head->number('peak'),
            'nodes' => $head->sums['nodes'] ?? null,
            'in_use_bytes' => $head->sums['usage'] ?? null,
            'typed_bytes' => $head->sums['typed']['bytes'] ?? null,
            'why' => SnapshotInfo::why($head->header),
            'process' => implode(', ', array_filter($process, static fn (string $part): bool => $part !== '')),
            'file_bytes' => $file['size'],
        ];
    }

    /** What a filter looks into. */
    private function texts(string $name): string
    {
        $head = $this->snapshots->head($name);
        $texts = array_map($head->text(...), ['command', 'method', 'url', 'route', 'taken_if', 'host', 'sapi', 'php', 'pid']);

        return mb_scrub(implode("\n", [$name, ...$texts]));
    }
}
