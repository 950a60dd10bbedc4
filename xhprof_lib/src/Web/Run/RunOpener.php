<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Exception\AmbiguousRun;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\InvalidRunId;
use XHProf\Exception\NotOfMean;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\RunTooLarge;
use XHProf\Exception\StoreError;
use XHProf\Run\ChangedRun;
use XHProf\Run\MeanRun;
use XHProf\Run\PartOfRun;
use XHProf\Run\Run;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;

/**
 * Opens the runs that a URL names, with the classic conventions: "run=a,b,c&wts=1,2,3" is the
 * weighted mean of three runs, a run named twice counts twice, the source is "xhprof" by default. Errors become HTTP errors whose
 * text holds no path of the server: those that come when figures are read App\Site turns into them.
 */
final class RunOpener
{
    public const DEFAULT_SOURCE = 'xhprof';

    /** A mean is computed on every request: this bounds one URL's work. */
    public const MAX_RUNS = 100;

    private const LARGEST_WEIGHT = 1000000;

    /**
     * @param PageTable $pages of all pages; without them pages have no tabs
     * @param array<string, Run> $given runs by their ids, ID.SOURCE, that are not opened anew
     */
    public function __construct(
        public readonly RunFolder $store,
        public readonly PageTable $pages = new PageTable([]),
        private readonly array $given = [],
    ) {
    }

    /**
     * Opens the runs that the parameters run, source, wts, corrected and levels name, or the range x0 to x1 of one run, with its
     * functions or, with `groups`, what these belong to. Figures are read when they are asked for.
     *
     * @throws HttpError 400 bad id, weights or range, 404 unknown run, 413 too large a timeline
     */
    public function named(Request $request): ShownRun
    {
        $shown = $this->open(
            $request->text('run'),
            $request->text('source'),
            $request->text('wts'),
            $request->flag('corrected'),
            $request->flag('levels'),
        );
        $grouping = RunGroups::fromRequest($request);
        if (!RunRange::isIn($request)) {
            return $shown->grouped($grouping);
        }
        $run = $this->opened($shown->ids[0]);
        if ($shown->isMean()) {
            throw new HttpError(400, 'A range of time (x0, x1) is of one run, not of the mean of several.');
        }
        $span = $run->span()
            ?? throw new HttpError(400, 'This run does not record when its calls were made: it has no range of time (x0, x1).');
        $range = RunRange::fromRequest($request, $span);
        if ($run->hasTooLongTimeline()) {
            throw new HttpError(413, 'The timeline of this run is too large for the memory_limit of these pages, '
                . ini_get('memory_limit') . '. A higher one lets them show a range of time; without x0 and x1 they show all.');
        }
        $part = new PartOfRun($run, $range->time);

        return (new ShownRun($part, $shown->ids, [], $shown->levels, $range, isCorrected: $request->flag('corrected')))
            ->grouped($grouping);
    }

    /**
     * The whole of the runs, for a view whose figures have no times; its links keep the range that the others show.
     *
     * @throws HttpError as named()
     */
    public function whole(Request $request): ShownRun
    {
        $shown = $this->named($request->with('x0', '')->with('x1', ''));
        $span = RunRange::isIn($request) && !$shown->isMean() ? $shown->run->span() : null;

        return $span === null ? $shown : $shown->besides(RunRange::fromRequest($request, $span));
    }

    /**
     * @param string $ids one id, or several with commas
     * @param string $weights one number per id with commas, or ''
     * @param bool $corrected with corrected times beside the raw ones, where the runs have them
     * @param bool $levels each level of a recursion as a function of its own
     * @throws HttpError 400 bad id or weights, 404 unknown run
     */
    public function open(
        string $ids,
        string $source,
        string $weights = '',
        bool $corrected = false,
        bool $levels = false,
    ): ShownRun {
        [$runIds, $factors] = $this->identify($ids, $source, $weights);
        $open = array_map(fn (RunId $id): \Closure => fn (): Run => $this->opened($id), $runIds);
        $run = count($runIds) === 1 ? $open[0]() : new MeanRun($open, $factors);
        $run = $corrected ? ChangedRun::corrected($run) ?? $run : $run;
        // Those of a damaged run cannot be read.
        $run->meta();

        return new ShownRun($run, $runIds, $factors, $levels, null, $corrected);
    }

    /** @throws HttpError 404 */
    public function opened(RunId $id): Run
    {
        try {
            return $this->given[(string) $id] ?? $this->store->open($id);
        } catch (RunNotFound $e) {
            throw new HttpError(404, "There is no run $id->id with the source $id->source. It may have been deleted.", $e);
        }
    }

    /**
     * Parses a list of runs, each once; reads none yet.
     *
     * @param string $ids one id, or several with commas
     * @param string $weights one number per id with commas, or ''
     * @return array{0: non-empty-list<RunId>, 1: list<int>} weights are [] if all count alike
     * @throws HttpError 400
     */
    public function identify(string $ids, string $source, string $weights = ''): array
    {
        try {
            $runIds = [];
            foreach (explode(',', $ids) as $id) {
                $source = $source === '' ? $this->sourceOf(trim($id, ' ')) : $source;
                $runIds[] = RunId::fromStrings(trim($id, ' '), $source);
            }
        } catch (InvalidRunId $e) {
            throw new HttpError(400, 'This is not a run: ' . $this->publicText($e) . '.', $e);
        }
        if (count($runIds) > self::MAX_RUNS) {
            throw new HttpError(400, 'A mean takes at most ' . self::MAX_RUNS . ' runs.');
        }

        return $this->distinct($runIds, $this->weights($weights, count($runIds)));
    }

    /**
     * The source of a run that is named by its id alone, as in the header X-XHProf-Run: "xhprof" if it has such a run, as
     * in PECL's pages, else the only source with a run of that id.
     *
     * @throws InvalidRunId
     */
    private function sourceOf(string $id): string
    {
        if (!$this->store->has(RunId::fromStrings($id, self::DEFAULT_SOURCE))) {
            try {
                $found = $this->store->identify($id);

                return $found->id === $id ? $found->source : self::DEFAULT_SOURCE;
            } catch (RunNotFound | AmbiguousRun | StoreError) {
                // Reported when the run is read.
            }
        }

        return self::DEFAULT_SOURCE;
    }

    /** Start time of the run, seconds since 1970; 0 for a run that cannot be read. */
    public function time(RunId $runId): float
    {
        try {
            return ($this->given[(string) $runId] ?? $this->store->open($runId))->meta()->ts ?? 0.0;
        } catch (RunNotFound | DamagedRun | StoreError) {
            return 0.0;
        }
    }

    /** What a page answers to an error of the library that came while a run was read. */
    public function httpError(DamagedRun|InvalidProfile|StoreError|RunNotFound|NotOfMean $error): HttpError
    {
        $text = ucfirst($this->publicText($error)) . '.';

        return match (true) {
            $error instanceof RunNotFound => new HttpError(404, 'The run was deleted while this page was made.', $error),
            $error instanceof NotOfMean => new HttpError(400, $text, $error),
            $error instanceof RunTooLarge => new HttpError(413, $text, $error),
            default => new HttpError(500, 'This run cannot be read: ' . $this->publicText($error) . '.', $error),
        };
    }

    /** The message of a library error without the run folder's path and without a closing dot. */
    public function publicText(\Throwable $error): string
    {
        $folder = rtrim($this->store->directory(), '/');

        return rtrim(str_replace([$folder . '/', $folder], ['', 'the run folder'], $error->getMessage()), '.');
    }

    /**
     * Merges equal runs and adds their weights: each is read once, and shown as one run.
     *
     * @param non-empty-list<RunId> $runIds all of one source
     * @param list<int> $weights
     * @return array{0: non-empty-list<RunId>, 1: list<int>}
     * @throws HttpError
     */
    private function distinct(array $runIds, array $weights): array
    {
        $distinct = [];
        $sums = [];
        foreach ($runIds as $index => $runId) {
            $distinct[(string) $runId] = $runId;
            $sums[(string) $runId] = ($sums[(string) $runId] ?? 0) + ($weights[$index] ?? 1);
        }
        if (count($distinct) === 1 || ($weights === [] && count($distinct) === count($runIds))) {
            return [array_values($distinct), []];
        }
        if (max($sums) > self::LARGEST_WEIGHT) {
            throw new HttpError(400, 'The weights (wts) of one run add up to more than ' . self::LARGEST_WEIGHT . '.');
        }

        return [array_values($distinct), array_values($sums)];
    }

    /**
     * @return list<int> one per run, [] when all count alike
     * @throws HttpError
     */
    private function weights(string $weights, int $runs): array
    {
        if ($weights === '' || $runs === 1) {
            return [];
        }
        $numbers = [];
        $range = ['options' => ['min_range' => 0, 'max_range' => self::LARGEST_WEIGHT]];
        foreach (explode(',', $weights) as $weight) {
            $number = filter_var(trim($weight), FILTER_VALIDATE_INT, $range);
            if (!is_int($number)) {
                throw new HttpError(400, 'The weights (wts) must be whole numbers from 0 to 1000000, separated by commas.');
            }
            $numbers[] = $number;
        }
        if (count($numbers) !== $runs || array_sum($numbers) === 0) {
            throw new HttpError(400, "There must be one weight (wts) for each of the $runs runs, and not all of them 0.");
        }

        return $numbers;
    }
}
