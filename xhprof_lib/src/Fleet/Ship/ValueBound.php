<?php

declare(strict_types=1);

namespace XHProf\Fleet\Ship;

use XHProf\Fleet\Shipment;

/**
 * The values that labels have had, a bounded number of each: one that comes when there is no room becomes "(other)" and is
 * counted. Which values have room outlives the process, or a shipper that starts every minute would have no bound.
 */
final class ValueBound
{
    public const OTHER = Shipment::OTHER;

    /** @var array<string, array<string, true>> by name; values have a NUL before them, or "12" would be a number */
    private array $values = [];

    private int $others = 0;

    /**
     * @param array<string, int>          $most   values, by name; '' for all other names
     * @param array<string, list<string>> $before that values() returned
     */
    public function __construct(private readonly array $most, array $before = [])
    {
        foreach ($before as $name => $values) {
            foreach ($values as $value) {
                $this->values[$name]["\0$value"] = true;
            }
        }
    }

    public function take(string $name, string $value): string
    {
        $known = $this->values[$name] ?? [];
        if (!isset($known["\0$value"])) {
            if (count($known) >= ($this->most[$name] ?? $this->most[''])) {
                $this->others++;

                return self::OTHER;
            }
            $this->values[$name]["\0$value"] = true;
        }

        return $value;
    }

    /** @return int how often a value has become "(other)" since this was last asked */
    public function takeOthers(): int
    {
        [$others, $this->others] = [$this->others, 0];

        return $others;
    }

    /** @return array<string, list<string>> */
    public function values(): array
    {
        $text = static fn (int|string $value): string => substr((string) $value, 1);

        return array_map(static fn (array $values): array => array_map($text, array_keys($values)), $this->values);
    }
}
