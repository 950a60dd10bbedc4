<?php

declare(strict_types=1);

namespace XHProf\Runs\Web;

use XHProf\Exception\InvalidRunId;
use XHProf\Run\RunId;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\StorePage;

/**
 * Redirects the form of the run list (`pick[]=ID.SOURCE`, `do=compare|mean|a|b`) to the classic URL of the
 * chosen page, which can be bookmarked; `a` and `b` make the picked runs one side of a comparison: see Sides.
 */
final class PickedRuns extends StorePage
{
    /** @throws HttpError */
    public function respond(Request $request): Response
    {
        $picked = self::named(array_values(array_unique($request->values('pick'))));

        return $this->open($picked, $request->text('do'), ComparisonSide::fromRequest($request));
    }

    /**
     * @param list<string> $values of `pick`
     * @return list<RunId>
     * @throws HttpError 400
     */
    public static function named(array $values): array
    {
        try {
            return array_map(RunId::fromText(...), $values);
        } catch (InvalidRunId $e) {
            throw new HttpError(400, 'A picked run must be named ID.SOURCE.', $e);
        }
    }

    /**
     * @param list<RunId> $picked
     * @param string $do "mean", "compare", "a" or "b"
     * @param ComparisonSide $sides what is chosen already
     * @param array<string, ?string> $state of the list, for a side whose other one is still to choose
     * @throws HttpError
     */
    public function open(array $picked, string $do, ComparisonSide $sides, array $state = []): Response
    {
        return Response::redirect(match ($do) {
            'mean' => $this->mean($picked),
            'a', 'b' => $sides->choose($do, ComparisonSide::check($picked), $state),
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

        return Url::index(['run' => $ids, 'source' => $picked[0]->source]);
    }
}
