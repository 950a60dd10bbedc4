<?php

declare(strict_types=1);

namespace XHProf\Format;

/** Numbers for other programs to read, with all their digits: a cast takes as many as php.ini's "precision" says, 14 by default. */
final class Decimal
{
    private function __construct()
    {
    }

    /** @return string the shortest that is read as the same number; JSON */
    public static function text(int|float $number): string
    {
        return is_int($number) ? (string) $number : sprintf('%.*H', -1, $number);
    }
}
