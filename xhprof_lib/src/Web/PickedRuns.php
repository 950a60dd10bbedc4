<?php

declare(strict_types=1);

namespace XHProf\Web;

use XHProf\Exception\InvalidRunId;
use XHProf\Store\RunId;

/**
 * Takes the form of the run list (`pick[]=ID.SOURCE`, `do=compare|mean`) to the classic URL of the
 * chosen page, which is the one worth keeping.
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
            throw new HttpError(400, 'A picked run is not named as ID.SOURCE.', $e);
        }

        return $this->open($picked, $request->text('do'));
    }

    /**
     * @param list<RunId> $picked
     * @param string $do "mean" or "compare"
     * @throws HttpError
     */
    public function open(array $picked, string $do): Response
    {
        return Response::redirect($do === 'mean' ? $this->mean($picked) : $this->compare($picked));
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

    /** @param list<RunId> $picked */
    private function mean(array $picked): string
    {
        if (count($picked) < 2) {
            throw new HttpError(400, 'Pick at least two runs to see their mean; you picked ' . count($picked) . '.');
        }
        $sources = array_unique(array_map(static fn (RunId $id): string => $id->source, $picked));
        if (count($sources) > 1) {
            throw new HttpError(400, 'A mean is made of runs of one source; you picked ' . implode(' and ', $sources) . '.');
        }
        $ids = implode(',', array_map(static fn (RunId $id): string => $id->id, $picked));

        return Url::index(['run' => $ids, 'source' => $sources[0]]);
    }
}
