<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Compare\DiffReport;
use XHProf\Compare\Noise;
use XHProf\Functions\MetricList;
use XHProf\Web\Api\Endpoint;
use XHProf\Web\Api\JsonResponse;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;

/**
 * get=diff&run1=A&run2=B: both sides of a comparison as columns over the same names. `only` is 0 for functions of both sides,
 * 1 for the first side's only (gone), 2 for the second's only (new); `before` has the names that functions of both had before,
 * where they differ, by their number. If a side has several runs, `noise` has their standard deviations per column, and, if
 * both have, the probability of such a difference by chance (`p`); null if the change is under 1 % of the total, which counts
 * as noise anyway. Of one run with one `machine` has per column the functions, by number, whose change is the machine's, and words
 * for it. `bounds` are those of noise: changes below `least` of their metric, and those with a probability above `level`.
 */
final class DiffEndpoint extends Endpoint
{
    public function respond(Request $request): Response
    {
        $report = DiffPair::named($request, $this->runs)->report;
        $figures = $report->figures();
        $names = array_map(strval(...), array_keys($figures->rows()));
        [$a, $b] = [$figures->before()->rows(), $figures->after()->rows()];
        $sides = ['a' => [], 'b' => []];
        foreach ($figures->columns() as $column) {
            $sides['a'][$column] = array_map(static fn (string $name): int|float => $a[$name][$column] ?? 0, $names);
            $sides['b'][$column] = array_map(static fn (string $name): int|float => $b[$name][$column] ?? 0, $names);
        }
        $totals = $figures->totals();

        return JsonResponse::answer('diff', [
            'names' => $names,
            'metrics' => MetricList::ofProfile($report->metrics(), $report->counted()),
            'total' => ['a' => $totals['a'], 'b' => $totals['b']],
        ] + $sides + [
            // For names that no URL or no JSON can hold.
            'hashes' => JsonResponse::hashes($names),
            'before' => (object) array_filter(array_map($figures->nameBefore(...), $names), is_string(...)),
            'only' => array_map(static fn (string $name): int => !isset($b[$name]) ? 1 : (isset($a[$name]) ? 0 : 2), $names),
            'bounds' => $report->noise()->bounds(),
        ] + self::noise($report) + self::machine($report, $names));
    }

    /** @return array<string, mixed> */
    private static function noise(DiffReport $report): array
    {
        $noise = $report->noise();
        $sides = array_filter(['a' => $report->statisticsA, 'b' => $report->statisticsB]);
        $found = [];
        foreach ($sides === [] ? [] : $report->figures()->columns() as $column) {
            foreach ($report->figures()->rows() as $name => $row) {
                $isSmall = $noise->isSmall($column, $row[$column] ?? 0);
                foreach ($sides as $side => $statistics) {
                    $found[$side][$column][] = $isSmall
                        ? null
                        : round($statistics->distribution($name, $column)->deviation(), 3);
                }
                if ($noise->isTested()) {
                    $found['p'][$column][] = $isSmall ? null : round($noise->chance($name, $column) ?? 1.0, 5);
                }
            }
        }

        return $found === [] ? [] : ['noise' => $found];
    }

    /**
     * @param list<string> $names
     * @return array<string, mixed>
     */
    private static function machine(DiffReport $report, array $names): array
    {
        if ($report->noise()->machine === null) {
            return [];
        }
        $numbers = array_flip($names);
        $rows = array_map(
            static fn (array $found): array => array_map(static fn (string $name): int => $numbers[$name], $found),
            $report->noise()->ofMachine($report->figures()),
        );

        return ['machine' => ['words' => Noise::MACHINE_WORDS, 'rows' => (object) $rows]];
    }
}
