<?php

declare(strict_types=1);

namespace XHProf\Compare;

use XHProf\Functions\RunHead;
use XHProf\Report\Heading;
use XHProf\Report\Report;
use XHProf\Run\Run;

/** What of two sides is compared beside their functions and call paths, as a report: operations, memory. */
final class DiffTables
{
    /**
     * @param 'operations'|'memory' $what
     * @param int $limit of rows, 0 for all
     *
     * @return Report without tables where a side does not have it: then a sentence says so, and how to get it
     */
    public static function of(string $what, Run $a, Run $b, int $limit = 0): Report
    {
        $found = $what === 'memory' ? MemoryDiff::between($a, $b) : OperationsDiff::between($a, $b);
        $heads = [self::head('A', $a), self::head('B', $b)];
        if (is_array($found)) {
            $missing = $what === 'memory' ? MemoryDiff::missing(...$found) : OperationsDiff::missing(...$found);

            return new Report([], [ucfirst("$missing.")], headings: $heads);
        }
        $facts = ['a' => $a->describe(), 'b' => $b->describe()];
        if ($found instanceof OperationsDiff) {
            $facts += ['counts' => (object) array_combine(
                array_map(static fn (string $what): string => $what === '' ? 'same' : $what, array_keys($found->counts())),
                $found->counts(),
            )];
        }

        return new Report([$found->table($limit)], [$found->sentence()], $facts, $heads);
    }

    private static function head(string $letter, Run $run): Heading
    {
        return (new RunHead($run))->title("$letter  Run");
    }
}
