<?php

declare(strict_types=1);

namespace XHProf\Compare;

use XHProf\Format\Units;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Metrics;
use XHProf\Profile\OperationFunctions;
use XHProf\Stats\Significance;

/**
 * A comparison in a few sentences. The first one is about what changed for certain: the metric that is looked at where its change
 * is significant, else another metric whose change is significant. More queries come before any time. Wall time that the machine
 * took comes last.
 *
 * @phpstan-import-type Part from DiffSummary
 * @phpstan-type Sentence array{tone: 'up'|'down'|'same', parts: list<Part>}
 * @phpstan-type Marked array{machine: bool, tone: 'up'|'down'|'same', parts: list<Part>}
 */
final class Verdict
{
    /** Metrics that may decide besides the one that is looked at, the most telling first. */
    private const DECISIVE = ['wt', 'cpu', 'ct'];

    /** Growth of a number of operations, as a share, that comes before anything else. */
    private const NEWS = 0.1;

    /** Share of more calls that, when they are operations, says what there is to say of calls. */
    private const MOST = 0.8;

    /**
     * @param string $metric  the one that is looked at, of both runs
     * @param bool   $isCalls whether "ct" counts calls and not samples
     *
     * @return list<Sentence>
     */
    public static function of(ProfileDiff $report, Noise $noise, string $metric, bool $isCalls): array
    {
        $decisive = self::decisive($report, $noise, $metric, $isCalls);
        $sentences = [self::sentence($report, $noise, $decisive)];
        if ($decisive !== $metric) {
            $sentences[] = self::sentence($report, $noise, $metric);
        }
        [$news, $others, $operations] = $isCalls ? self::operations($report, $noise) : [[], [], 0];
        $calls = $report->totals()['delta']['ct'] ?? 0;
        $isSaid = in_array('ct', [$decisive, $metric], true) || $operations * ($calls <=> 0) >= self::MOST * abs($calls);
        if ($isCalls && !$isSaid && self::isClear($report, $noise, 'ct')) {
            $sentences[] = self::sentence($report, $noise, 'ct');
        }

        $all = [...$news, ...$sentences, ...$others];
        // What changed for certain comes before what the machine did.
        usort($all, static fn (array $a, array $b): int => $a['machine'] <=> $b['machine']);

        return array_map(static fn (array $one): array => ['tone' => $one['tone'], 'parts' => $one['parts']], $all);
    }

    /**
     * @param list<Sentence> $sentences
     *
     * @return string all of them
     */
    public static function text(array $sentences): string
    {
        $text = static fn (array $sentence): string => implode('', array_column($sentence['parts'], 'text'));

        return implode(' ', array_map($text, $sentences));
    }

    private static function decisive(ProfileDiff $report, Noise $noise, string $metric, bool $isCalls): string
    {
        if (self::isClear($report, $noise, $metric)) {
            return $metric;
        }
        foreach (array_intersect(self::DECISIVE, [...$report->metrics(), ...($isCalls ? ['ct'] : [])]) as $other) {
            if (self::isClear($report, $noise, $other)) {
                return $other;
            }
        }

        return $metric;
    }

    private static function isClear(ProfileDiff $report, Noise $noise, string $metric): bool
    {
        return $noise->ofTotal($metric, $report->totals()['delta'][$metric] ?? 0) === null;
    }

    /** @return Marked */
    private static function sentence(ProfileDiff $report, Noise $noise, string $metric): array
    {
        $delta = $report->totals()['delta'][$metric] ?? 0;

        $isMachine = $noise->ofTotal($metric, $delta) === Noise::MACHINE;

        return [
            'machine' => $isMachine,
            'tone' => $isMachine ? 'same' : self::tone($delta),
            'parts' => DiffSummary::of($report, $noise, $metric, Metrics::of($metric)->words()),
        ];
    }

    /** @return 'up'|'down'|'same' */
    private static function tone(int|float $delta): string
    {
        return match ($delta <=> 0) {
            1 => 'up',
            -1 => 'down',
            default => 'same',
        };
    }

    /**
     * Kinds of operations whose number changed.
     *
     * @return array{list<Marked>, list<Marked>, int|float} those that grew much, and the others; operations more than before
     */
    private static function operations(ProfileDiff $report, Noise $noise): array
    {
        $kinds = [];
        foreach ($report->rows() as $name => $row) {
            $kind = OperationFunctions::kind($name);
            if ($kind === null) {
                continue;
            }
            $kinds[$kind] ??= ['a' => 0, 'b' => 0, 'name' => '', 'delta' => 0];
            $kinds[$kind]['a'] += $report->before()->rows()[$name]['ct'] ?? 0;
            $kinds[$kind]['b'] += $report->after()->rows()[$name]['ct'] ?? 0;
            if (abs($row['ct']) > abs($kinds[$kind]['delta']) && ($noise->chance($name, 'ct') ?? 0.0) < Significance::LEVEL) {
                $kinds[$kind]['delta'] = $row['ct'];
                $kinds[$kind]['name'] = EdgeKey::stripRecursion($name);
            }
        }
        $sentences = [[], []];
        $more = 0;
        foreach ($kinds as $kind => ['a' => $a, 'b' => $b, 'name' => $name]) {
            if ($a == $b || $name === '') {
                continue;
            }
            $more += $b - $a;
            $head = sprintf(
                '%s: %s → %s (%s), the most in ',
                ucfirst(OperationFunctions::plural($kind)),
                Units::count($a),
                Units::count($b),
                Units::signed($b - $a, 'ct'),
            );
            $order = $b - $a >= max(1, self::NEWS * $a) ? 0 : 1;
            $sentences[$order][] = ['machine' => false, 'tone' => self::tone($b - $a), 'parts' => [
                ['text' => $head, 'symbol' => false], ['text' => $name, 'symbol' => true], ['text' => '.', 'symbol' => false],
            ]];
        }

        return [...$sentences, $more];
    }
}
