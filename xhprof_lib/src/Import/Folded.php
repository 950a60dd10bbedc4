<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;

/** Folded stacks: "a;b;c 123" per line. The file does not name the unit of the numbers: samples, unless another unit is given. */
final class Folded implements Reader
{
    /** Metric and factor by unit. */
    private const UNITS = [
        'samples' => ['samples', 1],
        'ns' => ['wt', 1],
        'us' => ['wt', 1000],
        'ms' => ['wt', 1000000],
        'bytes' => ['mu', 1],
    ];

    private const LONGEST_LINE = 4 << 20;

    /**
     * @param key-of<self::UNITS> $unit
     */
    public function __construct(private readonly string $unit = 'samples')
    {
    }

    /**
     * @return list<key-of<self::UNITS>>
     */
    public static function units(): array
    {
        return array_keys(self::UNITS);
    }

    public function name(): string
    {
        return 'folded';
    }

    public function label(): string
    {
        return 'Folded stacks';
    }

    public function recognizes(string $head): bool
    {
        $line = strstr($head, "\n", true);

        return preg_match('/\A[^\s{#][^\x00-\x08\x0E-\x1F]* [0-9]+(?:\.[0-9]+)?\s*\z/', $line === false ? $head : $line) === 1;
    }

    public function read(InputFile $file): iterable
    {
        [$metric, $factor] = self::UNITS[$this->unit];
        $tree = new PathTree();
        foreach ($file->lines(self::LONGEST_LINE) as $number => $line) {
            if ($line === '') {
                continue;
            }
            if (preg_match('/\A(.+) ([0-9]{1,15}(?:\.[0-9]{1,9})?)\s*\z/s', $line, $match) !== 1) {
                throw new InvalidProfile("line $number is not a stack with a number at its end");
            }
            $node = $tree->path(explode(';', $match[1]));
            $tree->add($metric, $node, (float) $match[2] * $factor);
            $tree->addCalls($node, 1);
        }
        $made = $tree->tree();

        yield '' => new ImportedRun($made->toEdges(), $made);
    }
}
