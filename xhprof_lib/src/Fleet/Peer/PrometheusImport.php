<?php

declare(strict_types=1);

namespace XHProf\Fleet\Peer;

use XHProf\Fleet\Destination;
use XHProf\Fleet\Output;
use XHProf\Fleet\ShippedRun;
use XHProf\Fleet\WrongAddress;

/**
 * The import of Prometheus' text format that VictoriaMetrics has. A sample is what one window had, at the window's end: sums over
 * time are the figures. A window that is sent again gives the same samples, of which -dedup.minScrapeInterval=1ms keeps one.
 */
final class PrometheusImport implements Output
{
    public const SCHEMES = ['prometheus+http', 'prometheus+https'];

    private const PATH = '/api/v1/import/prometheus';

    private const PREFIX = 'xhprof_window_';

    private readonly Endpoint $endpoint;

    /** @throws WrongAddress if it is no address of a server */
    public function __construct(Destination $to)
    {
        $this->endpoint = new Endpoint($to, self::PATH);
    }

    public function name(): string
    {
        return $this->endpoint->name();
    }

    public function send(array $runs): void
    {
        $lines = '';
        foreach ($runs as $run) {
            $at = self::milliseconds($run);
            foreach (WindowFigures::of($run) as [$name, $labels, $value]) {
                $lines .= Exposition::series(self::PREFIX . $name, $labels) . ' ' . Exposition::number($value) . " $at\n";
            }
        }
        if ($lines !== '') {
            $this->endpoint->post($lines, ['Content-Type' => 'text/plain']);
        }
    }

    /** Two windows of one source may end together, as their settings differ: each has a millisecond of its own, the same each time. */
    private static function milliseconds(ShippedRun $run): int
    {
        return (int) $run->to * 1000 + crc32($run->key) % 1000;
    }
}
