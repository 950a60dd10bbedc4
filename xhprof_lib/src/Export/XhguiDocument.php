<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Exception\CannotExport;
use XHProf\Run\Run;

/**
 * A run in XHGui's format. Of the request it has URL, method, host and time, and the values of parameters only if asked
 * for; no cookies, no environment.
 */
final class XhguiDocument
{
    private const METRICS = ['ct' => 0, 'wt' => 1, 'cpu' => 2, 'mu' => 3, 'pmu' => 4];

    /**
     * @param bool $isRedacted leave out possible secrets: see Scrubber
     *
     * @return string JSON
     *
     * @throws CannotExport
     */
    public static function encode(Run $run, bool $isRedacted = true): string
    {
        $profile = $run->profile()->recorded();
        $profile = $isRedacted ? Scrubber::profile($profile) : $profile;
        $edges = [];
        foreach ($profile->edges() as $key => $row) {
            $row = array_intersect_key($row, self::METRICS);
            $edges[Utf8Names::utf8($key)] = array_map(static fn (int|float $figure): int => (int) round($figure), $row);
        }
        if (!isset($edges['main()'])) {
            throw new CannotExport('XHGui needs a run with main(), and this one has none');
        }
        $meta = $run->meta();
        $command = $meta->origin->command ?? $run->name();
        $command = $isRedacted && $meta->origin->command !== null ? Scrubber::command($command) : $command;
        $url = $meta->origin->url === null ? $command : ($isRedacted ? Scrubber::url($meta->origin->url) : $meta->origin->url);
        $us = (int) round(($meta->ts ?? 0) * 1e6);
        $ts = ['sec' => intdiv($us, 1000000), 'usec' => $us % 1000000];

        return Utf8Names::data(['profile' => $edges, 'meta' => [
            'url' => $url,
            'simple_url' => explode('?', $url, 2)[0],
            'get' => (object) [],
            'env' => (object) [],
            'SERVER' => array_filter([
                'REQUEST_TIME' => $ts['sec'],
                'REQUEST_TIME_FLOAT' => $us / 1e6,
                'REQUEST_METHOD' => $meta->origin->method,
                'SERVER_NAME' => $meta->origin->host,
            ], static fn (mixed $value): bool => $value !== null),
            'request_ts' => ['sec' => $ts['sec'], 'usec' => 0],
            'request_ts_micro' => $ts,
            'request_date' => gmdate('Y-m-d', $ts['sec']),
        ]]);
    }
}
