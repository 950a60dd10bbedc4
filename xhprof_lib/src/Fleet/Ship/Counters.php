<?php

declare(strict_types=1);

namespace XHProf\Fleet\Ship;

/** What a shipper has done since its state began. */
final class Counters
{
    private const NAMES = ['sent', 'dropped', 'rejected', 'damaged', 'others', 'stuckAttempts'];

    /** Runs that the store has confirmed. */
    public int $sent = 0;

    /** Runs that were removed from the folder before the store had confirmed them. */
    public int $dropped = 0;

    /** Runs that the store has refused. */
    public int $rejected = 0;

    /** Runs that could not be read. */
    public int $damaged = 0;

    /** Values of labels, and routes, that became "(other)". */
    public int $others = 0;

    /** Last error: of the store, until it answers again; or of a run that was refused or is damaged. '' for none. */
    public string $error = '';
    public float $errorAt = 0.0;
    public string $runError = '';
    public float $runErrorAt = 0.0;

    /** The first run of the batch that the store fails with now, since when, and how often it was sent. '': none. */
    public string $stuckRun = '';
    public float $stuckSince = 0.0;
    public int $stuckAttempts = 0;

    /** When the store last confirmed something; 0: never. */
    public float $sentAt = 0.0;

    /** @param array<mixed> $data that toArray() returned, or anything else */
    public static function fromArray(array $data): self
    {
        $self = new self();
        foreach (self::NAMES as $name) {
            $self->$name = is_int($data[$name] ?? null) ? max(0, $data[$name]) : 0;
        }
        foreach (['errorAt', 'runErrorAt', 'sentAt', 'stuckSince'] as $name) {
            $value = $data[$name] ?? null;
            $self->$name = is_int($value) || is_float($value) ? max(0.0, (float) $value) : 0.0;
        }
        foreach (['error', 'runError', 'stuckRun'] as $name) {
            $self->$name = is_string($data[$name] ?? null) ? $data[$name] : '';
        }

        return $self;
    }

    /** @return array<string, int|float|string> without what is not set */
    public function toArray(): array
    {
        $isSet = static fn (int|float|string $value): bool => !in_array($value, [0, 0.0, ''], true);

        return array_filter(get_object_vars($this), $isSet);
    }
}
