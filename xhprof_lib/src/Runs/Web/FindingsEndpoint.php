<?php

declare(strict_types=1);

namespace XHProf\Runs\Web;

use XHProf\Exception\InvalidRunId;
use XHProf\Exception\StoreError;
use XHProf\Run\RunId;
use XHProf\Runs\FirstFindings;
use XHProf\Store\RunEntry;
use XHProf\Web\Api\Endpoint;
use XHProf\Web\Api\JsonResponse;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;

/**
 * get=findings: the first finding of each of the runs `pick[]=ID.SOURCE`. Those that are not looked at in time are missing: ask
 * again. A run that is too large has none, and that is not kept.
 */
final class FindingsEndpoint extends Endpoint
{
    private const MOST = 200;

    /** @throws HttpError 400, 500 */
    public function respond(Request $request): Response
    {
        $catalog = $this->runs->store->catalog();
        $runs = [];
        foreach (array_slice(array_unique($request->values('pick')), 0, self::MOST) as $text) {
            try {
                $id = RunId::fromText($text);
            } catch (InvalidRunId $e) {
                throw new HttpError(400, 'The parameter "pick[]" names a run as ID.SOURCE.', $e);
            }
            $run = $catalog->entry($id);
            // One that was deleted meanwhile has no findings.
            $runs[$text] = $run;
        }
        if ($runs === []) {
            throw new HttpError(400, 'The parameter "pick[]" is missing: it names a run as ID.SOURCE.');
        }
        $findings = new FirstFindings($this->runs->store);
        try {
            $findings->read(array_values(array_filter($runs)), FirstFindings::FOR_REQUEST);
        } catch (StoreError $e) {
            throw new HttpError(500, 'The run folder cannot be read.', $e);
        }
        $isDone = static fn (?RunEntry $run): bool => $run === null || $findings->knows($run)
            || FirstFindings::isTooLarge($run);
        $done = array_filter($runs, $isDone);

        return JsonResponse::answer('findings', [
            'pending' => count($runs) - count($done),
            'runs' => (object) array_map(static fn (?RunEntry $run): ?array => $run === null ? null : $findings->of($run), $done),
        ]);
    }
}
