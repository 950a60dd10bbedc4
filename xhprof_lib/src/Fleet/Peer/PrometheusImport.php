<?php

declare(strict_types=1);

namespace XHProf\Fleet\Peer;

use XHProf\Fleet\Shipment;

/**
 * The import of Prometheus' text format that VictoriaMetrics has. A sample is what one window had, at the window's end: sums over
 * time are the figures. A window that is sent again gives the same samples, of which -dedup.minScrapeInterval=1ms keeps one.
 */
final class PrometheusImport extends HttpOutput
{
    public const SCHEMES = ['prometheus+http', 'prometheus+https'];
    protected const PATH = '/api/v1/import/prometheus';

    private const PREFIX = 'xhprof_window_';

    public function send(array $shipments): void
    {
        $lines = '';
        foreach ($shipments as $shipment) {
            $at = self::milliseconds($shipment);
            foreach (WindowFigures::fromShipment($shipment) as [$name, $labels, $value]) {
                $lines .= Exposition::series(self::PREFIX . $name, $labels) . ' ' . Exposition::number($value) . " $at\n";
            }
        }
        if ($lines !== '') {
            $this->post($lines, ['Content-Type' => 'text/plain']);
        }
    }

    /** Two windows of one source may end together, as their settings differ: each has a millisecond of its own, the same each time. */
    private static function milliseconds(Shipment $shipment): int
    {
        return (int) $shipment->to() * 1000 + crc32($shipment->key) % 1000;
    }
}
