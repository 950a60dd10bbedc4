<?php

declare(strict_types=1);

namespace XHProf\Run;

/** What the requests of a route allocated, and held when they were largest: estimates from sampled allocations. */
final class RouteAllocations
{
    /**
     * @param int $requests    whose allocations were sampled
     * @param int $allocated   bytes, of all together; also of what goes on in the next window
     * @param int $held        bytes, of all together: what each held of it when its heap was largest
     * @param int $followed    requests of which it is known what they keep
     * @param int $kept        bytes that have outlived these requests
     * @param int $released    bytes that were freed after that
     * @param int $withoutPeak of the requests, of which it is not known what they held: they took turns with others
     */
    private function __construct(
        public readonly int $requests,
        public readonly int $allocated,
        public readonly int $held,
        public readonly int $followed = 0,
        public readonly int $kept = 0,
        public readonly int $released = 0,
        public readonly int $withoutPeak = 0,
    ) {
    }

    /** Nothing is known of them. */
    public static function none(): self
    {
        return new self(0, 0, 0);
    }

    /** @param mixed $values "allocations" of a route in the metadata; what is not valid makes it none() */
    public static function fromMeta(mixed $values): self
    {
        $value = static fn (string $key): mixed => is_array($values) ? $values[$key] ?? null : null;

        [$requests, $allocated, $held] = [$value('requests'), $value('allocated_bytes'), $value('peak_bytes')];

        return self::isCount($requests) && self::isCount($allocated) && self::isCount($held)
            ? new self($requests, $allocated, $held, ...[
                ...self::keptFromMeta($value('kept')),
                self::isCount($value('without_peak')) ? min($requests, $value('without_peak')) : 0,
            ])
            : self::none();
    }

    /** @return array{int, int, int} requests, bytes and released bytes; 0 if they are not valid */
    private static function keptFromMeta(mixed $values): array
    {
        $found = [];
        foreach (['requests', 'bytes', 'released_bytes'] as $key) {
            $value = is_array($values) ? $values[$key] ?? null : null;
            $found[] = self::isCount($value) ? $value : null;
        }

        return in_array(null, $found, true) ? [0, 0, 0] : $found;
    }

    /**
     * @return array{requests: int, allocated_bytes: int, peak_bytes: int, without_peak?: int,
     *     kept?: array{requests: int, bytes: int, released_bytes: int}} in the shape of RunMeta::fromArray()
     */
    public function toArray(): array
    {
        $kept = ['requests' => $this->followed, 'bytes' => $this->kept, 'released_bytes' => $this->released];

        return ['requests' => $this->requests, 'allocated_bytes' => $this->allocated, 'peak_bytes' => $this->held]
            + ($this->withoutPeak > 0 ? ['without_peak' => $this->withoutPeak] : [])
            + (array_sum($kept) > 0 ? ['kept' => $kept] : []);
    }

    public function plus(self $other): self
    {
        return new self(
            MetaValues::sum($this->requests, $other->requests),
            MetaValues::sum($this->allocated, $other->allocated),
            MetaValues::sum($this->held, $other->held),
            MetaValues::sum($this->followed, $other->followed),
            MetaValues::sum($this->kept, $other->kept),
            MetaValues::sum($this->released, $other->released),
            MetaValues::sum($this->withoutPeak, $other->withoutPeak),
        );
    }

    public function isKnown(): bool
    {
        return $this->requests > 0 || $this->allocated > 0 || $this->held > 0 || $this->followed > 0;
    }

    /** @return int|null bytes that stay of a request, below 0: more is let go; null where it is not known */
    public function staysPerRequest(): ?int
    {
        return $this->followed === 0 ? null : (int) round(($this->kept - $this->released) / $this->followed);
    }

    /** @return int|null bytes; null where it is not known */
    public function allocatedPerRequest(): ?int
    {
        return $this->requests === 0 ? null : intdiv($this->allocated, $this->requests);
    }

    /** @return int|null bytes; null where it is not known */
    public function heldPerRequest(): ?int
    {
        $known = $this->requests - $this->withoutPeak;

        return $known <= 0 ? null : intdiv($this->held, $known);
    }

    /** @phpstan-assert-if-true int<0, max> $value */
    private static function isCount(mixed $value): bool
    {
        return MetaValues::isCount($value) && $value >= 0;
    }
}
