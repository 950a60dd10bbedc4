<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

/** A regression that is known, and not reported until a day. */
final class MutedRegression
{
    private const KEYS = ['route', 'function', 'until', 'reason'];

    /**
     * @param string $route    '' for all
     * @param string $function '' for all
     * @param string $until    the last day on which it is muted, as 2026-12-31, in PHP's time zone
     */
    private function __construct(
        public readonly string $route,
        public readonly string $function,
        public readonly string $until,
        public readonly string $reason,
    ) {
    }

    /**
     * @param array<mixed> $data
     *
     * @return self|null null if something is missing, or is too much
     */
    public static function fromArray(array $data): ?self
    {
        $texts = array_filter($data, static fn (mixed $text): bool => is_string($text) && $text !== '');
        if (count($texts) < count($data) || array_diff(array_keys($data), self::KEYS) !== []) {
            return null;
        }
        [$route, $function] = [$texts['route'] ?? '', $texts['function'] ?? ''];
        [$until, $reason] = [$texts['until'] ?? '', $texts['reason'] ?? ''];
        $day = \DateTimeImmutable::createFromFormat('!Y-m-d', $until);
        $isDay = $day !== false && $day->format('Y-m-d') === $until;

        return $isDay && $reason !== '' && $route . $function !== '' ? new self($route, $function, $until, $reason) : null;
    }

    public function isOf(string $route, string $function): bool
    {
        return ($this->route === '' || $this->route === $route) && ($this->function === '' || $this->function === $function);
    }

    /** @return int when it is over, seconds since 1970 */
    public function end(): int
    {
        return (new \DateTimeImmutable("$this->until midnight +1 day"))->getTimestamp();
    }
}
