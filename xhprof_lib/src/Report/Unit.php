<?php

declare(strict_types=1);

namespace XHProf\Report;

use XHProf\Format\Text as PlainText;
use XHProf\Format\Units;
use XHProf\Format\VisibleName;
use XHProf\Profile\Metrics;

/** Unit of a value, which decides how people read it. */
enum Unit
{
    /** A function, a route, a host: shortened where there is no room. */
    case Name;
    /** A function of a profile: the same, however long it is. */
    case Symbol;
    /** Other words. */
    case Text;
    /** Words that are shown whole, to be copied. */
    case Line;
    /** A word that needs no head, or nothing: true is written out, false is nothing. */
    case Mark;
    /** Functions of a call path, the caller last. */
    case Path;
    /** A line of a tree: "│  └─ name". Its name is shortened, never its branches. */
    case Branch;
    /** A function of a call tree, indented by the row's `depth`. */
    case Nested;
    /** Words, and marks behind them, each after two spaces: where there is no room the marks are left out first. */
    case Marked;
    /** The beginning of an id, to be copied. */
    case Id;
    /** A part of 1, drawn. */
    case Bar;
    case Count;
    case Bytes;
    case Microseconds;
    case Nanoseconds;
    /** Microseconds that may be days. */
    case Age;
    /** "1.20". */
    case Ratio;
    /** "1.20", "< 0.01", "1 234". */
    case Hours;
    /** A part of 1: "12.3 %". */
    case Percent;
    /** The unit of the metric that the row names as `metric`, for a table with a row per metric. */
    case OfMetric;
    /** A time, in seconds since 1970: "2026-11-21 14:30:07", in programs' rows too. */
    case Moment;
    /** A time without its seconds: "2026-11-21 14:30". */
    case Minute;

    /** Units of words that are the same however long they are. */
    private const WHOLE = [self::Symbol, self::Path, self::Branch, self::Nested, self::Marked, self::Line, self::Id];

    /** Bytes of a text that is shown: other programs may have written longer ones into a store. */
    private const LONGEST = 1000;

    /** @param string $metric as in profiles: "wt", "excl_mu", "ct" */
    public static function ofMetric(string $metric): self
    {
        return self::fromWord(Metrics::unit($metric));
    }

    /** @param 'us'|'bytes'|'count' $word */
    public static function fromWord(string $word): self
    {
        return match ($word) {
            'us' => self::Microseconds,
            'bytes' => self::Bytes,
            'count' => self::Count,
        };
    }

    public function isWords(): bool
    {
        return in_array($this, [
            self::Name, self::Symbol, self::Text, self::Mark, self::Line, self::Path, self::Branch, self::Nested, self::Marked,
            self::Id,
        ], true);
    }

    /** The value for people: "1.2 ms", "3 021"; "-" where it is not known. */
    public function text(string|int|float|bool|null $value): string
    {
        return match (true) {
            $value === null => '-',
            is_bool($value) => $value ? 'stands out' : '',
            is_string($value) => in_array($this, self::WHOLE, true)
                ? PlainText::printable($value)
                : VisibleName::text($value, self::LONGEST),
            default => match ($this) {
                self::Microseconds => Units::us($value),
                self::Nanoseconds => Units::us($value / 1000),
                self::Age => Units::age((int) ($value / 1_000_000)),
                self::Bytes => Units::bytes($value),
                self::Ratio => number_format($value, 2, '.', ' '),
                self::Hours => match (true) {
                    $value > 0 && $value < 0.01 => '< 0.01',
                    $value < 100 => number_format($value, 2, '.', ' '),
                    default => Units::count((int) round($value)),
                },
                self::Percent, self::Bar => abs($value) < 10
                    ? Units::percent($value, 1)
                    : Units::count((int) round(100 * $value)) . ' %',
                self::Moment => date('Y-m-d H:i:s', (int) $value),
                self::Minute => date('Y-m-d H:i', (int) $value),
                default => Units::count($value),
            },
        };
    }

    public function isTime(): bool
    {
        return $this === self::Moment || $this === self::Minute;
    }

    /** The value for programs: as it is, or a time in words. */
    public function plain(string|int|float|bool|null $value): string|int|float|bool|null
    {
        return $value !== null && $this->isTime() ? $this->text($value) : $value;
    }

    /** The whole value, where text() rounds it: "46 912 µs", "1 024 bytes"; '' elsewhere. */
    public function exact(int|float $value): string
    {
        return in_array($this, [self::Microseconds, self::Nanoseconds, self::Bytes], true) ? $this->whole($value) : '';
    }

    /** "46 912 µs", "1 024 bytes", "3"; "0.333" in a mean. */
    public function whole(int|float $value): string
    {
        $value = $this === self::Nanoseconds ? $value / 1000 : $value;
        // Three decimals: the rest of a mean is less than a nanosecond.
        $text = is_int($value) ? Units::count($value) : rtrim(rtrim(number_format($value, 3, '.', ' '), '0'), '.');

        return $text . match ($this) {
            self::Microseconds, self::Nanoseconds => ' µs',
            self::Bytes => abs($value) == 1 ? ' byte' : ' bytes',
            default => '',
        };
    }

    /** A change in whole values, for tooltips: "Wall time: 10 µs before, 40 µs after, change +30 µs". */
    public function changeWords(string $label, int|float $before, int|float $after): string
    {
        $isWhole = in_array($this, [self::Microseconds, self::Nanoseconds, self::Bytes, self::Count], true);
        $words = fn (int|float $value): string => $isWhole ? $this->whole($value) : $this->text($value);
        $change = ($after > $before ? '+' : '') . $words($after - $before);

        return "$label: {$words($before)} before, {$words($after)} after, change $change";
    }

    /** A difference: as text(), with a sign where it grew, and "=" for none. */
    public function change(int|float $value): string
    {
        return $value == 0 ? '=' : ($value > 0 ? '+' : '') . $this->text($value);
    }
}
