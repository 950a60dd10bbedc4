<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\StoreError;
use XHProf\Profile\CodePlaces;
use XHProf\Report\FunctionPlaces;

/** Places of the functions of a run; of several runs those of the first that has any. They are optional: a damaged file has none. */
final class RunPlaces
{
    public static function of(ShownRun $set): FunctionPlaces
    {
        try {
            $head = $set->run->treeHead();
        } catch (DamagedRun | StoreError) {
            $head = null;
        }

        return $head === null
            ? FunctionPlaces::ofNames([], CodePlaces::none())
            : FunctionPlaces::ofNames($head->names, $head->places);
    }
}
