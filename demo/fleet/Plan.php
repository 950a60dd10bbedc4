<?php

declare(strict_types=1);

namespace XHProf\Demo\Fleet;

/** What is planted in a simulated fleet. */
final class Plan
{
    public const OLD = '2026.11.1';
    public const NEW = '2026.11.2';
    public const SERVICE = 'shop';

    /**
     * When the first window began, seconds since 1970: midnight, not long ago, for old figures would expire, but none of the
     * last 24 hours.
     */
    public readonly int $begin;

    /**
     * @param int    $hosts
     * @param int    $windows of each host and release
     * @param int    $seconds length of a window
     * @param string $route   whose function is slower in the second release; '' for none
     * @param string $function that is slower
     * @param float  $growth  of its own time per request, 0.5: half as much again
     * @param int    $badHosts number of hosts on which everything is slower
     * @param float  $slowness of these
     * @param float  $rate    requests of a host and window
     */
    public function __construct(
        public readonly int $seed,
        public readonly int $hosts = 50,
        public readonly int $windows = 9,
        public readonly int $seconds = 600,
        public readonly string $route = '',
        public readonly string $function = '',
        public readonly float $growth = 0.5,
        public readonly int $badHosts = 5,
        public readonly float $slowness = 1.6,
        public readonly float $rate = 3000.0,
    ) {
        $this->begin = intdiv(time() - 86400 - 2 * $windows * $seconds, 86400) * 86400;
    }

    public function host(int $number): string
    {
        return sprintf('web-%02d', $number);
    }

    /** @return list<string> those that are slower */
    public function bad(): array
    {
        $bad = [];
        for ($i = 0; $i < $this->badHosts; $i++) {
            $bad[] = $this->host(1 + ($this->seed * 7 + $i * 11) % $this->hosts);
        }
        sort($bad);

        return $bad;
    }
}
