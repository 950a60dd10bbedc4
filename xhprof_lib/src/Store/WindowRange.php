<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\InvalidRunId;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Format\Period;
use XHProf\Run\Run;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;
use XHProf\Run\RunRecording;
use XHProf\Run\WindowsRun;

/**
 * The windows of a source that begin in a range of time, as one run: "windows-FROM-UNTIL", seconds since 1970, with "-r" and a hash
 * of the only route, and "-h" and one of the only host. No file has such a name.
 */
final class WindowRange
{
    /** Most windows, the newest: days of minutes. */
    public const MOST = 2000;

    private const HASH_DIGITS = 12;

    private const ID = '/\Awindows-([0-9]{1,11})-([0-9]{1,11})(?:-r([0-9a-f]{12}))?(?:-h([0-9a-f]{12}))?\z/';

    /**
     * @param float $from  seconds since 1970; a window counts where it begins
     * @param float $until seconds since 1970, itself not included
     *
     * @return RunId|null null for a source that no run can have
     */
    public static function id(string $source, float $from, float $until, string $route = '', string $host = ''): ?RunId
    {
        $id = sprintf('windows-%d-%d', max(0, (int) floor($from)), max(0, (int) ceil($until)));
        try {
            return RunId::fromStrings($id . self::mark('r', $route) . self::mark('h', $host), $source);
        } catch (InvalidRunId) {
            return null;
        }
    }

    /** Whether it has such a name. */
    public static function is(RunId $id): bool
    {
        return preg_match(self::ID, $id->id) === 1;
    }

    /**
     * @param \Closure(RunId): Run $open opens a window
     *
     * @throws RunNotFound where no window is in the range
     * @throws StoreError  if the folder cannot be read
     */
    public static function open(RunCatalog $catalog, RunId $id, \Closure $open): WindowsRun
    {
        [$query, $route] = self::query($catalog, $id);
        $listing = $catalog->find($query, self::MOST);
        $windows = array_values(array_filter($listing->runs, static fn (RunEntry $run): bool => $run->error === null));
        $totals = $windows === [] ? null : $catalog->requestTotals($query);
        if ($totals === null || ($route !== null && !in_array($route, $totals->routes(), true))) {
            throw new RunNotFound("there is no window of the source $id->source with such requests that begins "
                . Period::text($query->from, $query->until));
        }
        $opened = array_map(static fn (RunEntry $window): \Closure => static fn (): Run => $open($window->id), $windows);
        $stamps = implode(' ', array_map(static fn (RunEntry $window): string => "$window->id $window->stamp", $windows));

        return new WindowsRun(
            $id,
            $opened,
            self::meta($id, $query, $windows, $totals, $route),
            $route,
            hash('sha256', "$id $stamps"),
        );
    }

    /** @return array{RunQuery, string|null} of its windows; the only route */
    private static function query(RunCatalog $catalog, RunId $id): array
    {
        if (preg_match(self::ID, $id->id, $match) !== 1) {
            throw new RunNotFound("the run $id is no range of windows");
        }
        $query = new RunQuery(
            source: $id->source,
            from: (float) $match[1],
            until: (float) $match[2],
            start: RunRecording::WINDOW,
        );
        $host = self::named($match[4] ?? '', static fn (): array => $catalog->choices()['hosts']);
        $query = $query->with(['host' => $host ?? '']);

        return [$query, self::named($match[3] ?? '', static fn (): array => $catalog->requestTotals($query)->routes())];
    }

    /**
     * @param \Closure(): list<string> $names
     *
     * @return string|null the one with a hash; null for no hash; one that nothing has where there is none
     */
    private static function named(string $hash, \Closure $names): ?string
    {
        foreach ($hash === '' ? [] : $names() as $name) {
            if (self::hash($name) === $hash) {
                return $name;
            }
        }

        return $hash === '' ? null : "\0$hash";
    }

    /**
     * @param non-empty-list<RunEntry> $windows
     */
    private static function meta(RunId $id, RunQuery $query, array $windows, RequestTotals $totals, ?string $route): RunMeta
    {
        $first = $windows[count($windows) - 1]->meta;
        $intervals = $hosts = $revisions = [];
        $samples = 0;
        foreach ($windows as $window) {
            $intervals[$window->meta->recording->sampleInterval ?? 0] = true;
            $hosts[$window->meta->origin->host ?? ''] = true;
            $revisions[$window->meta->origin->revision()] = true;
            $samples += $window->meta->recording->samples ?? 0;
        }
        $routes = [];
        foreach ($route === null ? $totals->routes() : [$route] as $name) {
            $routes[$name] = $totals->figures($name)->toArray();
        }
        if ($route !== null) {
            $samples = $totals->figures($route)->samples;
        }
        $covered = $totals->covered() ?? ['from' => (int) $query->from, 'to' => (int) $query->until];
        $one = static fn (array $values, ?string $value): ?string => count($values) === 1 ? $value : null;
        $interval = count($intervals) === 1 ? $first->recording->sampleInterval : null;
        $metric = $first->recording->sampling?->metric() ?? 'wt';

        return RunMeta::fromArray([
            'id' => $id->id,
            'source' => $id->source,
            'ts' => (float) $covered['from'],
            'start' => RunRecording::WINDOW,
            'mode' => $first->recording->mode,
            'samples' => $samples,
            'sample_interval_us' => $interval,
            'sampling' => ['clock' => $first->recording->sampling->clock ?? 'wall', 'taken' => $samples],
            'duration_us' => 1000000 * $totals->seconds(),
            'totals' => $interval === null ? [] : [$metric => $samples * $interval],
            'host' => $one($hosts, $first->origin->host),
            'release' => $one($revisions, $first->origin->release),
            'git' => $one($revisions, $first->origin->git),
            'php' => $first->origin->php,
            'sapi' => $first->origin->sapi,
            'aggregate' => [
                'seconds' => 0,
                'from' => $covered['from'],
                'to' => $covered['to'],
                'covered' => $totals->seconds(),
                'windows' => count($windows),
                'requests' => array_sum(array_column($routes, 'requests')),
                'processes' => 0,
                'damaged' => 0,
                'routes' => $routes,
            ],
        ]);
    }

    private static function mark(string $kind, string $name): string
    {
        return $name === '' ? '' : "-$kind" . self::hash($name);
    }

    private static function hash(string $name): string
    {
        return substr(hash('sha256', $name), 0, self::HASH_DIGITS);
    }
}
