<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Report\DiffReport;
use XHProf\Report\Noise;
use XHProf\Report\Statistics;
use XHProf\Web\DiffPair;
use XHProf\Web\Request;
use XHProf\Web\Response;
use XHProf\Web\Runs;

/**
 * get=diff&run1=A&run2=B: both sides of a comparison as columns over the same names. `only` is 0 for what both have, 1 for what
 * only the first has (gone), 2 for what only the second has (new). Where a side has several runs, `noise` has their standard
 * deviations per column, and, where both have, how often chance alone makes such a difference (`p`).
 */
final class DiffEndpoint
{
    public function __construct(private readonly Runs $runs)
    {
    }

    public function respond(Request $request): Response
    {
        $pair = DiffPair::named($request, $this->runs, statistics: true);
        $report = DiffReport::of($pair->before->profile, $pair->after->profile);
        $names = array_map(strval(...), array_keys($report->rows()));
        $columns = ['ct', ...$report->metrics()];
        foreach ($report->metrics() as $metric) {
            $columns[] = "excl_$metric";
        }
        [$a, $b] = [$report->before()->rows(), $report->after()->rows()];
        $sides = ['a' => [], 'b' => []];
        foreach ($columns as $column) {
            $sides['a'][$column] = array_map(static fn (string $name): int|float => $a[$name][$column] ?? 0, $names);
            $sides['b'][$column] = array_map(static fn (string $name): int|float => $b[$name][$column] ?? 0, $names);
        }
        $totals = $report->totals();

        return Json::answer('diff', [
            'names' => $names,
            'metrics' => Json::metrics($report->metrics()),
            'total' => ['a' => $totals['a'], 'b' => $totals['b']],
        ] + $sides + [
            // Of names that no URL or no JSON can hold.
            'hashes' => Json::hashes($names),
            'only' => array_map(static fn (string $name): int => !isset($b[$name]) ? 1 : (isset($a[$name]) ? 0 : 2), $names),
        ] + $this->noise($pair, new Noise($report, $pair->before->statistics, $pair->after->statistics), $names, $columns));
    }

    /**
     * @param list<string> $names
     * @param list<string> $columns
     * @return array<string, mixed>
     */
    private function noise(DiffPair $pair, Noise $noise, array $names, array $columns): array
    {
        $noises = ['a' => [], 'b' => [], 'p' => []];
        foreach ($columns as $column) {
            foreach (['a' => $pair->before->statistics, 'b' => $pair->after->statistics] as $side => $statistics) {
                if ($statistics instanceof Statistics) {
                    $noises[$side][$column] = self::deviations($statistics, $names, $column);
                }
            }
            if ($noise->isTested()) {
                $noises['p'][$column] = array_map(
                    static fn (string $name): ?float => self::rounded($noise->chance($name, $column)),
                    $names,
                );
            }
        }
        $noises = array_filter($noises);

        return $noises === [] ? [] : ['noise' => $noises];
    }

    /**
     * @param list<string> $names
     * @return list<float>
     */
    private static function deviations(Statistics $statistics, array $names, string $column): array
    {
        return array_map(
            static fn (string $name): float => round($statistics->distribution($name, $column)->deviation(), 3),
            $names,
        );
    }

    private static function rounded(?float $p): ?float
    {
        return $p === null ? null : round($p, 5);
    }
}
