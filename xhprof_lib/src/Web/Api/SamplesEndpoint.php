<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Report\Counted;
use XHProf\Report\MetricList;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\Runs;

/**
 * get=samples: the samples in order of time; `t` is the time that each entry stands for (`metric` names the clock), `n` its
 * number of samples: 0, with the stack -1, for a time without samples.
 */
final class SamplesEndpoint
{
    public function __construct(private readonly Runs $runs)
    {
    }

    /** @throws HttpError 404 if the run was not sampled */
    public function respond(Request $request): Response
    {
        [$ids] = $this->runs->identify($request->text('run'), $request->text('source'));
        if (count($ids) > 1) {
            throw new HttpError(400, 'A timeline shows one run, not the mean of several.');
        }
        if ($this->runs->store->sizes()->hasTooManySamples($ids[0])) {
            throw new HttpError(413, 'This run has more samples than a timeline can show.');
        }
        $samples = $this->runs->guard($ids, fn () => $this->runs->store->sampleColumns($ids[0]));
        if ($samples === null) {
            throw new HttpError(404, 'This run was not sampled: only samples have a timeline.');
        }

        [$metric] = MetricList::ofProfile([$samples->metric], Counted::Samples);

        return Json::answer('samples', ['metric' => $metric] + $samples->toArray());
    }
}
