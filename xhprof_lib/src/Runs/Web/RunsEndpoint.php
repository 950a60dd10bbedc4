<?php

declare(strict_types=1);

namespace XHProf\Runs\Web;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\StoreError;
use XHProf\Runs\FirstFindings;
use XHProf\Runs\RunsReport;
use XHProf\Web\Api\Endpoint;
use XHProf\Web\Api\JsonResponse;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Table\Paging;

/**
 * get=runs: the list of runs, with the parameters of its page (see RunFilter) and `page`. `pending` runs of the folder are not read
 * yet: ask again.
 */
final class RunsEndpoint extends Endpoint
{
    private const PER_PAGE = 200;

    /** Largest page number, beyond any real list. */
    private const MAX_PAGES = 1000000;

    /** Time limit for reading new runs, in seconds. */
    private const PATIENCE = 2.0;

    /** @throws HttpError 400, 500 */
    public function respond(Request $request): Response
    {
        $filter = new RunFilter($request);
        if ($filter->mistakes !== []) {
            throw new HttpError(400, $filter->mistakes[0]);
        }
        $catalog = $this->runs->store->catalog();
        $page = min($request->number('page', 1), self::MAX_PAGES);
        try {
            $catalog->sync(self::PATIENCE);
            $listing = $catalog->find($filter->query, self::PER_PAGE, ($page - 1) * self::PER_PAGE);
        } catch (StoreError $e) {
            throw new HttpError(500, 'The run folder cannot be read.', $e);
        }
        $findings = new FirstFindings($this->runs->store);
        $findings->read($listing->runs, FirstFindings::FOR_PAGE);
        $paging = new Paging($listing->matches, self::PER_PAGE, $page);

        return JsonResponse::answer('runs', [
            'total' => $listing->total,
            'matches' => $listing->matches,
            'pending' => $listing->pending,
            'page' => $page,
            'pages' => $paging->pages,
            'runs' => RunsReport::byValue(
                $listing->runs,
                $findings,
                fn (string $error): string => $this->runs->publicText(new DamagedRun($error)),
            ),
        ]);
    }
}
