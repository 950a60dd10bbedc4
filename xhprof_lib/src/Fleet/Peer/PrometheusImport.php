<?php

declare(strict_types=1);

namespace XHProf\Fleet\Peer;

use XHProf\Exception\SendError;
use XHProf\Fleet\Acceptance;
use XHProf\Fleet\Destination;
use XHProf\Fleet\Output;
use XHProf\Fleet\ShippedRun;
use XHProf\Http\HttpClient;

/**
 * The import of Prometheus' text format that VictoriaMetrics has. A sample is what one window had, at the window's end: sums over
 * time are the figures. A window that is sent again gives the same samples, of which -dedup.minScrapeInterval=1ms keeps one.
 */
final class PrometheusImport implements Output
{
    public const SCHEMES = ['prometheus+http', 'prometheus+https'];

    private const PATH = '/api/v1/import/prometheus';

    private const PREFIX = 'xhprof_window_';

    private readonly string $url;

    private readonly HttpClient $http;

    /** @throws SendError if it is no address of a server */
    public function __construct(private readonly Destination $to)
    {
        $this->url = Address::of($to, self::PATH);
        $this->http = new HttpClient($to->timeout, $to->caFile, $to->user, $to->password);
    }

    public function name(): string
    {
        return $this->to->shown();
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
            Acceptance::post($this->http, $this->name(), $this->url, $lines, ['Content-Type' => 'text/plain']);
        }
    }

    /** Two windows of one source may end together, as their settings differ: each has a millisecond of its own, the same each time. */
    private static function milliseconds(ShippedRun $run): int
    {
        return (int) $run->to * 1000 + crc32($run->key) % 1000;
    }
}
