<?php

declare(strict_types=1);

namespace XHProf\Compare;

use XHProf\Format\Units;
use XHProf\Profile\EdgeKey;
use XHProf\Stats\Significance;

/**
 * A comparison in one sentence: the size of the change, and the functions with most of it.
 *
 * @phpstan-type Part array{text: string, symbol: bool}
 */
final class DiffSummary
{
    /** Functions are named until they make up this much of the change. */
    private const ENOUGH = 0.8;
    private const MAX_NAMES = 3;
    private const MIN_SHARE = 0.1;

    /**
     * @param string $metric of both runs
     * @param string $label  "wall time"
     *
     * @return list<Part> text and names of functions, in turn; names are bytes from outside, to be made printable
     */
    public static function of(ProfileDiff $report, Noise $noise, string $metric, string $label): array
    {
        $totals = $report->totals();
        [$a, $b] = [$totals['a'][$metric] ?? 0, $totals['b'][$metric] ?? 0];
        $chance = $noise->chanceOfTotal($metric);
        $change = $a == $b ? 'the same' : ltrim(Units::growth($a, $b) . ' (' . Units::signed($b - $a, $metric) . ')');
        if ($noise->machine !== null && $noise->ofTotal($metric, $b - $a) === Noise::MACHINE) {
            return [self::text(ucfirst("$label: $change, ") . self::machine($noise->machine, $report))];
        }
        $head = match (true) {
            $a == $b => ucfirst($label) . ' is the same',
            $chance !== null && $chance >= Significance::LEVEL => sprintf(
                "%s: %s, which may be chance (p = %s)",
                ucfirst($label),
                $change,
                Noise::probability($chance),
            ),
            $chance === null => "$change $label",
            default => "$change $label (p " . ($chance < 0.001 ? '' : '= ') . Noise::probability($chance) . ')',
        };

        return [self::text($head . ': '), ...self::causes($report, $noise, $metric, $b - $a)];
    }

    /** What only wall time shows. */
    private static function machine(MachineTime $machine, ProfileDiff $report): string
    {
        $isSame = $report->totals()['delta']['ct'] == 0;
        $words = match (true) {
            $machine->isCpuSame() => $isSame ? 'CPU time and calls the same' : 'CPU time the same',
            default => 'CPU time ' . Units::signed($machine->cpuChange(), 'cpu') . ($isSame ? ', calls the same' : ''),
        };

        return "$words: the machine was busy, not the program. Run it several times.";
    }

    /**
     * @return list<Part>
     */
    private static function causes(ProfileDiff $report, Noise $noise, string $metric, int|float $delta): array
    {
        [$changes, $machine] = self::changes($report, $noise, $metric);
        $totals = $report->totals();
        $whole = max(abs($totals['a'][$metric] ?? 0), abs($totals['b'][$metric] ?? 0));
        $largest = self::largest($changes, 0);
        if ($largest === null) {
            return [self::text('no function changed.')];
        }
        // If much grew and much shrank, the sum means little for either.
        if (abs($delta) < 0.01 * $whole || abs($changes[$largest]) > abs($delta)) {
            return [...self::largestBothSigns($changes, $metric), ...self::ending($machine, $delta)];
        }
        $parts = [];
        $sum = 0.0;
        foreach (self::sameDirection($changes, $delta) as $name => $change) {
            $share = $change / $delta;
            if ($sum >= self::ENOUGH || $share < self::MIN_SHARE || count($parts) >= 2 * self::MAX_NAMES) {
                break;
            }
            $sum += $share;
            $percent = round(100 * $share) . ' % ';
            $parts[] = self::text($parts === [] ? "{$percent}of it in " : ", {$percent}in ");
            $parts[] = ['text' => (string) $name, 'symbol' => true];
        }
        if ($parts === []) {
            return [
                self::text('spread over many functions, the most in '),
                ['text' => $largest, 'symbol' => true],
                self::text(' (' . Units::signed($changes[$largest], $metric) . ')'),
                ...self::ending($machine, $delta),
            ];
        }
        if (round(100 * $sum) > 100) {
            array_push($parts, ...self::others($changes, $metric, $delta));
        }

        return [...$parts, ...self::ending($machine, $delta)];
    }

    /**
     * What went the other way, where the named functions are more than the whole change.
     *
     * @param array<string, int|float> $changes
     *
     * @return list<Part>
     */
    private static function others(array $changes, string $metric, int|float $delta): array
    {
        $others = self::sameDirection($changes, -$delta);
        $sum = Units::signed(array_sum($others), $metric);

        return count($others) === 0 ? [] : [
            self::text("; $sum in " . (count($others) === 1 ? '' : 'others, the most in ')),
            ['text' => (string) array_key_first($others), 'symbol' => true],
        ];
    }

    /**
     * The end of the sentence, with what the machine did to it.
     *
     * @return list<Part>
     */
    private static function ending(int|float $machine, int|float $delta): array
    {
        $percent = $delta == 0 ? 0.0 : round(100 * $machine / $delta);

        return [self::text(abs($percent) < 100 * self::MIN_SHARE ? '.' : "; $percent % only in wall time, the machine's.")];
    }

    /**
     * @param array<string, int|float> $changes
     *
     * @return list<Part>
     */
    private static function largestBothSigns(array $changes, string $metric): array
    {
        $parts = [];
        foreach ([1, -1] as $sign) {
            $name = self::largest($changes, $sign);
            if ($name !== null) {
                $parts[] = self::text(($parts === [] ? '' : ', ') . Units::signed($changes[$name], $metric) . ' in ');
                $parts[] = ['text' => $name, 'symbol' => true];
            }
        }

        return $parts;
    }

    /**
     * @return array{array<string, int|float>, int|float} function => change of its exclusive figure, with all levels of its
     *     recursion; and the sum of those that are the machine's
     */
    private static function changes(ProfileDiff $report, Noise $noise, string $metric): array
    {
        $changes = [];
        $machine = 0;
        foreach ($report->rows() as $name => $row) {
            $function = EdgeKey::stripRecursion($name);
            $change = $row["excl_$metric"] ?? $row[$metric] ?? 0;
            if ($noise->machine?->is($name, "excl_$metric") === true) {
                $machine += $change;
            } else {
                $changes[$function] = ($changes[$function] ?? 0) + $change;
            }
        }

        return [$changes, $machine];
    }

    /**
     * @param array<string, int|float> $changes
     *
     * @return array<string, int|float> those in the direction of the whole change, the largest first
     */
    private static function sameDirection(array $changes, int|float $delta): array
    {
        $same = array_filter($changes, static fn (int|float $change): bool => $change * $delta > 0);
        uasort($same, static fn (int|float $a, int|float $b): int => abs($b) <=> abs($a));

        return $same;
    }

    /**
     * @param array<string, int|float> $changes
     * @param int                      $sign 1: growth only, -1: shrinkage only, 0: both
     */
    private static function largest(array $changes, int $sign): ?string
    {
        $found = null;
        foreach ($changes as $name => $change) {
            $counts = $change != 0 && ($sign === 0 || $change * $sign > 0);
            if ($counts && ($found === null || abs($change) > abs($changes[$found]))) {
                $found = (string) $name;
            }
        }

        return $found;
    }

    /**
     * @return Part
     */
    private static function text(string $text): array
    {
        return ['text' => $text, 'symbol' => false];
    }
}
