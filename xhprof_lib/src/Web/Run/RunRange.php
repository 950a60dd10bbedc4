<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Format\Units;
use XHProf\Profile\TimeRange;
use XHProf\Profile\TimeSpan;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;

/**
 * The range of a run's time that its views show, as the timeline writes it into the address: x0 and x1, in µs since the start. The
 * scripts have the names of the parameters in assets/js/core/state.js.
 */
final class RunRange
{
    /** µs; half a year. */
    private const MOST = 1 << 44;

    /**
     * @param bool $isFollowed false for a view that has no times: it shows the whole run
     */
    private function __construct(
        public readonly TimeRange $time,
        private readonly TimeSpan $span,
        public readonly bool $isFollowed,
    ) {
    }

    /** Whether a request names a range. */
    public static function isIn(Request $request): bool
    {
        return $request->has('x0') || $request->has('x1');
    }

    /**
     * @throws HttpError 400 if the parameters are no range of this run
     */
    public static function fromRequest(Request $request, TimeSpan $span): self
    {
        [$from, $to] = [self::time($request, 'x0'), self::time($request, 'x1')];
        if ($to <= $from) {
            throw new HttpError(400, 'A range of time must end (x1) after it begins (x0).');
        }
        if ($from * 1000 >= $span->duration) {
            throw new HttpError(400, 'This range of time (x0, x1) begins after the end of the run.');
        }

        return new self(new TimeRange($from * 1000, $to * 1000), $span, true);
    }

    public function notFollowed(): self
    {
        return new self($this->time, $this->span, false);
    }

    /** @return array{x0: string, x1: string} */
    public function parameters(): array
    {
        return ['x0' => (string) intdiv($this->time->from, 1000), 'x1' => (string) intdiv($this->time->to, 1000)];
    }

    /**
     * What a view shows, in words.
     *
     * @return array{followed: bool, text: string, why: string, whole_url: string}
     */
    public function describe(Request $request): array
    {
        $us = static fn (int $ns): string => Units::us($ns / 1000);
        $to = min($this->time->to, $this->span->duration);
        /** @var array<string, string> $parameters */
        $parameters = array_filter($request->parameters(), is_string(...));

        return [
            'followed' => $this->isFollowed,
            'text' => "{$us($this->time->from)} to {$us($to)} of {$us($this->span->duration)}",
            'why' => $this->isFollowed ? $this->counted() : 'This view does not follow the range',
            'whole_url' => Url::index(['x0' => null, 'x1' => null] + $parameters),
        ];
    }

    private function counted(): string
    {
        return match ($this->span->threshold) {
            null => 'Samples of this time',
            0 => 'All calls that ran in this time',
            default => 'Calls that ran in this time; those shorter than ' . Units::us($this->span->threshold / 1000)
                . ' are part of their callers’ self time',
        };
    }

    /** @throws HttpError */
    private static function time(Request $request, string $name): int
    {
        $text = $request->text($name);
        $time = preg_match('/\A[0-9]{1,14}\z/', $text) === 1 ? (int) $text : -1;
        if ($time < 0 || $time > self::MOST) {
            throw new HttpError(400, 'A range of time has a begin (x0) and an end (x1), both whole numbers of microseconds.');
        }

        return $time;
    }
}
