<?php

declare(strict_types=1);

namespace XHProf\Finding;

use XHProf\Profile\OperationFunctions;

/** Time in which the program waited for something else, in functions that are known to wait. Needs wall and CPU time. */
final class Waiting implements Rule
{
    /** Share of the wall time. */
    private const SHARE = 0.5;

    public function name(): string
    {
        return 'waiting';
    }

    public function find(Evidence $run): array
    {
        $waited = [];
        foreach (array_diff(['wt', 'cpu'], $run->profile->metrics()) === [] ? $run->rows() : [] as $name => $row) {
            if (OperationFunctions::waits($name)) {
                $waited[$name] = max(0, $row['excl_wt'] - $row['excl_cpu']);
            }
        }
        arsort($waited);
        $sum = array_sum($waited);
        $share = $run->part($sum);

        return $waited === [] || $share < self::SHARE ? [] : [new Finding(
            $this->name(),
            $run->share($sum) . ' waited',
            (string) array_key_first($waited),
            'Faster code would not help: what is waited for has to answer sooner, be asked less often, or meanwhile.',
            $share,
        )];
    }
}
