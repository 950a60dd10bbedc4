<?php

declare(strict_types=1);

namespace XHProf\Fleet\Peer;

use XHProf\Exception\XHProfException;
use XHProf\Export\Pprof;
use XHProf\File\Sink;
use XHProf\Fleet\Rejected;
use XHProf\Fleet\Shipment;
use XHProf\Profile\Metrics;

/**
 * A server that takes pprof as Grafana Pyroscope does: POST /ingest, a run at a time. The routes of a window are a label of
 * its samples. Such a server adds up what it gets: a run that is sent again counts again.
 */
final class Pyroscope extends HttpOutput
{
    public const SCHEMES = ['pyroscope+http', 'pyroscope+https'];
    protected const PATH = '/ingest';

    public function send(array $shipments): void
    {
        foreach ($shipments as $shipment) {
            $boundary = 'xhprof-' . bin2hex(random_bytes(12));
            $query = [
                'name' => $shipment->service . self::labels($shipment),
                'from' => (int) $shipment->from(),
                'until' => (int) ceil($shipment->to()),
                'format' => 'pprof',
                'spyName' => 'xhprof',
            ];
            $headers = ['Content-Type' => "multipart/form-data; boundary=$boundary"];
            $this->post(self::form($shipment, $boundary), $headers, $query, gzip: false);
        }
    }

    /** "{env="live",host="web-1"}", as Pyroscope reads it: without quotes, so signs that it needs become "_". */
    private static function labels(Shipment $shipment): string
    {
        $texts = [];
        foreach (array_diff_key($shipment->allLabels(), ['service' => 0]) as $name => $value) {
            $texts[] = "$name=" . preg_replace('/[{},="\\\\\s]/', '_', $value);
        }

        return '{' . implode(',', $texts) . '}';
    }

    /** @throws Rejected if pprof cannot hold the run */
    private static function form(Shipment $shipment, string $boundary): string
    {
        $pprof = '';
        try {
            $sink = Sink::toText($pprof);
            // Each label is a series there: not a span.
            (new Pprof($shipment->routeLabel(), false))->write($shipment->run, $sink);
            $sink->end();
        } catch (XHProfException $e) {
            throw new Rejected($e->getMessage(), 0, $e);
        }
        $types = [];
        $tree = $shipment->tree();
        foreach ([...$tree->metrics(), ...array_keys($tree->allocations), 'ct'] as $key) {
            $metric = Metrics::of($key);
            $unit = ['ns' => 'nanoseconds', 'bytes' => 'bytes', 'count' => 'objects'][$metric->treeUnit()];
            $types[$metric->pprof] = ['units' => $unit, 'aggregation' => 'sum', 'display-name' => $metric->pprof];
        }
        $parts = [
            'name="profile"; filename="profile.pprof"' => $pprof,
            'name="sample_type_config"; filename="sample_type_config.json"' => json_encode($types, JSON_THROW_ON_ERROR),
        ];
        $form = '';
        foreach ($parts as $head => $bytes) {
            $form .= "--$boundary\r\nContent-Disposition: form-data; $head\r\n"
                . "Content-Type: application/octet-stream\r\n\r\n$bytes\r\n";
        }

        return "$form--$boundary--\r\n";
    }
}
