<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Exception\XHProfException;
use XHProf\Finding\Evidence;
use XHProf\Finding\Finding;
use XHProf\Finding\Findings;
use XHProf\Memory\MemoryProfile;
use XHProf\Web\Http\Url;

/** What to look at first in a run, with links. */
final class RunFindings
{
    /** @return list<array{figure: string, symbol: string, why: string, url: string}> none of the mean of several */
    public static function of(Runs $runs, RunSet $set): array
    {
        if ($set->isAggregate()) {
            return [];
        }
        $evidence = new Evidence($set->profile(), $set->meta, static function () use ($runs, $set): ?MemoryProfile {
            try {
                return $runs->store->memory($set->ids[0]);
            } catch (XHProfException) {
                // Damaged, or deleted meanwhile: the page of the memory says so.
                return null;
            }
        });

        return array_map(static fn (Finding $finding): array => [
            'figure' => $finding->figure,
            'symbol' => $finding->symbol,
            'why' => $finding->why,
            'url' => Url::index($set->parameters() + ($finding->view === ''
                ? Url::symbolParameter($finding->symbol)
                : ['view' => $finding->view])),
        ], Findings::of($evidence));
    }
}
