<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidRunId;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Exception\UnknownSymbol;
use XHProf\Functions\SymbolReport;
use XHProf\Run\RouteFigures;
use XHProf\Run\Run;
use XHProf\Run\RunId;
use XHProf\Run\RunRecording;
use XHProf\Store\RunEntry;
use XHProf\Store\RunQuery;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;

/**
 * The runs of a trend: those of one URL or command, or a list of them. Totals come from the index; a function's values are
 * read from the runs themselves, the newest first, as many as a request has time for.
 *
 * Parameters: source, url (a whole URL, command, or name of a job), runs (ids with commas, instead of url), route (the runs of a
 * route; with start=aggregate the route of windows), start (kind of start), n (most runs).
 */
final class TrendRuns
{
    /** Most runs on a page, the newest ones, and the default. */
    public const MAX_RUNS = 500;
    private const USUAL = 200;

    /** Runs searched for those of the URL. */
    private const MAX_LOOKED_AT = 5000;

    /** Time limit for reading the values of a function, in seconds. */
    private const PATIENCE = 3.0;

    public readonly string $source;
    public readonly string $url;
    public readonly string $route;
    public readonly string $start;
    public readonly int $most;
    private readonly string $list;

    public function __construct(private readonly RunOpener $runs, Request $request)
    {
        $this->source = $request->text('source');
        $this->url = $request->text('url');
        $this->list = $request->text('runs');
        $this->route = $request->text('route');
        $this->start = in_array($request->text('start'), RunRecording::STARTS, true) ? $request->text('start') : '';
        $this->most = min(self::MAX_RUNS, $request->number('n', self::USUAL));
    }

    /** @return array<string, string|int|null> parameters that name these runs */
    public function parameters(): array
    {
        return ['view' => 'trend', 'source' => $this->source, 'url' => $this->url, 'runs' => $this->list]
            + ['route' => $this->route, 'start' => $this->start]
            + ['n' => $this->most === self::USUAL ? null : $this->most];
    }

    /** Whether it is of a route of windows: their metadata has its values. */
    public function isOfWindows(): bool
    {
        return $this->start === RunRecording::WINDOW && $this->route !== '';
    }

    /** Whether a route can stand in a URL. */
    private static function isNamed(string $route): bool
    {
        return $route !== '' && strlen($route) <= 500;
    }

    /** URL of the trend for a run of a list; null if unknown. */
    public static function urlOfEntry(RunEntry $run): ?string
    {
        $names = match (true) {
            $run->meta->isWindow() => ['start' => RunRecording::WINDOW],
            in_array($run->meta->recording->start, RunRecording::BY_ITSELF, true) && self::isNamed($run->meta->group())
                => ['route' => $run->meta->group()],
            default => ['url' => $run->meta->origin->subject()],
        };

        return implode('', $names) === '' ? null : Url::index(['view' => 'trend', 'source' => $run->id->source] + $names);
    }

    /**
     * URL of the trend for a run, or for the runs of a mean.
     *
     * @param string|null $symbol a function of the run
     * @return string|null null if the run's URL or command is unknown, or the name is too long for a URL
     */
    public static function urlOf(ShownRun $set, ?string $symbol = null): ?string
    {
        $meta = $set->run->meta();
        $isWindow = $meta->isWindow();
        $what = $isWindow ? '' : $meta->origin->name ?? $meta->origin->url ?? $meta->origin->command;
        // Requests of a route have different URLs.
        $route = in_array($meta->recording->start, RunRecording::BY_ITSELF, true) ? $meta->group() : '';
        $names = self::isNamed($route) ? ['route' => $route] : ['url' => $what, 'start' => $isWindow ? RunRecording::WINDOW : null];
        $named = $symbol === null ? [] : Url::symbolField($symbol);
        if (isset($named['symbol_hash']) || (!$set->isMean() && $what === null)) {
            return null;
        }

        return Url::index(['view' => 'trend', 'source' => $set->source()]
            + ($set->isMean() ? ['runs' => $set->idText()] : $names) + $named);
    }

    /**
     * @return list<RunEntry> oldest first, readable ones only
     * @throws HttpError
     */
    public function entries(): array
    {
        try {
            $found = $this->list === '' ? $this->ofUrl() : $this->listed();
        } catch (InvalidRunId $e) {
            throw new HttpError(400, 'The list of runs has an invalid entry.', $e);
        } catch (StoreError $e) {
            throw new HttpError(500, 'The run folder cannot be read.', $e);
        }
        usort($found, static fn (RunEntry $a, RunEntry $b): int => [$a->time, (string) $a->id] <=> [$b->time, (string) $b->id]);

        return $found;
    }

    /**
     * The values of one function in runs.
     *
     * @param list<RunEntry> $runs oldest first
     * @return array<int, array<string, int|float>|null> by position: columns of FlatReport, null for a run that does not call
     *     the function; runs that there was no time for are missing
     */
    public function functionValues(array $runs, string $symbol): array
    {
        return $this->read($runs, static function (Run $run) use ($symbol): ?array {
            try {
                return SymbolReport::compute($run->profile(), $symbol, true)->self();
            } catch (UnknownSymbol) {
                return null;
            }
        });
    }

    /**
     * The values of the route in windows.
     *
     * @param list<RunEntry> $runs oldest first
     * @return array<int, array{values: array<string, int|float>|null, figures: RouteFigures}> by position, as functionValues()
     */
    public function windows(array $runs): array
    {
        return $this->read($runs, fn (Run $run): array => [
            'values' => $run->meta()->window?->trendValues($this->route),
            'figures' => $run->meta()->window?->routeStats($this->route) ?? RouteFigures::none(),
        ]);
    }

    /**
     * @template T
     * @param list<RunEntry> $runs oldest first
     * @param \Closure(Run): T $value
     * @return array<int, T> by position
     */
    private function read(array $runs, \Closure $value): array
    {
        $until = microtime(true) + self::PATIENCE;
        $values = [];
        foreach (array_reverse($runs, true) as $position => $run) {
            if ($values !== [] && microtime(true) > $until) {
                break;
            }
            try {
                $values[$position] = $value($this->runs->store->open($run->id));
            } catch (RunNotFound | DamagedRun | StoreError) {
                // The run's own page reports it.
            }
        }

        return $values;
    }

    /**
     * @return list<RunEntry>
     * @throws StoreError
     */
    private function ofUrl(): array
    {
        $query = new RunQuery(
            source: $this->source,
            url: $this->url,
            start: $this->start,
            route: $this->isOfWindows() ? '' : $this->route,
            single: true,
        );
        $found = [];
        for ($offset = 0; $offset < self::MAX_LOOKED_AT && count($found) < $this->most; $offset += self::MAX_RUNS) {
            $listing = $this->runs->store->catalog()->find($query, self::MAX_RUNS, $offset);
            foreach ($listing->runs as $run) {
                // The query also matches parts of URLs: "/" is in all.
                $isOfIt = $this->url === '' || $run->meta->origin->subject() === $this->url;
                if ($isOfIt && $run->error === null && count($found) < $this->most) {
                    $found[] = $run;
                }
            }
            if ($offset + self::MAX_RUNS >= $listing->matches) {
                break;
            }
        }

        return $found;
    }

    /**
     * @return list<RunEntry>
     * @throws InvalidRunId
     */
    private function listed(): array
    {
        $source = $this->source === '' ? RunOpener::DEFAULT_SOURCE : $this->source;
        $found = [];
        foreach (array_slice(array_unique(explode(',', $this->list)), 0, $this->most) as $id) {
            $run = $this->runs->store->catalog()->entry(RunId::fromStrings($id, $source));
            if ($run !== null && $run->error === null) {
                $found[] = $run;
            }
        }

        return $found;
    }
}
