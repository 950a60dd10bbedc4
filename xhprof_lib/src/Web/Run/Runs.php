<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Exception\AmbiguousRun;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\InvalidRunId;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Memory\MemoryProfile;
use XHProf\Memory\MemorySummary;
use XHProf\Operation\OperationReport;
use XHProf\Profile\CallTree;
use XHProf\Profile\Profile;
use XHProf\Profile\SampleColumns;
use XHProf\Profile\TimeSpan;
use XHProf\Profile\ProfileMean;
use XHProf\Report\Recursion;
use XHProf\Report\Statistics;
use XHProf\Store\DerivedCache;
use XHProf\Store\RunId;
use XHProf\Store\RunMeta;
use XHProf\Store\RunFolder;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;

/**
 * Opens the runs that a URL names, with the classic conventions: "run=a,b,c&wts=1,2,3" is the
 * weighted mean of three runs, a run named twice counts twice, the source is "xhprof" by default. Errors become HTTP errors whose
 * text holds no path of the server.
 */
final class Runs
{
    public const DEFAULT_SOURCE = 'xhprof';

    /** An aggregate is computed on every request: this bounds one URL's work. */
    public const MAX_RUNS = 100;

    private const LARGEST_WEIGHT = 1000000;

    public function __construct(public readonly RunFolder $store)
    {
    }

    /**
     * Opens the runs that the parameters run, source, wts, corrected and levels name, or the range x0 to x1 of one run.
     *
     * @param bool $statistics as open()
     * @throws HttpError as open()
     */
    public function named(Request $request, bool $statistics = false): RunSet
    {
        $corrected = $request->flag('corrected');
        if (RunRange::isIn($request)) {
            return $this->part($request);
        }

        return $this->open(
            $request->text('run'),
            $request->text('source'),
            $request->text('wts'),
            $corrected,
            $statistics,
            $request->flag('levels'),
        );
    }

    /**
     * The same for pages that need the names of the runs and not their figures, which are read only if they are asked for.
     *
     * @throws HttpError as open(); the figures' errors come when these are read
     */
    public function head(Request $request): RunSet
    {
        if (RunRange::isIn($request)) {
            return $this->named($request);
        }
        [$runIds, $factors] = $this->identify($request->text('run'), $request->text('source'), $request->text('wts'));
        $meta = $this->guard($runIds, function () use ($runIds): RunMeta {
            foreach (array_slice($runIds, 1) as $runId) {
                $this->store->open($runId)->version();
            }

            return $this->store->open($runIds[0])->meta();
        });
        $corrected = $request->flag('corrected');
        if ($corrected && (count($runIds) > 1 || $meta->overhead === [])) {
            // Only their trees show whether they have corrected times.
            return $this->named($request);
        }

        return new RunSet(
            $runIds,
            $factors,
            fn (): Profile => $this->named($request)->profile(),
            $meta,
            levels: $request->flag('levels'),
            corrected: $corrected,
        );
    }

    /**
     * The whole of the runs, for a view whose figures have no times; its links keep the range that the others show.
     *
     * @throws HttpError as open()
     */
    public function whole(Request $request): RunSet
    {
        $set = $this->head($request->with('x0', '')->with('x1', ''));
        $span = RunRange::isIn($request) && !$set->isAggregate() ? $this->span($set->ids[0]) : null;

        return $span === null ? $set : $set->besides(RunRange::of($request, $span));
    }

    /**
     * The call paths of one run, or of the range of it that is shown.
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function tree(RunId $id, ?RunRange $range): ?CallTree
    {
        return $range === null || !$range->isFollowed ? $this->store->open($id)->tree() : $this->store->open($id)->part($range->time)->tree();
    }

    /**
     * The samples of one run, or of the range of it that is shown.
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function samples(RunSet $set): ?SampleColumns
    {
        return $set->range === null || !$set->range->isFollowed
            ? $this->store->open($set->ids[0])->samples()
            : $this->store->open($set->ids[0])->part($set->range->time)->samples();
    }

    /**
     * The range of time that a request names, if it does.
     *
     * @param non-empty-list<RunId> $runIds
     * @throws HttpError 400 if this is no range of the run, 404 unknown run, 413 too large a timeline, 500 damaged run
     */
    public function range(Request $request, array $runIds): ?RunRange
    {
        if (!RunRange::isIn($request)) {
            return null;
        }
        if (count($runIds) > 1) {
            throw new HttpError(400, 'A range of time (x0, x1) is of one run, not of the mean of several.');
        }
        $span = $this->span($runIds[0])
            ?? throw new HttpError(400, 'This run does not record when its calls were made: it has no range of time (x0, x1).');
        $range = RunRange::of($request, $span);
        if ($this->store->open($runIds[0])->hasTooLongTimeline()) {
            throw new HttpError(413, 'The timeline of this run is too large for the memory_limit of these pages, '
                . ini_get('memory_limit') . '. A higher one lets them show a range of time; without x0 and x1 they show all.');
        }

        return $range;
    }

    private function span(RunId $id): ?TimeSpan
    {
        return $this->guard([$id], function () use ($id): ?TimeSpan {
            $this->store->open($id)->version();

            return $this->store->open($id)->span();
        });
    }

    /** @throws HttpError */
    private function part(Request $request): RunSet
    {
        [$ids] = $this->identify($request->text('run'), $request->text('source'));
        $meta = $this->guard($ids, fn (): RunMeta => $this->store->open($ids[0])->meta());
        $range = $this->range($request, $ids);
        $profile = fn (): Profile => $this->guard($ids, fn (): ?Profile => $range === null
            ? null
            : $this->store->open($ids[0])->part($range->time)->profile())
            ?? throw new HttpError(404, $this->notFound($ids));
        $uncorrected = $request->flag('corrected') ? 'a range of time has none' : null;

        return new RunSet($ids, [], $profile, $meta, $uncorrected, levels: $request->flag('levels'), range: $range);
    }

    /**
     * @param string $ids one id, or several with commas
     * @param string $weights one number per id with commas, or ''
     * @param bool $corrected with corrected times beside the raw ones, where the runs have them
     * @param bool $statistics with how far several runs spread
     * @param bool $levels each level of a recursion as a function of its own
     * @throws HttpError 400 bad id or weights, 404 unknown run, 500 damaged run
     */
    public function open(
        string $ids,
        string $source,
        string $weights = '',
        bool $corrected = false,
        bool $statistics = false,
        bool $levels = false,
    ): RunSet {
        [$runIds, $factors] = $this->identify($ids, $source, $weights);
        $why = null;
        $spread = $statistics && count($runIds) > 1 ? new Statistics($factors, $levels ? null : Recursion::fold(...)) : null;
        try {
            $profiles = $this->profiles($runIds, $corrected, $why);
            $profile = count($runIds) === 1
                ? $this->load($runIds[0], $corrected, $why)
                : ProfileMean::of($spread?->watch($profiles) ?? $profiles, $factors);

            return new RunSet($runIds, $factors, $profile, $this->store->open($runIds[0])->meta(), $why, $spread, $levels);
        } catch (RunNotFound $e) {
            throw new HttpError(404, $this->notFound($runIds), $e);
        } catch (DamagedRun | InvalidProfile | StoreError $e) {
            throw new HttpError(500, 'This run cannot be read: ' . $this->publicText($e) . '.', $e);
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
            throw new HttpError(400, 'An aggregate takes at most ' . self::MAX_RUNS . ' runs.');
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

    /**
     * The memory profile of a run.
     *
     * @throws HttpError 400 for the mean of several, 404 if none was recorded, 500 damaged
     */
    public function memory(RunSet $set): MemoryProfile
    {
        if ($set->isAggregate()) {
            throw new HttpError(400, 'Memory is shown for one run, not for the mean of several.');
        }
        try {
            $memory = $this->store->open($set->ids[0])->memory();
        } catch (RunNotFound $e) {
            throw new HttpError(404, $this->notFound($set->ids), $e);
        } catch (DamagedRun | StoreError $e) {
            throw new HttpError(500, "This run's memory cannot be read: " . $this->publicText($e) . '.', $e);
        }

        return $memory
            ?? throw new HttpError(404, 'This run has no allocations: ' . MemorySummary::HOW_TO_RECORD . '.');
    }

    /**
     * @throws HttpError
     */
    public function operations(RunSet $set): OperationReport
    {
        if ($set->isAggregate()) {
            throw new HttpError(400, 'Operations are shown for one run, not for the mean of several.');
        }
        try {
            $operations = $this->store->open($set->ids[0])->operations();
        } catch (RunNotFound $e) {
            throw new HttpError(404, $this->notFound($set->ids), $e);
        } catch (DamagedRun | StoreError $e) {
            throw new HttpError(500, "This run's operations cannot be read: " . $this->publicText($e) . '.', $e);
        }

        return $operations ?? throw new HttpError(
            404,
            'This run has no operations: exact profiles record them unless xhprof.collect_additional_info is off.',
        );
    }

    /**
     * Computes something of runs, once if they are large: it is kept in this user's cache then.
     *
     * @template T of array<mixed>|string
     * @param non-empty-list<RunId> $ids
     * @param list<mixed> $what names what is computed, with all that it depends on besides the files of the runs
     * @param \Closure(): T $make
     * @return T
     * @throws HttpError 404
     */
    public function derived(array $ids, array $what, \Closure $make): array|string
    {
        $numbers = array_sum(array_map(fn (RunId $id): int => $this->guard($ids, fn (): int => $this->store->open($id)->size()), $ids));
        $cache = $numbers < DerivedCache::LARGE ? null : DerivedCache::ofUser();
        if ($cache === null) {
            return $make();
        }
        $versions = array_map(fn (RunId $id): string => $this->guard($ids, fn (): string => $this->store->open($id)->version()), $ids);

        return $cache->remember([$this->store->directory(), $versions, $what], $make);
    }

    /** Start time of the run, seconds since 1970; 0 for a run that cannot be read. */
    public function time(RunId $runId): float
    {
        try {
            return $this->store->open($runId)->meta()->ts ?? 0.0;
        } catch (RunNotFound | DamagedRun | StoreError) {
            return 0.0;
        }
    }

    /** Title of a run: its command or URL, or its id if it has no metadata. */
    public static function title(RunMeta $meta, RunId $runId): string
    {
        return $meta->subject() === null ? $runId->id : $meta->title();
    }

    /** The message of a library error without the run folder's path and without a closing dot. */
    public function publicText(\Throwable $error): string
    {
        $folder = rtrim($this->store->directory(), '/');

        return rtrim(str_replace([$folder . '/', $folder], ['', 'the run folder'], $error->getMessage()), '.');
    }

    /**
     * Turns the library's errors about a run into HTTP errors.
     *
     * @template T
     * @param non-empty-list<RunId> $runIds the runs that are read
     * @param callable(): T $read
     * @return T
     * @throws HttpError 404 unknown run, 500 damaged run
     */
    public function guard(array $runIds, callable $read): mixed
    {
        try {
            return $read();
        } catch (RunNotFound $e) {
            throw new HttpError(404, $this->notFound($runIds), $e);
        } catch (DamagedRun | InvalidProfile | StoreError $e) {
            throw new HttpError(500, 'This run cannot be read: ' . $this->publicText($e) . '.', $e);
        }
    }

    /**
     * @param list<RunId> $runIds
     * @return iterable<Profile> one after the other: together they may not fit into memory
     */
    private function profiles(array $runIds, bool $corrected, ?string &$why): iterable
    {
        foreach ($runIds as $runId) {
            yield $this->load($runId, $corrected, $why);
        }
    }

    /**
     * @param string|null $why is set when the run has no corrected times, or they cannot be read: the others still count
     * @param-out string|null $why
     * @throws RunNotFound|DamagedRun|StoreError
     */
    private function load(RunId $runId, bool $corrected, ?string &$why): Profile
    {
        $profile = $this->store->open($runId)->profile();
        if (!$corrected) {
            return $profile;
        }
        try {
            $both = $this->store->open($runId)->corrected();
            $why ??= $both === null ? "the run $runId->id has none" : null;
        } catch (DamagedRun | StoreError $e) {
            $why ??= $this->publicText($e);
        }

        return $both ?? $profile;
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

    /** @param list<RunId> $runIds */
    private function notFound(array $runIds): string
    {
        foreach ($runIds as $runId) {
            if (!$this->store->has($runId)) {
                return "There is no run $runId->id with the source $runId->source. It may have been deleted.";
            }
        }

        return 'The run was deleted while this page was made.';
    }
}
