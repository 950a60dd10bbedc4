<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Functions\CountKind;
use XHProf\Functions\MetricList;
use XHProf\Run\Run;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\RunOpener;
use XHProf\Web\Run\ShownRun;

/**
 * The documents that a request for runs is answered with:
 *
 * - "tree" and "corrected": see TreeDocument.
 * - "timeline": when the calls of a run began and ended, and "operations": what it waited for, both as its file has them. Nodes
 *   are those of its tree.
 * - "stacks": the samples in order of time; `t` is the time that each entry stands for (`metric` names the clock), `n` its number
 *   of samples: 0, with the stack -1, for a time without samples.
 */
final class Documents
{
    /** What is said of a run that has none. */
    private const MISSING = [
        'tree' => 'This run has no call tree: it was saved without its call paths.',
        'corrected' => 'This run has no corrected times.',
        'timeline' => 'This run has no times of its calls: it was recorded without XHPROF_FLAGS_TIMELINE.',
        'operations' => 'This run has no record of operations.',
        'stacks' => 'This run was not sampled: only samples have a timeline.',
    ];

    private const OF_ONE_RUN = [
        'corrected' => 'Corrected times alone are those of one run: those of a mean come with its tree.',
        'timeline' => 'A timeline shows one run, not the mean of several.',
        'operations' => 'Operations are those of one run, not of the mean of several.',
        'stacks' => 'A timeline shows one run, not the mean of several.',
    ];

    private readonly ShownRun $shown;

    /** @throws HttpError 400, 404 no such run */
    public function __construct(private readonly RunOpener $runs, private readonly Request $request)
    {
        $this->shown = $runs->named($request);
    }

    /** The answer where named() is null. */
    public function missing(string $name): Response
    {
        $message = self::MISSING[$name];
        foreach ($this->shown->isMean() ? $this->shown->ids : [] as $id) {
            if (!$this->runs->opened($id)->has(Run::TREE)) {
                $message = str_replace('This run', "The run $id->id", $message);
                break;
            }
        }

        return JsonResponse::error(404, $message, $name === 'tree' ? 'no-tree' : '');
    }

    /**
     * @return Document|null null if the run has none
     * @throws HttpError 400, 404 no such run, 409, 413, 500
     */
    public function named(string $name): ?Document
    {
        if (!isset(self::MISSING[$name])) {
            $known = implode(', ', array_keys(self::MISSING));
            throw new HttpError(400, "There is no such document (documents): there are $known.");
        }
        if ($this->shown->isMean() && isset(self::OF_ONE_RUN[$name])) {
            throw new HttpError(400, self::OF_ONE_RUN[$name]);
        }
        $file = $this->shown->whole()->file();

        return match ($name) {
            'tree' => (new TreeDocument($this->shown))->of($this->request),
            'corrected' => (new TreeDocument($this->shown))->corrected($this->request),
            'stacks' => $this->stacks(),
            default => $file?->has($name) === true ? Document::stored($name, $file) : null,
        };
    }

    private function stacks(): ?Document
    {
        $run = $this->shown->whole();
        if ($run->hasTooManySamples()) {
            throw new HttpError(413, 'This run has more samples than a timeline can show.');
        }
        $samples = $run->samples();
        if ($samples === null) {
            return null;
        }
        [$metric] = MetricList::ofProfile([$samples->metric], CountKind::Samples);

        return Document::made('stacks', ['metric' => $metric] + $samples->toArray());
    }
}
