<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** A failure in a suite, for the list at the end of a run. */
final class Failure
{
    private const LINES = 4;
    private const WIDTH = 160;

    /** @var list<string> a few lines of details */
    public readonly array $details;

    /**
     * @param string $name of the test, or the problem of the whole suite
     * @param list<string> $details of any number
     */
    public function __construct(public readonly string $name, array $details = [])
    {
        $details = array_filter($details, static fn(string $line): bool => trim($line) !== '');
        $this->details = array_map(
            static fn(string $line): string => strlen($line) > self::WIDTH ? substr($line, 0, self::WIDTH) . ' ...' : $line,
            array_slice(array_values($details), 0, self::LINES),
        );
    }
}
