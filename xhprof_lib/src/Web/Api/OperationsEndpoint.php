<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Store\OpenFile;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\Runs;

/** get=operations: what a run waited for, as in its operations.json; nodes are those of get=tree. */
final class OperationsEndpoint
{
    public function __construct(private readonly Runs $runs)
    {
    }

    /** @throws HttpError 404 if the run has no operations */
    public function respond(Request $request): Response
    {
        [$ids] = $this->runs->identify($request->text('run'), $request->text('source'));
        if (count($ids) > 1) {
            throw new HttpError(400, 'Operations are those of one run, not of the mean of several.');
        }
        $this->runs->guard($ids, fn (): string => $this->runs->store->version($ids[0]));
        $file = $this->runs->guard($ids, fn (): ?OpenFile => $this->runs->store->operationsFile($ids[0]));
        if ($file === null) {
            throw new HttpError(404, 'This run has no record of operations.');
        }

        return Response::jsonStream($file->stream);
    }
}
