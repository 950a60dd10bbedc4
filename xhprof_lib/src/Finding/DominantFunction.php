<?php

declare(strict_types=1);

namespace XHProf\Finding;

use XHProf\Profile\OperationFunctions;

/** A function whose own time, without that of its calls, is a large part of the run. */
final class DominantFunction implements Rule
{
    /** Share of the run's CPU time, or wall time where that was not recorded. */
    private const SHARE = 0.2;

    public function name(): string
    {
        return 'dominant-function';
    }

    public function find(Evidence $run): array
    {
        // Time in which the function computed: waiting has a rule of its own, and other programs take none of it.
        $time = array_values(array_intersect(['cpu', 'wt'], $run->profile->metrics()))[0] ?? null;
        $found = [];
        foreach ($time === null ? [] : $run->rows() as $name => $row) {
            $self = $row["excl_$time"] ?? 0;
            // The script itself is no place; code that loads and functions that wait have rules of their own.
            $isOther = in_array($name, ['main()', '(truncated)'], true) || LoadingCode::isLoading($name) || OperationFunctions::waits($name);
            if (!$isOther && $run->part($self, $time) >= self::SHARE) {
                $found[] = new Finding(
                    $this->name(),
                    $run->share($self, $time) . ' in itself',
                    $name,
                    'A faster way to do this, or doing it less often, saves more than a change anywhere else.',
                    max($run->part($self), 0.7 * $run->part($self, $time)),
                );
            }
        }

        return $found;
    }
}
