<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Store\OpenFile;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\Runs;

/** get=timeline: when the calls of a run began and ended, as in its timeline.json; nodes are those of get=tree. */
final class TimelineEndpoint
{
    public function __construct(private readonly Runs $runs)
    {
    }

    /** @throws HttpError 404 if the run has no times of calls */
    public function respond(Request $request): Response
    {
        [$ids] = $this->runs->identify($request->text('run'), $request->text('source'));
        if (count($ids) > 1) {
            throw new HttpError(400, 'A timeline shows one run, not the mean of several.');
        }
        $this->runs->guard($ids, fn (): string => $this->runs->store->version($ids[0]));
        $file = $this->runs->guard($ids, fn (): ?OpenFile => $this->runs->store->timelineFile($ids[0]));
        if ($file === null) {
            throw new HttpError(404, 'This run has no times of its calls: it was recorded without XHPROF_FLAGS_TIMELINE.');
        }

        return Response::jsonStream($file->stream);
    }
}
