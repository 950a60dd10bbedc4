<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Stats\Distribution;
use XHProf\Stats\Outliers;

/**
 * How slow each host is, beside what its mix of routes takes on the host in the middle: 1.2 is a fifth slower. A host stands out by
 * the rule for outliers that the pages of one host have, if it is enough slower to matter: a few hosts that are almost alike by
 * chance make the next one an outlier.
 *
 * @phpstan-type Host array{host: string, requests: int, failed: int, time: int, slowness: float, is_outlier: bool}
 */
final class HostFigures
{
    /** Among fewer no host can stand out. */
    public const LEAST_HOSTS = Outliers::MIN_COUNT;

    /** Least slowness of a host that stands out. */
    private const LEAST_SLOWNESS = 1.05;

    /** @var array<string, non-empty-array<string, array{int, int, int}>> route => host => requests, failed, time; names are marked by a NUL */
    private array $routes = [];

    /** @param int $time in any unit */
    public function add(string $route, string $host, int $requests, int $failed, int $time): void
    {
        if ($requests > 0) {
            $this->routes["\0$route"]["\0$host"] = [$requests, $failed, $time];
        }
    }

    /** @return list<Host> the slowest first */
    public function hosts(): array
    {
        $hosts = [];
        foreach ($this->routes as $ofRoute) {
            $each = array_map(static fn (array $figures): float => $figures[2] / $figures[0], array_values($ofRoute));
            $usual = (new Distribution($each))->quantile(0.5);
            foreach ($ofRoute as $host => [$requests, $failed, $time]) {
                $sum = $hosts[$host] ?? [0, 0, 0, 0.0];
                $hosts[$host] = [$sum[0] + $requests, $sum[1] + $failed, $sum[2] + $time, $sum[3] + $usual * $requests];
            }
        }
        $found = [];
        foreach ($hosts as $host => [$requests, $failed, $time, $usual]) {
            $found[] = [
                'host' => substr((string) $host, 1), 'requests' => $requests, 'failed' => $failed, 'time' => $time,
                'slowness' => $usual > 0 ? $time / $usual : 1.0,
            ];
        }
        usort($found, static fn (array $a, array $b): int => [$b['slowness'], $a['host']] <=> [$a['slowness'], $b['host']]);
        $odd = Outliers::positions(array_column($found, 'slowness'));
        foreach ($found as $i => $host) {
            $found[$i]['is_outlier'] = isset($odd[$i]) && $host['slowness'] >= self::LEAST_SLOWNESS;
        }

        return $found;
    }
}
