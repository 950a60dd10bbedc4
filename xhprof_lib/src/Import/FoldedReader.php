<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Profile\Metrics;

/**
 * Folded stacks: "a;b;c 123" per line. The file does not name the unit of the numbers: samples, unless another unit is given.
 * Lines of comment begin with "# ".
 */
final class FoldedReader implements Reader
{
    public const NAME = 'folded';
    public const LABEL = 'Folded stacks';

    /** Metric and factor by unit. */
    private const UNITS = [
        'samples' => ['samples', 1],
        'ns' => ['wt', 1],
        'us' => ['wt', 1000],
        'ms' => ['wt', 1000000],
        'bytes' => ['mu', 1],
    ];

    private const LONGEST_LINE = 4 << 20;

    private const STACK = '/\A(.*[^ \t])[ \t]+(-?[0-9]{1,19}(?:\.[0-9]{0,9}[0-9]*)?(?:[eE][+-]?[0-9]{1,2})?)\s*\z/s';

    /** Two numbers: of the profile before and the one after. */
    private const COMPARED = '/[ \t][0-9.]+[ \t]+-?[0-9.]+\s*\z/';

    private const COMMENT = '/\A#(?:[ \t!]|\z)/';

    private const JSON = '/\A\s*[{\[]\s*(?:["{\[\]}]|-?[0-9.eE+-]+\s*[,\]]|(?:true|false|null)\s*[,\]]|\z)/';

    /** Lines by which a file is recognized. */
    private const SEEN = 20;

    /** Bytes from which on the head may be cut: in UTF-16 they were twice as many. */
    private const CUT = (InputFile::HEAD >> 1) - 2;

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

    /** The first line is a stack, or most of the first ones are, or there is one that is longer than the head. */
    public function recognizes(string $head): bool
    {
        if (preg_match('/[\x00-\x08\x0E-\x1F]/', $head) === 1 || preg_match(self::JSON, $head) === 1) {
            return false;
        }
        $lines = explode("\n", $head, self::SEEN + 1);
        $rest = array_pop($lines);
        // The last line may be cut.
        $lines[] = strlen($head) < self::CUT ? strtok("$rest\n", "\n") ?: '' : '';
        $stacks = $others = 0;
        $isFirst = false;
        foreach ($lines as $line) {
            $line = rtrim($line, "\r");
            if ($line !== '' && preg_match(self::COMMENT, $line) !== 1) {
                preg_match(self::STACK, $line) === 1 ? $stacks++ : $others++;
                $isFirst = $isFirst || ($stacks === 1 && $others === 0);
            }
        }

        $isLong = $stacks + $others === 0 && strlen($head) >= self::CUT;

        // "<main>", "[unknown]" and "{main}" begin stacks, but also other texts.
        $isOther = preg_match('/\A\s*[{\[<]/', $head) === 1;

        return $isFirst || ($stacks > $others && !$isOther) || ($isLong && str_contains($head, ';'));
    }

    public function read(InputFile $file): iterable
    {
        [$metric, $factor] = self::UNITS[$this->unit];
        $tree = new PathTree();
        $skipped = new SkippedLines();
        $isCompared = self::isCompared($file->head());
        $used = 0;
        foreach ($file->lines(self::LONGEST_LINE, $skipped) as $number => $line) {
            if (trim($line) === '' || preg_match(self::COMMENT, $line) === 1) {
                continue;
            }
            $isStack = preg_match(self::STACK, $line, $match) === 1 && abs((float) $match[2]) < 1e15
                // Memory may have been given back.
                && ((float) $match[2] >= 0 || Metrics::isSigned($metric));
            if (!$isStack) {
                $skipped->add($number, $line);
                continue;
            }
            $stack = $isCompared ? (string) preg_replace('/[ \t]+[0-9.]+\z/', '', $match[1]) : $match[1];
            // The outermost frame of some tools has no name: it is the program.
            $node = $tree->path(explode(';', ltrim($stack, ';')));
            $tree->add($metric, $node, (float) $match[2] * $factor);
            $tree->addCalls($node, 1);
            $used++;
        }
        if ($used === 0 && $skipped->count() > 0) {
            throw new InvalidProfile("no line is a stack with a number at its end: {$skipped->examples()}");
        }

        $notes = $isCompared ? ['the first number of each line: the file compares two profiles, and the second one is read'] : [];

        yield '' => ImportedRun::ofTree($tree->tree(), [], [...$notes, ...$skipped->notes()]);
    }

    /** Whether it is the output of difffolded.pl, or of inferno-diff-folded: all lines have two numbers. */
    private static function isCompared(string $head): bool
    {
        $compared = 0;
        foreach (array_slice(explode("\n", $head, self::SEEN + 1), 0, self::SEEN) as $line) {
            if (preg_match(self::STACK, $line) === 1) {
                if (preg_match(self::COMPARED, $line) !== 1) {
                    return false;
                }
                $compared++;
            }
        }

        return $compared > 1 && str_contains($head, ';');
    }
}
