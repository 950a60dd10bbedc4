<?php

declare(strict_types=1);

namespace XHProf\Web\Page;

use XHProf\Exception\InvalidRunId;
use XHProf\Store\RunEntry;
use XHProf\Store\RunId;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\Runs;

/**
 * Redirects the form of the run list (`pick[]=ID.SOURCE`, `do=compare|mean`) to the classic URL of the
 * chosen page, which can be bookmarked.
 */
final class PickedRuns
{
    public function __construct(private readonly Runs $runs)
    {
    }

    /** @throws HttpError */
    public function respond(Request $request): Response
    {
        try {
            $picked = [];
            foreach (array_unique($request->values('pick')) as $value) {
                $picked[] = RunId::fromText($value);
            }
        } catch (InvalidRunId $e) {
            throw new HttpError(400, 'A picked run must be named ID.SOURCE.', $e);
        }

        return $this->open($picked, $request->text('do'));
    }

    /**
     * @param list<RunId> $picked
     * @param string $do "mean", "compare" or "groups"
     * @throws HttpError
     */
    public function open(array $picked, string $do): Response
    {
        return Response::redirect(match ($do) {
            'mean' => $this->mean($picked),
            'groups' => $this->groups($picked),
            default => $this->compare($picked),
        });
    }

    /** @param list<RunId> $picked the older one is the base */
    private function compare(array $picked): string
    {
        if (count($picked) !== 2) {
            throw new HttpError(400, 'Pick exactly two runs to compare; you picked ' . count($picked) . '.');
        }
        [$base, $changed] = $picked;
        if ($this->runs->time($base) > $this->runs->time($changed)) {
            [$base, $changed] = [$changed, $base];
        }

        return Url::index(Url::diffParameters($base, $changed) + ['sort' => 'excl_wt']);
    }

    /**
     * Splits the runs by their two revisions, else into the older and the newer half.
     *
     * @param list<RunId> $picked
     */
    private function groups(array $picked): string
    {
        if (count($picked) < 2) {
            throw new HttpError(400, 'Pick several runs to compare in two groups; you picked ' . count($picked) . '.');
        }
        $this->requireSingleSource($picked);
        $runs = array_values(array_filter(array_map($this->runs->store->catalog()->entry(...), $picked)));
        usort($runs, static fn (RunEntry $a, RunEntry $b): int => [$a->time, (string) $a->id] <=> [$b->time, (string) $b->id]);
        $byRevision = [];
        foreach ($runs as $run) {
            $byRevision[$run->git][] = $run;
        }
        // The revision that came first is the base.
        $groups = count($byRevision) === 2
            ? array_values($byRevision)
            : array_chunk($runs, max(1, intdiv(count($runs) + 1, 2)));
        if (count($groups) !== 2) {
            throw new HttpError(404, 'The runs that you picked have been deleted.');
        }
        [$before, $after] = array_map(
            static fn (array $group): string => implode(',', array_map(static fn (RunEntry $run): string => $run->id->id, $group)),
            $groups,
        );

        return Url::index(['run1' => $before, 'run2' => $after, 'source' => $picked[0]->source]);
    }

    /**
     * @param list<RunId> $picked
     * @throws HttpError
     */
    private function requireSingleSource(array $picked): void
    {
        $sources = array_unique(array_map(static fn (RunId $id): string => $id->source, $picked));
        if (count($sources) > 1) {
            throw new HttpError(400, 'A mean is made of runs of one source; you picked ' . implode(' and ', $sources) . '.');
        }
    }

    /** @param list<RunId> $picked */
    private function mean(array $picked): string
    {
        if (count($picked) < 2) {
            throw new HttpError(400, 'Pick at least two runs to see their mean; you picked ' . count($picked) . '.');
        }
        $this->requireSingleSource($picked);
        $ids = implode(',', array_map(static fn (RunId $id): string => $id->id, $picked));

        return Url::index(['run' => $ids, 'source' => $picked[0]->source]);
    }
}
