<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Exception\CannotExport;
use XHProf\File\Sink;
use XHProf\Run\Run;

/**
 * A run as a request of OpenTelemetry's protocol for profiles, ExportProfilesServiceRequest: in a file, or sent. The messages are
 * alpha, and have changed with versions: these are PROTO's.
 *
 * @link https://github.com/open-telemetry/opentelemetry-proto/blob/v1.11.1/opentelemetry/proto/profiles/v1development/profiles.proto
 */
final class Otlp implements Format
{
    public const NAME = 'otlp';
    public const EXTENSION = 'otlp.pb';
    public const MIME_TYPE = 'application/x-protobuf';
    public const LABEL = 'OpenTelemetry';
    public const OPENS = 'receivers of OpenTelemetry\'s profiles, which are alpha: ' . self::PROTO;
    public const NEEDS_PATHS = true;

    public const PROTO = 'opentelemetry-proto 1.11.1';

    public function write(Run $run, Sink $out, ?string $metric = null): void
    {
        $recording = $run->meta()->recording;
        $period = $recording->samples === null || $recording->mode === 'alloc' ? 0 : max(0, $recording->sampleInterval ?? 0);
        $route = $run->meta()->window === null ? '' : 'route';
        $request = new OtlpRequest($run, $metric, $route, (string) $run->id, $period);
        foreach ($request->pieces(self::resource($run, $run->id->source ?? 'php', '')) as $piece) {
            $out->write($piece);
        }
    }

    /** @return array<string, string> attributes of what ran, by the names of OpenTelemetry's semantic conventions */
    public static function resource(Run $run, string $service, string $environment): array
    {
        $origin = $run->meta()->origin;

        return [
            'service.name' => $service,
            'service.version' => (string) $origin->release,
            'deployment.environment.name' => $environment,
            'host.name' => (string) $origin->host,
            'process.runtime.name' => 'php',
            'process.runtime.version' => (string) $origin->php,
            'xhprof.source' => (string) $run->id?->source,
            'xhprof.route' => (string) $origin->route,
        ];
    }

    /**
     * @param array<string, string> $resource   attributes of what ran; empty ones are left out
     * @param string                $routeLabel attribute of samples: the name of the call below main() they are in; '' for none
     * @param string                $key        the same for the same run: a receiver can know one that comes again
     * @param int                   $periodUs   µs of time that a sample stands for; 0 for an exact run
     *
     * @throws CannotExport if only edges are known
     */
    public static function request(
        Run $run,
        array $resource,
        string $routeLabel,
        string $key,
        int $periodUs = 0,
    ): string {
        $text = '';
        foreach ((new OtlpRequest($run, null, $routeLabel, $key, $periodUs))->pieces($resource) as $piece) {
            $text .= $piece;
        }

        return $text;
    }

    /** @return int profiles that a receiver has refused, by its answer; 0 for an answer of another kind */
    public static function refused(string $answer): int
    {
        return (int) (Proto::fields((string) (Proto::fields($answer)[1] ?? ''))[1] ?? 0);
    }
}
