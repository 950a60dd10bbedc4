<?php

declare(strict_types=1);

namespace XHProf\Run;

/** What the requests of a route allocated, and held when they were largest: estimates from sampled allocations. */
final class RouteAllocations
{
    /**
     * @param int $requests  whose allocations were sampled
     * @param int $allocated bytes, of all together; also of what goes on in the next window
     * @param int $held      bytes, of all together: what each held of it when its heap was largest
     */
    private function __construct(
        public readonly int $requests,
        public readonly int $allocated,
        public readonly int $held,
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
            ? new self($requests, $allocated, $held)
            : self::none();
    }

    /** @return array{requests: int, allocated_bytes: int, peak_bytes: int} in the shape of RunMeta::fromArray() */
    public function toArray(): array
    {
        return ['requests' => $this->requests, 'allocated_bytes' => $this->allocated, 'peak_bytes' => $this->held];
    }

    public function plus(self $other): self
    {
        return new self(
            MetaValues::sum($this->requests, $other->requests),
            MetaValues::sum($this->allocated, $other->allocated),
            MetaValues::sum($this->held, $other->held),
        );
    }

    public function isKnown(): bool
    {
        return $this->requests > 0 || $this->allocated > 0 || $this->held > 0;
    }

    /** @return int|null bytes; null where it is not known */
    public function allocatedPerRequest(): ?int
    {
        return $this->requests === 0 ? null : intdiv($this->allocated, $this->requests);
    }

    /** @return int|null bytes; null where it is not known */
    public function heldPerRequest(): ?int
    {
        return $this->requests === 0 ? null : intdiv($this->held, $this->requests);
    }

    /** @phpstan-assert-if-true int<0, max> $value */
    private static function isCount(mixed $value): bool
    {
        return MetaValues::isCount($value) && $value >= 0;
    }
}
