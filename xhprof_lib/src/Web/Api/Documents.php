<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Profile\SampleColumns;
use XHProf\Report\Counted;
use XHProf\Report\MetricList;
use XHProf\Run\RunFile;
use XHProf\Store\Run;
use XHProf\Store\RunId;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\Runs;

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

    /** @var non-empty-list<RunId> */
    private readonly array $ids;

    /** @var list<int> */
    private readonly array $weights;

    /** @throws HttpError 400 */
    public function __construct(private readonly Runs $runs, private readonly Request $request)
    {
        [$this->ids, $this->weights] = $runs->identify($request->text('run'), $request->text('source'), $request->text('wts'));
    }

    /**
     * @template T
     * @param callable(): T $read reads of documents
     * @return T
     * @throws HttpError 500
     */
    public function guard(callable $read): mixed
    {
        return $this->runs->guard($this->ids, $read);
    }

    /** The answer where named() is null. */
    public function missing(string $name): Response
    {
        $message = self::MISSING[$name];
        foreach (count($this->ids) > 1 ? $this->ids : [] as $id) {
            if (!$this->runs->store->open($id)->has(Run::TREE)) {
                $message = str_replace('This run', "The run $id->id", $message);
                break;
            }
        }

        return Json::error(404, $message, $name === 'tree' ? 'no-tree' : '');
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
        if (count($this->ids) > 1 && isset(self::OF_ONE_RUN[$name])) {
            throw new HttpError(400, self::OF_ONE_RUN[$name]);
        }
        // A run that is not there, or damaged, is no run without the document.
        $this->guard(fn (): array => array_map(fn (RunId $id): ?RunFile => $this->runs->store->open($id)->file(), $this->ids));

        return match ($name) {
            'tree' => (new TreeDocument($this->runs))->of($this->request, $this->ids, $this->weights),
            'corrected' => (new TreeDocument($this->runs))->corrected($this->request, $this->ids[0]),
            'stacks' => $this->stacks(),
            default => $this->stored($name),
        };
    }

    private function stored(string $name): ?Document
    {
        $file = $this->guard(fn (): ?RunFile => $this->runs->store->open($this->ids[0])->file());

        return $file?->has($name) === true ? Document::stored($name, $file) : null;
    }

    private function stacks(): ?Document
    {
        if ($this->runs->store->open($this->ids[0])->hasTooManySamples()) {
            throw new HttpError(413, 'This run has more samples than a timeline can show.');
        }
        $samples = $this->guard(fn (): ?SampleColumns => $this->runs->store->open($this->ids[0])->samples());
        if ($samples === null) {
            return null;
        }
        [$metric] = MetricList::ofProfile([$samples->metric], Counted::Samples);

        return Document::made('stacks', ['metric' => $metric] + $samples->toArray());
    }
}
