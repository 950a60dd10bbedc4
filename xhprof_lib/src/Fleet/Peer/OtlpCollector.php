<?php

declare(strict_types=1);

namespace XHProf\Fleet\Peer;

use XHProf\Exception\XHProfException;
use XHProf\Export\Otlp;
use XHProf\Fleet\Rejected;
use XHProf\Fleet\Shipment;

/**
 * A receiver of OpenTelemetry's profiles: POST /v1development/profiles, a run at a time. A profile that is sent again has the same
 * profile_id.
 */
final class OtlpCollector extends HttpOutput
{
    public const SCHEMES = ['otlp+http', 'otlp+https'];
    protected const PATH = '/v1development/profiles';

    public const ALPHA = 'profiles in OTLP are alpha (' . Otlp::PROTO . ')';

    public function send(array $shipments): void
    {
        foreach ($shipments as $shipment) {
            $answer = $this->post(self::request($shipment), ['Content-Type' => 'application/x-protobuf']);
            $refused = Otlp::refused($answer->body);
            if ($refused > 0) {
                throw new Rejected("{$this->name()} has refused $refused profiles of run {$shipment->run->id?->id}");
            }
        }
    }

    /**
     * @throws Rejected if the format cannot hold the run
     */
    private static function request(Shipment $shipment): string
    {
        $run = $shipment->run;
        $resource = Otlp::resource($run, $shipment->service, $shipment->env);
        foreach ($shipment->labels as $name => $value) {
            $resource["xhprof.label.$name"] = $value;
        }
        try {
            return Otlp::request($run, $resource, $shipment->routeLabel(), $shipment->key, $shipment->interval());
        } catch (XHProfException $e) {
            throw new Rejected($e->getMessage(), 0, $e);
        }
    }
}
