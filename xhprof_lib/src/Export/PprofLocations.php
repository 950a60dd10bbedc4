<?php

declare(strict_types=1);

namespace XHProf\Export;

/**
 * Locations of a pprof file: a function, and the line that it is at. The location of a function without a line has the number of
 * the function.
 *
 * @internal
 */
final class PprofLocations
{
    /** @var array<int, array<int, int>> function => line => number of the location */
    private array $numbers = [];

    private int $last;

    /** @param int $functions number of functions */
    public function __construct(int $functions)
    {
        $this->last = $functions;
    }

    /**
     * @param int $function from 0
     * @param int $line     0: not known
     */
    public function id(int $function, int $line): int
    {
        return $line === 0 ? $function + 1 : $this->numbers[$function][$line] ??= ++$this->last;
    }

    /** The message of a location. */
    public function of(int $function, int $line): string
    {
        $id = Proto::int(1, $this->id($function, $line));
        $entry = Proto::int(1, $function + 1) . ($line === 0 ? '' : Proto::int(2, $line));

        return Proto::message(4, $id . Proto::message(4, $entry));
    }

    /** @return iterable<string> messages of the locations with a line */
    public function lines(): iterable
    {
        foreach ($this->numbers as $function => $lines) {
            foreach ($lines as $line => $_) {
                yield $this->of($function, $line);
            }
        }
    }
}
