<?php

declare(strict_types=1);

namespace XHProf\Demo\Fleet;

use XHProf\Fleet\Shipment;
use XHProf\Profile\CallTree;
use XHProf\Run\Exemplars;
use XHProf\Run\MadeRun;
use XHProf\Run\RequestWindow;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;

/**
 * A window of requests as a host sends it, without the host.
 *
 * @phpstan-import-type KeptRequest from Exemplars
 */
final class SentWindow
{
    /**
     * @param string                $run      "id.source"
     * @param int                   $interval µs that a sample stands for
     * @param array<string, string> $labels
     * @param list<KeptRequest>     $exemplars
     */
    public static function shipment(
        string $key,
        string $run,
        string $service,
        string $env,
        string $release,
        string $host,
        RequestWindow $window,
        CallTree $tree,
        int $interval,
        array $labels = [],
        array $exemplars = [],
    ): Shipment {
        $meta = RunMeta::fromArray([
            'ts' => $window->from,
            'host' => $host,
            'php' => '8.2.36',
            'release' => $release,
            'samples' => array_sum($tree->ct),
            'sample_interval_us' => $interval,
            'mode' => 'aggregate',
            'name' => $service,
            'aggregate' => $window->toArray(),
        ]);

        return new Shipment($key, $service, $env, $labels, new MadeRun(RunId::fromText($run), $key, $meta, $tree), $exemplars);
    }

    /**
     * The same with a request of a route that was kept: the call paths of all of them.
     *
     * @param Exemplars::SLOWEST|Exemplars::RANDOM $kind
     */
    public static function with(Shipment $window, string $route, int $wall, int $cpu, string $kind = Exemplars::SLOWEST): Shipment
    {
        $id = $window->run->id;
        $kept = [
            'id' => $id === null ? null : Exemplars::id($id, $kind, $route),
            'route' => $route, 'kind' => $kind, 'wall_us' => $wall, 'cpu_us' => $cpu, 'ended' => (int) $window->from() + 60,
            'failed' => $kind === Exemplars::SLOWEST, 'tree' => $window->tree(),
        ];

        return new Shipment(...['exemplars' => [...$window->exemplars, $kept]] + get_object_vars($window));
    }
}
