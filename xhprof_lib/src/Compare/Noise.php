<?php

declare(strict_types=1);

namespace XHProf\Compare;

use XHProf\Functions\FlatReport;
use XHProf\Functions\MetricOrder;
use XHProf\Stats\Significance;

/**
 * Changes of a comparison that are not worth a look: those under 1 % of the whole run, and, if both sides have several
 * runs, those that may be chance, else those that the machine made.
 */
final class Noise
{
    /** A change of less than a hundredth of the larger side's total. */
    public const SMALL = 'small';

    /** Both sides spread so much that the change may be chance: Welch's t-test, at Significance::LEVEL. */
    public const CHANCE = 'chance';

    /** Only wall time changed in a comparison of one run with one, while calls, CPU time and operations did not: MachineTime. */
    public const MACHINE = 'machine';

    public const MACHINE_WORDS = 'only wall time changed, while calls, CPU time and operations are the same: the machine was busy';

    private const SEVERAL = 'With several runs on each side it is tested whether a change may be chance.';

    public const MIN_SHARE = 0.01;

    /** @var array<string, int|float> per metric the least change that is not small */
    private array $least = [];

    /** What the machine did to the wall times; null where it is not known, or tested instead. */
    public readonly ?MachineTime $machine;

    /**
     * @param Statistics|null $a of several runs; null for a single one
     * @param Statistics|null $b of several runs; null for a single one
     * @param bool $isSampled whether calls are samples, which chance may leave out
     * @param MachineTime|null $machine what is known of it; it counts unless both sides have several runs
     */
    public function __construct(
        ProfileDiff $report,
        private readonly ?Statistics $a = null,
        private readonly ?Statistics $b = null,
        private readonly bool $isSampled = false,
        ?MachineTime $machine = null,
    ) {
        $this->machine = $this->isTested() ? null : $machine;
        $totals = $report->totals();
        foreach ($totals['a'] as $metric => $total) {
            $this->least[$metric] = self::MIN_SHARE * max(abs($total), abs($totals['b'][$metric]));
        }
    }

    /** Whether spreads are known, not only sizes. */
    public function isTested(): bool
    {
        return $this->a !== null && $this->b !== null;
    }

    /**
     * @param int|float $delta  the function's change in that column
     * @param string    $column of FlatReport
     *
     * @return self::SMALL|self::CHANCE|self::MACHINE|null null: the change counts
     */
    public function of(string $function, string $column, int|float $delta): ?string
    {
        return match (true) {
            $this->isSmall($column, $delta) => self::SMALL,
            ($this->chance($function, $column) ?? 0.0) >= Significance::LEVEL => self::CHANCE,
            $this->machine?->is($function, $column) === true => self::MACHINE,
            default => null,
        };
    }

    /** @return array<string, list<string>> per column of FlatReport the functions whose change is the machine's; none is left out */
    public function ofMachine(ProfileDiff $report): array
    {
        return $this->machine === null
            ? []
            : $this->which(self::MACHINE, array_intersect(MachineTime::METRICS, $report->metrics()), $report);
    }

    /** @return array<string, list<string>> per column of FlatReport the functions whose change may be chance, where it is tested */
    public function ofChance(ProfileDiff $report): array
    {
        return $this->isTested() ? $this->which(self::CHANCE, $report->metrics(), $report) : [];
    }

    /**
     * @param array<int, string> $metrics
     *
     * @return array<string, list<string>> functions by column
     */
    private function which(string $why, array $metrics, ProfileDiff $report): array
    {
        $found = [];
        foreach ($metrics as $metric) {
            foreach ([$metric, "excl_$metric"] as $column) {
                foreach ($report->rows() as $name => $row) {
                    if ($this->of((string) $name, $column, $row[$column] ?? 0) === $why) {
                        $found[$column][] = (string) $name;
                    }
                }
            }
        }

        return $found;
    }

    /**
     * Classifies the change of the calls between two functions, whose spread over several runs is not known.
     *
     * @param string $metric of the inclusive value
     * @param array<string, int|float> $delta change of their calls and inclusive values
     *
     * @return self::SMALL|self::MACHINE|null
     */
    public function ofCalls(string $metric, array $delta): ?string
    {
        return match (true) {
            $this->isSmall($metric, $delta[$metric] ?? 0) => self::SMALL,
            in_array($metric, MachineTime::METRICS, true) && $this->machine?->isBetween($delta) === true => self::MACHINE,
            default => null,
        };
    }

    /**
     * Classifies the change of a total of the run.
     *
     * @return self::SMALL|self::CHANCE|self::MACHINE|null
     */
    public function ofTotal(string $metric, int|float $delta): ?string
    {
        return match (true) {
            $this->isSmall($metric, $delta) => self::SMALL,
            ($this->chanceOfTotal($metric) ?? 0.0) >= Significance::LEVEL => self::CHANCE,
            in_array($metric, MachineTime::METRICS, true) && $this->machine?->isWhole() === true => self::MACHINE,
            default => null,
        };
    }

    /**
     * @return array{least: array<string, int|float>, level: float} least change per metric that is not small; probability from
     *     which it is chance
     */
    public function bounds(): array
    {
        return ['least' => $this->least, 'level' => Significance::LEVEL];
    }

    /** Whether the change is under 1 % of the whole. */
    public function isSmall(string $column, int|float $delta): bool
    {
        return $delta == 0 || abs($delta) < ($this->least[MetricOrder::base($column) ?? $column] ?? 0);
    }

    /**
     * @return float|null how often chance alone changes it at least as much, 0 to 1; null if unknown
     */
    public function chance(string $function, string $column): ?float
    {
        if ($this->a === null || $this->b === null || min($this->a->count(), $this->b->count()) < 2) {
            return null;
        }

        return $this->isOnOneSide($this->a->values($function, 'ct'), $this->b->values($function, 'ct'))
            ? 0.0
            : Significance::welch($this->a->distribution($function, $column), $this->b->distribution($function, $column));
    }

    /**
     * Whether all runs of one side call the function equally often, and the other side never: then the program causes the
     * change, not chance, however far its times spread.
     *
     * @param non-empty-list<int|float> $a calls per run
     * @param non-empty-list<int|float> $b
     */
    private function isOnOneSide(array $a, array $b): bool
    {
        return !$this->isSampled
            && min($a) === max($a)
            && min($b) === max($b)
            && $a[0] != $b[0]
            && min($a[0], $b[0]) == 0;
    }

    /** The probability of chance for the whole runs. */
    public function chanceOfTotal(string $metric): ?float
    {
        return $this->a === null || $this->b === null
            ? null
            : Significance::welch($this->a->total($metric), $this->b->total($metric));
    }

    /** "0.03", "< 0.001". */
    public static function probability(float $p): string
    {
        return $p < 0.001 ? '< 0.001' : number_format($p, $p < 0.1 ? 3 : 2, '.', '');
    }

    /**
     * @param self::SMALL|self::CHANCE|self::MACHINE|null $why
     *
     * @return string why a change is not worth a look; '' if it is
     */
    public static function words(?string $why, ?float $chance = null): string
    {
        return match ($why) {
            null => '',
            self::SMALL => 'Under 1 % of the total',
            self::MACHINE => ucfirst(self::MACHINE_WORDS),
            self::CHANCE => 'May be chance: p = ' . self::probability($chance ?? 1.0),
        };
    }

    /**
     * Which rows are grey, and why: two sentences at most.
     *
     * @param bool $ofCalls of calls between functions, whose spread is not known
     */
    public function explanation(bool $ofCalls = false): string
    {
        return match (true) {
            $ofCalls && $this->isTested() => 'Grey: under 1 % of the total.',
            $this->isTested() => "Grey: under 1 % of the total, or maybe chance (Welch's t-test, p of 0.05 or more). "
                . 'One in 20 functions that did not change passes the test by chance.',
            $this->machine !== null => 'Grey: under 1 % of the total, or ' . self::MACHINE_WORDS . '. '
                . self::SEVERAL,
            default => 'Grey: under 1 % of the total. ' . self::SEVERAL,
        };
    }
}
