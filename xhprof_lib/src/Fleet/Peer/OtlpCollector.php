<?php

declare(strict_types=1);

namespace XHProf\Fleet\Peer;

use XHProf\Exception\XHProfException;
use XHProf\Export\Otlp;
use XHProf\Fleet\Rejected;
use XHProf\Fleet\ShippedRun;

/**
 * A receiver of OpenTelemetry's profiles: POST /v1development/profiles, a run at a time. A profile that is sent again has the same
 * profile_id.
 */
final class OtlpCollector extends Endpoint
{
    public const SCHEMES = ['otlp+http', 'otlp+https'];

    public const ALPHA = 'profiles in OTLP are alpha (' . Otlp::PROTO . ')';

    protected static function path(): string
    {
        return '/v1development/profiles';
    }

    public function send(array $runs): void
    {
        foreach ($runs as $run) {
            $answer = $this->post(self::request($run), ['Content-Type' => 'application/x-protobuf']);
            $refused = Otlp::refused($answer->body);
            if ($refused > 0) {
                throw new Rejected("{$this->name()} has refused $refused profiles of run $run->id");
            }
        }
    }

    /**
     * Names of attributes are those of OpenTelemetry's semantic conventions.
     *
     * @throws Rejected if the format cannot hold the run
     */
    private static function request(ShippedRun $run): string
    {
        $resource = [
            'service.name' => $run->service,
            'service.version' => $run->release,
            'deployment.environment.name' => $run->env,
            'host.name' => $run->host,
            'process.runtime.name' => 'php',
            'process.runtime.version' => $run->php,
            'xhprof.source' => $run->source,
            'xhprof.route' => (string) $run->route,
        ];
        foreach ($run->labels as $name => $value) {
            $resource["xhprof.label.$name"] = $value;
        }
        try {
            $label = ExportableRun::routeLabel($run);

            return Otlp::request(ExportableRun::of($run), $resource, $label, $run->key, $run->interval);
        } catch (XHProfException $e) {
            throw new Rejected($e->getMessage(), 0, $e);
        }
    }
}
