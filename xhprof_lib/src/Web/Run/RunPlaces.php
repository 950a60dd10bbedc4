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
    public static function of(Runs $runs, RunSet $set): FunctionPlaces
    {
        foreach ($set->ids as $id) {
            try {
                $head = $runs->store->open($id)->treeHead();
            } catch (DamagedRun | StoreError) {
                continue;
            }
            if ($head !== null && !$head->places->isEmpty()) {
                return FunctionPlaces::ofNames($head->names, $head->places);
            }
        }

        return FunctionPlaces::ofNames([], CodePlaces::none());
    }
}
