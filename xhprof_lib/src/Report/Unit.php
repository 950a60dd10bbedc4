<?php

declare(strict_types=1);

namespace XHProf\Report;

use XHProf\Format\Units;
use XHProf\Format\VisibleName;

/** Unit of a value, which decides how people read it. */
enum Unit
{
    /** A function, a route, a host: shortened where there is no room. */
    case Name;
    /** Other words. */
    case Text;
    /** true is written out, false is nothing. */
    case Mark;
    case Count;
    case Bytes;
    case Microseconds;
    case Nanoseconds;
    /** Microseconds that may be days. */
    case Age;
    /** "1.20". */
    case Ratio;

    /** Bytes of a text that is shown: other programs may have written longer ones into a store. */
    private const LONGEST = 1000;

    public function isWords(): bool
    {
        return $this === self::Name || $this === self::Text || $this === self::Mark;
    }

    /** The value for people: "1.2 ms", "3 021"; "-" where it is not known. */
    public function text(string|int|float|bool|null $value): string
    {
        return match (true) {
            $value === null => '-',
            is_bool($value) => $value ? 'stands out' : '',
            is_string($value) => VisibleName::text($value, self::LONGEST),
            default => match ($this) {
                self::Microseconds => Units::us($value),
                self::Nanoseconds => Units::us($value / 1000),
                self::Age => Units::age((int) ($value / 1_000_000)),
                self::Bytes => Units::bytes($value),
                self::Ratio => number_format($value, 2, '.', ' '),
                default => Units::count($value),
            },
        };
    }
}
