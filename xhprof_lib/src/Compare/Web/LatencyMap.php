<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Format\Units;
use XHProf\Requests\RouteReport;
use XHProf\Run\RouteFigures;
use XHProf\Store\RunEntry;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\TimeLabel;

/**
 * How the wall times of a route's requests are distributed, window after window: a column is a window, a row a range of times on a
 * logarithmic axis, and the darker a cell is, the larger is its share of the column's requests. Drawn without scripts.
 */
final class LatencyMap
{
    /** Most columns: if there are more windows, neighbours share a column, with the sum of their requests. */
    private const COLUMNS = 120;
    private const ROWS = 36;

    /** Times beside the picture, besides that at its lower edge. */
    private const TICKS = 4;

    /** A cell in the picture's own units. */
    private const CELL = 10;

    /**
     * @param list<RunEntry>     $windows oldest first
     * @param list<RouteFigures> $routes of each
     *
     * @return array{width: int, height: int, cell: int, heats: array<int, string>, ticks: list<string>, columns: list<string>,
     *     from: array<string, string>|null, to: array<string, string>|null, text: string, data: string}|null null for fewer than
     *     two windows with requests: one column is no picture
     */
    public static function draw(array $windows, array $routes): ?array
    {
        $known = array_filter($routes, static fn (RouteFigures $figures): bool => $figures->walls->count() > 0);
        if (count($known) < 2) {
            return null;
        }
        $all = RouteFigures::sum($known);
        $each = max(1, (int) ceil(count($routes) / self::COLUMNS));
        $rows = $all->walls->bars(self::ROWS);
        $height = self::CELL * count($rows);
        $heats = array_fill(0, 6, '');
        $columns = [];
        foreach (array_chunk($routes, $each) as $x => $parts) {
            $figures = RouteFigures::sum($parts);
            $counts = array_column($figures->walls->bars(self::ROWS, $all->walls), 'count');
            foreach (array_filter($counts) as $y => $count) {
                $heats[Cells::heat($count / $figures->walls->count())]
                    .= sprintf('M%d %dh%3$dv%3$dh-%3$dz', $x * self::CELL, $height - ($y + 1) * self::CELL, self::CELL);
            }
            $last = $windows[min(count($windows), ($x + 1) * $each) - 1];
            $columns[] = [
                'time' => TimeLabel::of($windows[$x * $each]->time)['short'] ?? '',
                'url' => Url::index(Url::runParameters($last->id)),
                'count' => $figures->walls->count(),
                'counts' => $counts,
                'text' => self::sentence($figures),
            ];
        }

        return [
            'width' => self::CELL * count($columns),
            'height' => $height,
            'cell' => self::CELL,
            'heats' => array_filter($heats),
            'ticks' => self::ticks($rows),
            'columns' => array_map(static fn (array $column): string => "{$column['time']}: {$column['text']}", $columns),
            'from' => TimeLabel::of($windows[0]->time),
            'to' => TimeLabel::of($windows[count($windows) - 1]->time),
            'text' => 'Distribution of wall times over ' . count($routes) . ' windows: ' . self::sentence($all),
            'data' => (string) json_encode([
                'rows' => array_map(static fn (array $row): array => [
                    Units::in($row['from'], 'us'),
                    Units::in($row['to'], 'us'),
                ], $rows),
                'columns' => $columns,
            ]),
        ];
    }

    private static function sentence(RouteFigures $figures): string
    {
        return $figures->walls->count() === 0 ? 'no requests' : RouteReport::counted($figures) . RouteReport::shares($figures);
    }

    /**
     * @param list<array{from: int, to: int, count: int}> $rows
     *
     * @return list<string> from the top down, at equal distances
     */
    private static function ticks(array $rows): array
    {
        $edges = [...array_column($rows, 'from'), $rows[count($rows) - 1]['to']];
        $most = min(self::TICKS, count($rows));
        $ticks = [];
        for ($tick = $most; $tick >= 0; $tick--) {
            $ticks[] = Units::in($edges[(int) round(count($rows) * $tick / $most)], 'us');
        }

        return $ticks;
    }
}
