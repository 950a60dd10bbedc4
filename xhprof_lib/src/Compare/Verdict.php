<?php

declare(strict_types=1);

namespace XHProf\Compare;

use XHProf\Format\Units;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Metrics;
use XHProf\Profile\OperationFunctions;
use XHProf\Stats\Significance;

/**
 * A comparison in a few sentences: the size of a change, and the functions with most of it. The first one is about what changed for
 * certain: the metric that is looked at where its change is significant, else another metric whose change is significant. More
 * queries come before any time. Wall time that the machine took comes last. Names of functions are bytes from outside, to be made
 * printable.
 *
 * @phpstan-type Part array{text: string, symbol: bool}
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

    /** Functions are named until they make up this much of the change. */
    private const ENOUGH = 0.8;
    private const MAX_NAMES = 3;
    private const MIN_SHARE = 0.1;

    private function __construct(
        private readonly ProfileDiff $figures,
        private readonly Noise $noise,
        private readonly string $nouns,
        private readonly ?TimeChange $times,
    ) {
    }

    /**
     * @param string $metric  the one that is looked at, of both runs
     * @param bool   $isCalls whether "ct" counts calls and not samples
     * @param string $nouns   what changed: "functions"
     * @param TimeChange|null $times what wall time was spent on; null where it is not known
     *
     * @return list<Sentence>
     */
    public static function sentences(
        ProfileDiff $figures,
        Noise $noise,
        string $metric,
        bool $isCalls,
        string $nouns = 'functions',
        ?TimeChange $times = null,
    ): array {
        $verdict = new self($figures, $noise, $nouns, $times);
        $decisive = $verdict->decisive($metric, $isCalls);
        $metrics = $decisive === $metric ? [$metric] : [$decisive, $metric];
        [$news, $others, $operations] = $isCalls ? $verdict->operations() : [[], [], 0];
        $calls = $figures->totals()['delta']['ct'] ?? 0;
        $isSaid = in_array('ct', $metrics, true) || $operations * ($calls <=> 0) >= self::MOST * abs($calls);
        if ($isCalls && !$isSaid && $verdict->noiseOf('ct') === null) {
            $metrics[] = 'ct';
        }

        $all = [...$news, ...array_map($verdict->sentence(...), $metrics), ...$others];
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

    private function decisive(string $metric, bool $isCalls): string
    {
        $others = array_intersect(self::DECISIVE, [...$this->figures->metrics(), ...($isCalls ? ['ct'] : [])]);
        foreach ([$metric, ...$others] as $one) {
            if ($this->noiseOf($one) === null) {
                return $one;
            }
        }

        return $metric;
    }

    /** @return string|null why the change of a total is not worth a look */
    private function noiseOf(string $metric): ?string
    {
        return $this->noise->ofTotal($metric, $this->figures->totals()['delta'][$metric] ?? 0);
    }

    /** @return Marked */
    private function sentence(string $metric): array
    {
        $isMachine = $this->noiseOf($metric) === Noise::MACHINE;
        $tone = self::tone($this->figures->totals()['delta'][$metric] ?? 0);

        return ['machine' => $isMachine, 'tone' => $isMachine ? 'same' : $tone, 'parts' => $this->about($metric)];
    }

    /** @return 'up'|'down'|'same' */
    private static function tone(int|float $delta): string
    {
        return $delta > 0 ? 'up' : ($delta < 0 ? 'down' : 'same');
    }

    /** @return list<Part> */
    private function about(string $metric): array
    {
        $totals = $this->figures->totals();
        [$a, $b] = [$totals['a'][$metric] ?? 0, $totals['b'][$metric] ?? 0];
        $label = Metrics::of($metric)->words();
        $change = $a == $b ? 'the same' : ltrim(Units::growth($a, $b) . ' (' . Units::signed($b - $a, $metric) . ')');
        if ($this->noise->machine !== null && $this->noiseOf($metric) === Noise::MACHINE) {
            $where = $this->where($metric);

            $where = $where === '' ? '' : "$where, ";

            return [self::part(ucfirst("$label: $change, $where") . $this->machine($this->noise->machine))];
        }
        $chance = $this->noise->chanceOfTotal($metric);
        $p = $chance === null ? '' : ' (p ' . ($chance < 0.001 ? '' : '= ') . Noise::probability($chance) . ')';
        $head = match (true) {
            $a == $b => ucfirst($label) . ' is the same',
            $chance !== null && $chance >= Significance::LEVEL => ucfirst($label) . ": $change, which may be chance$p",
            default => "$change $label$p",
        };

        $where = $a == $b ? '' : $this->where($metric);

        return [self::part("$head: "), ...$this->causes($metric, $a, $b), ...($where === '' ? [] : [self::part(" Of it $where.")])];
    }

    /** "not running +28.0 ms": what wall time was spent on more or less; '' of another metric, and where it is not known. */
    private function where(string $metric): string
    {
        return $metric === 'wt' ? $this->times?->words() ?? '' : '';
    }

    /** What only wall time shows. */
    private function machine(MachineTime $machine): string
    {
        $isSame = $this->figures->totals()['delta']['ct'] == 0;
        $words = match (true) {
            $machine->isCpuSame() => $isSame ? 'CPU time and calls the same' : 'CPU time the same',
            default => 'CPU time ' . Units::signed($machine->cpuChange(), 'cpu') . ($isSame ? ', calls the same' : ''),
        };

        return "$words: the machine was busy, not the program. Run it several times.";
    }

    /** @return list<Part> */
    private function causes(string $metric, int|float $a, int|float $b): array
    {
        [$changes, $machine] = $this->changes($metric);
        $delta = $b - $a;
        if ($changes === []) {
            return [self::part('no function changed.')];
        }
        $percent = $delta == 0 ? 0.0 : round(100 * $machine / $delta);
        // Where the time was says it more exactly.
        $isOfMachine = abs($percent) >= 100 * self::MIN_SHARE && $this->where($metric) === '';
        $end = self::part($isOfMachine ? "; $percent % only in wall time, the machine's." : '.');
        $largest = (string) array_key_first($changes);
        $parts = [];
        // If much grew and much shrank, the sum means little for either.
        if (abs($delta) < 0.01 * max(abs($a), abs($b)) || abs($changes[$largest]) > abs($delta)) {
            foreach ([1, -1] as $sign) {
                $name = (string) array_key_first(self::ofSign($changes, $sign));
                if ($name !== '') {
                    $in = ($parts === [] ? '' : ', ') . Units::signed($changes[$name], $metric) . ' in ';
                    array_push($parts, self::part($in), self::part($name, true));
                }
            }

            return [...$parts, $end];
        }
        $sum = 0.0;
        foreach (self::ofSign($changes, $delta) as $name => $change) {
            $share = $change / $delta;
            if ($sum >= self::ENOUGH || $share < self::MIN_SHARE || count($parts) >= 2 * self::MAX_NAMES) {
                break;
            }
            $sum += $share;
            $in = round(100 * $share) . ' % ' . ($parts === [] ? 'of it in ' : 'in ');
            array_push($parts, self::part($parts === [] ? $in : ", $in"), self::part((string) $name, true));
        }
        if ($parts === []) {
            return [
                self::part("spread over many $this->nouns, the most in "),
                self::part($largest, true),
                self::part(' (' . Units::signed($changes[$largest], $metric) . ')'),
                $end,
            ];
        }
        $others = self::ofSign($changes, -$delta);
        // What went the other way, where the named functions are more than the whole change.
        if (round(100 * $sum) > 100 && $others !== []) {
            $in = count($others) === 1 ? ' in ' : ' in others, the most in ';
            $parts[] = self::part('; ' . Units::signed(array_sum($others), $metric) . $in);
            $parts[] = self::part((string) array_key_first($others), true);
        }

        return [...$parts, $end];
    }

    /**
     * @return array{array<string, int|float>, int|float} function => change of its exclusive figure, with all levels of its
     *     recursion, the largest first; and the sum of those that are the machine's
     */
    private function changes(string $metric): array
    {
        $changes = [];
        $machine = 0;
        foreach ($this->figures->rows() as $name => $row) {
            $function = EdgeKey::stripRecursion((string) $name);
            $change = $row["excl_$metric"] ?? $row[$metric] ?? 0;
            if ($this->noise->machine?->is((string) $name, "excl_$metric") === true) {
                $machine += $change;
            } else {
                $changes[$function] = ($changes[$function] ?? 0) + $change;
            }
        }
        $changes = array_filter($changes, static fn (int|float $change): bool => $change != 0);
        uasort($changes, static fn (int|float $a, int|float $b): int => abs($b) <=> abs($a));

        return [$changes, $machine];
    }

    /**
     * @param array<string, int|float> $changes
     *
     * @return array<string, int|float> those in the direction of a change, in their order
     */
    private static function ofSign(array $changes, int|float $sign): array
    {
        return array_filter($changes, static fn (int|float $change): bool => $change * $sign > 0);
    }

    /**
     * Kinds of operations whose number changed.
     *
     * @return array{list<Marked>, list<Marked>, int|float} those that grew much, and the others; operations more than before
     */
    private function operations(): array
    {
        $kinds = [];
        foreach ($this->figures->rows() as $name => $row) {
            $kind = OperationFunctions::kind($name);
            if ($kind === null) {
                continue;
            }
            $kinds[$kind] ??= ['a' => 0, 'b' => 0, 'name' => '', 'delta' => 0];
            $kinds[$kind]['a'] += $this->figures->before()->rows()[$name]['ct'] ?? 0;
            $kinds[$kind]['b'] += $this->figures->after()->rows()[$name]['ct'] ?? 0;
            $isLargest = abs($row['ct']) > abs($kinds[$kind]['delta']);
            if ($isLargest && ($this->noise->chance($name, 'ct') ?? 0.0) < Significance::LEVEL) {
                $kinds[$kind] = ['delta' => $row['ct'], 'name' => EdgeKey::stripRecursion($name)] + $kinds[$kind];
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
            $parts = [self::part($head), self::part($name, true), self::part('.')];
            $sentences[$order][] = ['machine' => false, 'tone' => self::tone($b - $a), 'parts' => $parts];
        }

        return [...$sentences, $more];
    }

    /** @return Part */
    private static function part(string $text, bool $isSymbol = false): array
    {
        return ['text' => $text, 'symbol' => $isSymbol];
    }
}
