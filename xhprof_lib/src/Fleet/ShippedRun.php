<?php

declare(strict_types=1);

namespace XHProf\Fleet;

use XHProf\Profile\CallTree;
use XHProf\Store\RequestWindow;

/**
 * A finished run as it leaves its host. All texts are without secrets and valid UTF-8; functions have the names that hosts and
 * releases share. An aggregate has a window, and its tree has the routes of the window below main(); a run of one request, job or
 * command has none.
 */
final class ShippedRun
{
    /** Stands for values of a label, and routes, for which there was no room. */
    public const OTHER = '(other)';

    /**
     * @param string                $key      the same for the same run whenever it is sent: host, id and source
     * @param string                $id       of the run in its folder
     * @param string                $source   of the run in its folder
     * @param string                $env      '' without an environment
     * @param string                $release  '' if it is not known
     * @param string                $host     '' if it is not known
     * @param string                $php      its version, '' if it is not known
     * @param string                $mode     exact, sample, alloc or aggregate; '' if it is not known
     * @param array<string, string> $labels   free ones, by name: those that were allowed
     * @param float                 $from     seconds since 1970
     * @param float                 $to       seconds since 1970, not before $from
     * @param RequestWindow|null    $window   of an aggregate: what the requests of each route took
     * @param CallTree              $tree     its metrics are in nanoseconds and bytes, exclusive
     * @param int                   $interval µs that a sample stands for; 0 for an exact run
     * @param list<ShippedExemplar> $exemplars single requests of an aggregate
     * @param string|null           $route    of a single run: the common name of such requests or jobs
     * @param int|null              $wallUs   µs of wall time of a single run
     * @param int|null              $cpuUs    µs of CPU time of a single run
     * @param bool                  $isFailed whether a single run failed: a status from 500, a fatal error, or a signal
     * @param string|null           $traceId  of the W3C trace context, 32 hexadecimal digits
     * @param string|null           $spanId   of the W3C trace context, 16 hexadecimal digits
     */
    public function __construct(
        public readonly string $key,
        public readonly string $id,
        public readonly string $source,
        public readonly string $service,
        public readonly string $env,
        public readonly string $release,
        public readonly string $host,
        public readonly string $php,
        public readonly string $mode,
        public readonly array $labels,
        public readonly float $from,
        public readonly float $to,
        public readonly ?RequestWindow $window,
        public readonly CallTree $tree,
        public readonly int $interval = 0,
        public readonly array $exemplars = [],
        public readonly ?string $route = null,
        public readonly ?int $wallUs = null,
        public readonly ?int $cpuUs = null,
        public readonly bool $isFailed = false,
        public readonly ?string $traceId = null,
        public readonly ?string $spanId = null,
    ) {
    }
}
