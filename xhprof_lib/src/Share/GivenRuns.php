<?php

declare(strict_types=1);

namespace XHProf\Share;

use XHProf\Profile\PrunedTree;
use XHProf\Run\ChangedRun;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;
use XHProf\Run\RunId;

/** Runs for pages that know runs by their ids: those that have none, as of a file from elsewhere, get one for the time being. */
final class GivenRuns
{
    /** Of a run without an id: no program makes such ones. */
    private const MADE_ID = '%032x';
    private const MADE_SOURCE = 'file';

    /** @var array<string, Run> by id */
    private array $runs = [];

    /**
     * The parameters that name a run, or the mean of several.
     *
     * @param string $number "" for the only one of a page, "1" and "2" for the sides of a comparison
     *
     * @return array<string, string>
     */
    public function add(Run $run, string $number = ''): array
    {
        $isMean = $run instanceof MeanRun;
        $all = $isMean ? array_map(static fn (\Closure $open): Run => $open(), $run->open) : [$run];
        $source = $all[0]->id->source ?? self::MADE_SOURCE;
        $ids = [];
        foreach ($all as $one) {
            $id = RunId::fromStrings($one->id->id ?? sprintf(self::MADE_ID, count($this->runs) + 1), $source);
            $this->runs[(string) $id] = $one;
            $ids[] = $id->id;
        }
        if ($isMean && $run->weights !== [] && $number !== '') {
            // The sides of a comparison have no weights: a run that counts twice is named twice.
            $ids = array_merge(...array_map(static fn (string $id, int $weight): array
                => array_fill(0, $weight, $id), $ids, $run->weights));
        }

        return ["run$number" => implode(',', $ids), "source$number" => $source]
            + ($isMean && $run->weights !== [] && $number === '' ? ['wts' => implode(',', $run->weights)] : []);
    }

    /** @return array<string, Run> by id, as RunOpener takes them */
    public function all(): array
    {
        return $this->runs;
    }

    /** @return array{array<string, Run>, int, int} the same with fewer call paths; how many are merged, and of how many */
    public function within(Detail $detail): array
    {
        [$runs, $merged, $all] = [[], 0, 0];
        foreach ($this->runs as $id => $run) {
            $runs[$id] = $run;
            if ($run->nodes() <= $detail->nodes && $detail->least === null) {
                continue;
            }
            $tree = $run->tree();
            if ($tree === null) {
                continue;
            }
            $pruned = $detail->least === null ? null : PrunedTree::above($tree, $detail->least);
            $merged += $pruned->nodes ?? 0;
            $fewer = PrunedTree::largest($pruned->tree ?? $tree, $detail->nodes);
            $merged += $fewer->nodes;
            $all += $tree->count();
            $runs[$id] = ChangedRun::withTree($run, $fewer->tree);
        }

        return [$runs, $merged, $all];
    }
}
