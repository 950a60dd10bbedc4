<?php

declare(strict_types=1);

namespace XHProf\Stats;

/**
 * Judges whether memory that is kept grows without end. The figures are estimates from sampled blocks: `w` bytes stand for a
 * sample, so that a sum of n samples has a deviation of w times the root of n.
 *
 * @phpstan-type Stretch array{requests: int, kept: int, released: int, blocks: int}
 */
final class Growth
{
    /** Stretches of time that are compared: fewer say nothing, and in more of them chance has more to say. */
    public const LEAST = 4;
    public const MOST = 8;

    /** Least samples, and deviations that chance does not explain. */
    private const SAMPLES = 8;
    private const SURE = 3.0;
    private const LIKELY = 2.0;

    /** Part of the growth of the first half that the second half has at least, where it goes on. */
    private const GOES_ON = 0.5;

    /** Part of what was kept that has to be let go at times, where it is no leak. */
    private const LETS_GO = 0.5;

    /** Change over the whole time, as a part of the mean, from which growth is not steady. */
    private const STEADY = 0.5;

    /**
     * @param float $perRequest bytes that stay of a request; below 0: more is let go
     * @param float $error      bytes: about 95 of 100 estimates are not further off
     * @param int   $net        bytes, of all requests
     * @param int   $last       number of the last stretch that grew; -1 if it is not known
     * @param float $change     of perRequest from the first to the last stretch, as a part of it; 0: chance may explain it
     */
    private function __construct(
        public readonly GrowthKind $kind,
        public readonly float $perRequest,
        public readonly float $error,
        public readonly int $net,
        public readonly int $kept,
        public readonly int $released,
        public readonly int $last = -1,
        public readonly float $change = 0.0,
    ) {
    }

    /**
     * @param list<Stretch> $stretches oldest first, each with about as many requests; kept and released: bytes; blocks: of both
     * @param int           $sampled   mean bytes from one sample to the next
     */
    public static function of(array $stretches, int $sampled): self
    {
        [$kept, $released] = [array_sum(array_column($stretches, 'kept')), array_sum(array_column($stretches, 'released'))];
        [$requests, $blocks] = [array_sum(array_column($stretches, 'requests')), array_sum(array_column($stretches, 'blocks'))];
        // A block that is larger than the distance of samples is a sample by itself.
        $weight = max(1.0, $sampled, ($kept + $released) / max(1, $blocks));
        $deviation = static fn (int $bytes): float => sqrt($weight * $bytes);
        $net = $kept - $released;
        $judged = static fn (GrowthKind $kind, int $last = -1, float $change = 0.0): self => new self(
            $kind,
            $net / max(1, $requests),
            self::LIKELY * $deviation($kept + $released) / max(1, $requests),
            $net,
            $kept,
            $released,
            $last,
            $change,
        );
        $nets = array_map(static fn (array $one): int => $one['kept'] - $one['released'], $stretches);
        $errors = array_map(static fn (array $one): float => $deviation($one['kept'] + $one['released']), $stretches);
        $last = -1;
        foreach ($nets as $i => $value) {
            $last = $value > self::LIKELY * $errors[$i] ? $i : $last;
        }
        if ($kept + $released < self::SAMPLES * $weight) {
            return $judged(GrowthKind::Few);
        }
        if (count($stretches) < self::LEAST) {
            return $judged(GrowthKind::Short);
        }
        $isSure = $net > self::SURE * $deviation($kept + $released);
        if (!$isSure || self::letsGo($nets)) {
            return $judged($isSure || $released >= self::LETS_GO * $kept ? GrowthKind::LetGo : GrowthKind::Few);
        }
        $most = (int) array_search(max([0, ...$nets]), $nets, true);
        $rest = $kept + $released - $stretches[$most]['kept'] - $stretches[$most]['released'];
        if (2 * $nets[$most] > $net && $net - $nets[$most] <= self::SURE * $deviation($rest)) {
            return $judged($most === 0 ? GrowthKind::Filled : GrowthKind::Once, $most);
        }
        $half = intdiv(count($stretches), 2);
        $first = self::rate(array_slice($stretches, 0, $half), $weight);
        $second = self::rate(array_slice($stretches, -$half), $weight);
        $error = self::LIKELY * sqrt($first['error'] ** 2 + $second['error'] ** 2);
        if ($second['net'] < self::GOES_ON * $first['net'] && $first['net'] - $second['net'] > $error) {
            $isOver = $second['net'] <= self::LIKELY * $second['error'];

            return $judged($isOver ? GrowthKind::Filled : GrowthKind::Slows, $last);
        }
        $change = self::change($stretches, $nets, $errors, $net / max(1, $requests));

        return $judged(GrowthKind::Grows, $last, $change);
    }

    /** How it goes: "steady", "faster and faster", "slower and slower"; else the kind. */
    public function trend(): string
    {
        return match (true) {
            $this->kind !== GrowthKind::Grows => $this->kind->value,
            $this->change > self::STEADY => 'faster and faster',
            $this->change < -self::STEADY => 'slower and slower',
            default => 'steady',
        };
    }

    /**
     * Cuts windows into stretches with about as many requests each. Returns for each window the number of its stretch.
     *
     * @param list<int> $requests of windows, oldest first
     *
     * @return list<int>
     */
    public static function cut(array $requests): array
    {
        $windows = count(array_filter($requests));
        $stretches = max(1, min(self::MOST, $windows));
        $all = array_sum($requests);
        $sum = 0;
        $numbers = [];
        $last = 0;
        $used = 0;
        foreach ($requests as $own) {
            if ($windows <= self::MOST) { // each window with requests is one
                $last = $own > 0 ? $used++ : $last;
            } elseif ($all > 0) {
                $last = min($stretches - 1, (int) (($sum + $own / 2) * $stretches / $all));
            }
            $sum += $own;
            $numbers[] = $last;
        }

        return $numbers;
    }

    /**
     * Whether much of what grew goes away from time to time.
     *
     * @param list<int> $nets
     */
    private static function letsGo(array $nets): bool
    {
        $grown = array_sum(array_filter($nets, static fn (int $net): bool => $net > 0));
        $gone = -array_sum(array_filter($nets, static fn (int $net): bool => $net < 0));

        return $gone >= self::LETS_GO * $grown;
    }

    /**
     * @param list<Stretch> $stretches
     *
     * @return array{net: float, error: float} bytes per request, and their deviation
     */
    private static function rate(array $stretches, float $weight): array
    {
        [$kept, $released] = [array_sum(array_column($stretches, 'kept')), array_sum(array_column($stretches, 'released'))];
        $requests = max(1, array_sum(array_column($stretches, 'requests')));

        return ['net' => ($kept - $released) / $requests, 'error' => sqrt($weight * ($kept + $released)) / $requests];
    }

    /**
     * The slope of Theil and Sen: the median of the slopes between all pairs, which single odd stretches do not move. Its deviation
     * is about that of the slope of least squares. Returns 0 where chance may explain it.
     *
     * @param list<Stretch> $stretches
     * @param list<int>     $nets
     * @param list<float>   $errors
     */
    private static function change(array $stretches, array $nets, array $errors, float $mean): float
    {
        $rates = [];
        $errorsOfRates = 0.0;
        foreach ($stretches as $i => $stretch) {
            $rates[] = $nets[$i] / max(1, $stretch['requests']);
            $errorsOfRates += ($errors[$i] / max(1, $stretch['requests'])) ** 2;
        }
        $slopes = [];
        $distances = 0;
        foreach ($rates as $i => $rate) {
            foreach (array_slice($rates, $i + 1) as $distance => $later) {
                $slopes[] = ($later - $rate) / ($distance + 1);
                $distances += ($distance + 1) ** 2;
            }
        }
        if ($mean <= 0 || $slopes === []) {
            return 0.0;
        }
        $slope = (new Distribution($slopes))->quantile(0.5);
        $deviation = sqrt($errorsOfRates / $distances); // each sum is that of least squares times the number of stretches

        return abs($slope) > self::SURE * $deviation ? $slope * (count($rates) - 1) / $mean : 0.0;
    }
}
