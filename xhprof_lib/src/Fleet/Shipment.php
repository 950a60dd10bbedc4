<?php

declare(strict_types=1);

namespace XHProf\Fleet;

use XHProf\Profile\CallTree;
use XHProf\Run\Run;

/**
 * A finished run as it leaves its host. All texts are without secrets and valid UTF-8; functions have the names that hosts and
 * releases share. A window of requests has their figures in its metadata, and its routes below main() in its tree; a run of one
 * request, job or command has a route.
 *
 * @phpstan-import-type KeptRequest from Run
 */
final class Shipment
{
    /** Stands for values of a label, and routes, for which there was no room. */
    public const OTHER = '(other)';

    /**
     * @param string                $key       the same for the same run whenever it is sent: host, id and source
     * @param string                $env       '' without an environment
     * @param array<string, string> $labels    free ones, by name: those that were allowed
     * @param Run                   $run       with call paths; its metadata are what leaves the host, its name is the service
     * @param list<KeptRequest>     $exemplars single requests of a window
     */
    public function __construct(
        public readonly string $key,
        public readonly string $service,
        public readonly string $env,
        public readonly array $labels,
        public readonly Run $run,
        public readonly array $exemplars = [],
    ) {
    }

    public function tree(): CallTree
    {
        return $this->run->tree() ?? throw new \LogicException('a shipment without call paths');
    }

    /** @return float seconds since 1970 */
    public function from(): float
    {
        return $this->run->meta()->ts ?? 0.0;
    }

    /** @return float seconds since 1970, not before from() */
    public function to(): float
    {
        $meta = $this->run->meta();

        return max($this->from(), $meta->window->to ?? $this->from() + ($meta->totals->durationUs ?? 0) / 1e6);
    }

    /** @return int µs that a sample stands for; 0 for an exact run */
    public function interval(): int
    {
        $recording = $this->run->meta()->recording;

        return $recording->samples === null || $recording->mode === 'alloc' ? 0 : max(0, $recording->sampleInterval ?? 0);
    }

    /** @return string label of the samples of a window, whose routes are below main(); '' for none */
    public function routeLabel(): string
    {
        return $this->run->meta()->window === null ? '' : 'route';
    }

    /** @return array<string, string> all labels that are not empty, by name */
    public function allLabels(): array
    {
        $origin = $this->run->meta()->origin;
        $labels = [
            'service' => $this->service, 'env' => $this->env, 'release' => (string) $origin->release,
            'host' => (string) $origin->host, 'php' => (string) $origin->php,
            'source' => (string) $this->run->id?->source, 'route' => (string) $origin->route,
        ];

        return array_filter($labels + $this->labels, static fn (string $value): bool => $value !== '');
    }
}
