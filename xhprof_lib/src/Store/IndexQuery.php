<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Run\RunRecording;

/**
 * A RunQuery in SQL. Unknown values come last in both directions.
 *
 * @internal
 */
final class IndexQuery
{
    /** @var list<string|int|float> of the places in where() */
    public readonly array $values;

    private readonly string $where;

    public function __construct(private readonly RunQuery $query)
    {
        $conditions = [];
        $values = [];
        $add = static function (string $condition, string|int|float ...$more) use (&$conditions, &$values): void {
            $conditions[] = $condition;
            array_push($values, ...array_values($more));
        };
        $texts = ['source' => $query->source, 'host' => $query->host, 'start' => $query->start, 'route' => $query->route];
        foreach ($texts as $column => $text) {
            if ($text !== '') {
                $add("$column = ?", $text);
            }
        }
        if ($query->tag !== '') {
            $add('labelled = 1 AND instr(tags, ?)', "\n$query->tag\n");
        }
        if ($query->pinned !== null) {
            $add($query->pinned ? 'labelled = 1 AND pinned' : 'NOT pinned');
        }
        if ($query->from !== null) {
            $add('time >= ?', $query->from);
        }
        if ($query->until !== null) {
            $add('time < ?', $query->until);
        }
        if ($query->minWall !== null) {
            $add('wt >= ?', $query->minWall);
        }
        if ($query->status !== '') {
            $add('status >= ? AND status <= ?', ...$query->statuses());
        }
        if ($query->single) {
            $add('start <> ?', RunRecording::WINDOW);
        }
        if ($query->requests) {
            $add("route > ''");
        }
        if ($query->url !== '') {
            $url = strtolower($query->url);
            $add('instr(search, ?) AND instr(lower(title || char(10) || url), ?)', $url, $url);
        }
        foreach ($query->words as $word) {
            $add('instr(search, ?)', $word);
        }
        $this->where = $conditions === [] ? '' : ' WHERE ' . implode(' AND ', $conditions);
        $this->values = $values;
    }

    public function count(): string
    {
        return "SELECT count(*) FROM runs$this->where";
    }

    /** Selects names first, rows after: skipped rows are then not read. */
    public function page(int $limit, int $offset): string
    {
        $names = "SELECT name FROM runs$this->where" . $this->order() . " LIMIT $limit OFFSET $offset";

        return "SELECT * FROM runs WHERE name IN ($names)" . $this->order();
    }

    public function names(): string
    {
        return "SELECT name FROM runs$this->where" . $this->order();
    }

    /** Route, wall time, whether it failed, and name, by route, the slowest last. */
    public function routes(): string
    {
        return "SELECT route, wt, failed, name FROM runs$this->where ORDER BY route, wt, name";
    }

    /** The routes of the windows that the query finds: time, then the columns of the table, the name last; the newest first. */
    public function windows(int $limit): string
    {
        $runs = "SELECT name, time FROM runs$this->where";

        return "SELECT time, route, seconds, requests, failed, aborted, samples, wall, cpu, max, walls, cpus, peaks, waits,
                kept_requests, kept, early, after_us, allocating, allocated, held,
                cut, mixed, unsampled, unsampled_us, name
            FROM ($runs) AS found JOIN windows USING (name) ORDER BY time DESC LIMIT $limit";
    }

    private function order(): string
    {
        $direction = $this->query->descending ? 'DESC' : 'ASC';

        return ' ORDER BY ' . $this->column() . " $direction NULLS LAST, name $direction";
    }

    private function column(): string
    {
        return match ($this->query->sort) {
            'host', 'title', 'source' => "{$this->query->sort} COLLATE NOCASE",
            default => $this->query->sort,
        };
    }
}
