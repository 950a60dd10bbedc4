<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Run\RequestWindow;

/**
 * Which part of a fleet a question is about. An empty text is all of them. Times are those at which windows began, rounded down to
 * the length of the stretches that are added up.
 */
final class Selection
{
    private const HOUR = 3600;
    private const DAY = 86400;

    /** Seconds up to which 10-minute figures are read, and up to which those of an hour. */
    public const FINE = 2 * self::DAY;
    private const MEDIUM = 90 * self::DAY;

    /**
     * @param int|null $from seconds since 1970, inclusive; null: all that is kept
     * @param int|null $to   seconds since 1970, exclusive; null: until now
     * @param array<string, string> $labels free labels that runs have, with these values; none is empty
     */
    public function __construct(
        public readonly string $service = '',
        public readonly string $env = '',
        public readonly string $route = '',
        public readonly string $release = '',
        public readonly string $host = '',
        public readonly ?int $from = null,
        public readonly ?int $to = null,
        public readonly array $labels = [],
    ) {
    }

    public function ofRelease(string $release): self
    {
        return $this->with(['release' => $release]);
    }

    public function ofRoute(string $route): self
    {
        return $this->with(['route' => $route]);
    }

    /** Returns this selection for another time: see the constructor. */
    public function during(int $from, int $to): self
    {
        return $this->with(['from' => $from, 'to' => $to]);
    }

    /** Returns this selection for all hosts and labels, from the midnight before on, so that sums of whole days cover it. */
    public function around(): self
    {
        $from = $this->from === null ? null : intdiv($this->from, self::DAY) * self::DAY;

        return $this->with(['host' => '', 'from' => $from, 'labels' => []]);
    }

    /** Returns this selection for all releases of another service. */
    public function ofService(string $service, string $env): self
    {
        return $this->with(['service' => $service, 'env' => $env, 'release' => '']);
    }

    /** Seconds that it covers; null if it has no begin. */
    public function seconds(): ?int
    {
        return $this->from === null ? null : max(1, min(time(), $this->to ?? time()) - $this->from);
    }

    /** @param array<string, mixed> $changes by property */
    private function with(array $changes): self
    {
        return new self(...$changes + get_object_vars($this));
    }

    /**
     * The table that answers it with the fewest rows.
     *
     * @param 'requests'|'functions'|'samples'|'suspended' $kind
     */
    public function table(string $kind): string
    {
        // Only these know hosts and labels.
        if ($this->host !== '' || $this->labels !== []) {
            return $kind === 'samples' ? $kind : "{$kind}_10m";
        }
        $length = $this->from === null ? PHP_INT_MAX : ($this->to ?? time()) - $this->from;
        $isWhole = ($this->from ?? 0) % self::HOUR === 0 && ($this->to ?? 0) % self::HOUR === 0;
        if ($length <= self::FINE || (!$isWhole && $length <= self::MEDIUM)) {
            return $kind === 'functions' ? $this->functions() : "{$kind}_10m";
        }

        return $length <= self::MEDIUM || $this->from === null || $kind === 'functions' ? "{$kind}_1h" : "{$kind}_1d";
    }

    /** The table of functions in stretches of 10 minutes. */
    public function functions(): string
    {
        return $this->host === '' && $this->labels === [] ? 'functions_all_10m' : 'functions_10m';
    }

    /**
     * @param string $more a condition in addition, of this program's text
     *
     * @return string of SQL, for parameters(): "WHERE ..."
     */
    public function where(string $more = ''): string
    {
        $conditions = $more === '' ? [] : [$more];
        foreach (['service', 'env', 'route', 'release', 'host'] as $column) {
            if ($this->$column !== '') {
                $conditions[] = "$column = {{$column}:String}";
            }
        }
        foreach (array_keys(array_values($this->labels)) as $i) {
            $conditions[] = "labels[{label$i:String}] = {label{$i}_value:String}";
        }
        if ($this->from !== null) {
            $conditions[] = 'ts >= toDateTime({from:UInt32})';
        }
        if ($this->to !== null) {
            $conditions[] = 'ts < toDateTime({to:UInt32})';
        }

        return $conditions === [] ? '' : 'WHERE ' . implode(' AND ', $conditions);
    }

    /**
     * Selects the same without what belongs to no request, unless that is what is selected: for figures per request.
     *
     * @param string $more as of where()
     */
    public function whereRequests(string $more = ''): string
    {
        $is = $this->route === '' ? "route != '" . RequestWindow::BETWEEN . "'" : '';

        return $this->where(implode(' AND ', array_filter([$more, $is], static fn (string $one): bool => $one !== '')));
    }

    /** @return array<string, string|int> */
    public function parameters(): array
    {
        $values = [
            'service' => $this->service, 'env' => $this->env, 'route' => $this->route, 'release' => $this->release,
            'host' => $this->host, 'from' => $this->from, 'to' => $this->to,
        ];
        $values = array_filter($values, static fn (string|int|null $value): bool => $value !== null && $value !== '');
        foreach (array_keys($this->labels) as $i => $name) {
            $values += ["label$i" => (string) $name, "label{$i}_value" => $this->labels[$name]];
        }

        return $values;
    }

    /** @return array<string, string|int|array<string, string>> what it is limited to, by name */
    public function toArray(): array
    {
        $all = get_object_vars($this);

        return array_filter($all, static fn (string|int|array|null $value): bool => !in_array($value, [null, '', []], true));
    }
}
