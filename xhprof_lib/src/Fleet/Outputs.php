<?php

declare(strict_types=1);

namespace XHProf\Fleet;

use XHProf\Exception\SendError;

/** The outputs that there are, by the schemes of their addresses. */
final class Outputs
{
    /**
     * An output is a line here: every scheme of its addresses, and what makes it.
     *
     * @return array<string, \Closure(Destination): Output>
     */
    private static function all(): array
    {
        return [
        ];
    }

    /** @return list<string> */
    public static function schemes(): array
    {
        return array_keys(self::all());
    }

    /** @throws SendError if the address is not one of an output */
    public static function of(Destination $to): Output
    {
        $make = self::all()[$to->scheme()]
            ?? throw new SendError('--to takes an address that begins with ' . implode(', ', array_map(
                static fn (string $scheme): string => "$scheme:",
                self::schemes(),
            )));

        return $make($to);
    }
}
