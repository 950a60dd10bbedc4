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
    /** When each release of a source, or of any for '', was seen first; the source is asked for twice. */
    public const RELEASES = "SELECT min(time) AS began, release FROM runs WHERE release > '' AND (? = '' OR source = ?)"
        . ' GROUP BY release';

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
        $single = [
            'source = ?' => $query->source, 'host = ?' => $query->host, 'start = ?' => $query->start, 'route = ?' => $query->route,
            'time >= ?' => $query->from, 'time < ?' => $query->until, 'wt >= ?' => $query->minWall,
        ];
        foreach ($single as $condition => $value) {
            if ($value !== '' && $value !== null) {
                $add($condition, $value);
            }
        }
        if ($query->tag !== '') {
            $add('labelled = 1 AND instr(tags, ?)', "\n$query->tag\n");
        }
        if ($query->pinned !== null) {
            $add($query->pinned ? 'labelled = 1 AND pinned' : 'NOT pinned');
        }
        if ($query->status !== '') {
            $add('status >= ? AND status <= ?', ...$query->statuses());
        }
        if ($query->single) {
            $add('start <> ?', RunRecording::WINDOW);
        }
        if ($query->sinceRelease) {
            $add('time >= (SELECT max(began) FROM (' . self::RELEASES . '))', $query->source, $query->source);
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

        return "SELECT time, route, seconds, figures, name
            FROM ($runs) AS found JOIN windows USING (name) ORDER BY time DESC LIMIT $limit";
    }

    private function order(): string
    {
        $direction = $this->query->descending ? 'DESC' : 'ASC';

        $collate = in_array($this->query->sort, RunQuery::TEXTS, true) ? ' COLLATE NOCASE' : '';

        return " ORDER BY {$this->query->sort}$collate $direction NULLS LAST, name $direction";
    }
}
