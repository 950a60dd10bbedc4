<?php

declare(strict_types=1);

namespace XHProf\Findings;

use XHProf\Format\Text;
use XHProf\Profile\InternalFunctions;
use XHProf\Profile\OperationFunctions;

/** A function whose own time, without that of its calls, is a large part of the run. */
final class DominantFunction implements Rule
{
    public const NAME = 'dominant-function';
    public const FINDS = 'a function whose own time is a large part of the run';
    public const FROM = '20 % of the CPU time; of the wall time where CPU time was not recorded';
    public const SEEN = 'times, samples';

    /** Least share of the run's CPU time; of its wall time if no CPU time was recorded. */
    private const SHARE = 0.2;

    /** Most callers that are PHP's own functions, as array_map() is, between the function and the program's code. */
    private const HIGHEST = 5;

    public function find(Evidence $run): array
    {
        // CPU time first: it has neither waiting, which has rules of its own, nor what other programs took.
        $time = array_values(array_intersect(['cpu', 'wt'], $run->profile->metrics()))[0] ?? null;
        $found = [];
        foreach ($time === null || $run->isShort() ? [] : $run->rows() as $name => $row) {
            $self = $row["excl_$time"] ?? 0;
            // main() is no function to look at; loading code and waiting have rules of their own.
            $isOther = in_array($name, ['main()', '(truncated)'], true) || LoadingCode::isLoading($name)
                || OperationFunctions::waits($name);
            if (!$isOther && $run->part($self, $time) >= self::SHARE) {
                $place = self::place($run, $name, (string) $time);
                $found[] = new Finding(
                    self::NAME,
                    $run->share($self, $time) . ' in ' . ($place === $name ? 'itself' : Text::printable($name)),
                    $place,
                    'A faster way to do this, or doing it less often, saves more than a change anywhere else.',
                    max($run->part($self), 0.7 * $run->part($self, $time)),
                    brief: $run->share($self, $time) . ' in ' . Finding::shortName($name),
                    calls: new FoundCalls([$name], $place === $name ? '' : $place),
                );
            }
        }

        return $found;
    }

    /**
     * Finds the function to look at. PHP's own functions cannot be made faster: for one of them it is the function of the program
     * that spends most time in it.
     */
    private static function place(Evidence $run, string $name, string $time): string
    {
        $place = $name;
        for ($level = 0; $level < self::HIGHEST && InternalFunctions::has($place); $level++) {
            $times = array_map(static fn (array $row): int|float => $row[$time] ?? 0, $run->callers($place));
            arsort($times);
            $place = (string) array_key_first($times);
            if (in_array($place, ['', 'main()'], true) || 2 * reset($times) < array_sum($times)) {
                return $name;
            }
        }

        return InternalFunctions::has($place) ? $name : $place;
    }
}
