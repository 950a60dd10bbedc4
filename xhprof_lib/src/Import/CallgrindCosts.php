<?php

declare(strict_types=1);

namespace XHProf\Import;

/**
 * Lines of numbers in a callgrind file: positions, then costs. Both may be relative to the line of numbers before: "*" is the same,
 * "+3" and "-3" are the difference. The format has that for positions; some writers have it for costs too, in files where "-3" as
 * a cost would be freed memory otherwise.
 *
 * @internal
 */
final class CallgrindCosts
{
    /** 2^64, which Xdebug 2 adds to freed memory: its upper digits, and its nine lower ones. */
    private const WRAPPED = [18446744073, 709551616];

    private const LARGEST = 1 << 60;

    private int $positions = 1;

    /** @var list<int> of the line before */
    private array $last = [];

    /** Whether the file has relative numbers: then "-3" is one too. */
    private bool $isRelative = false;

    /** @param int $count of positions at the beginning of each line */
    public function positions(int $count): void
    {
        $this->positions = max(1, $count);
    }

    /**
     * @return list<int>|null costs per event; missing ones at the end are 0; null if the line has other things than numbers
     */
    public function of(string $line): ?array
    {
        $costs = [];
        $positions = $this->positions;
        foreach (explode(' ', rtrim(strtr($line, "\t", ' '))) as $word) {
            if ($word === '') {
                continue;
            }
            if ($positions-- > 0) {
                // No position is below 0.
                $this->isRelative = $this->isRelative || strspn($word, '+-*', 0, 1) === 1;
                continue;
            }
            if (count($costs) === CallgrindEvents::MAX) {
                break;
            }
            $cost = ctype_digit($word) && strlen($word) <= 18 ? (int) $word : $this->cost($word, count($costs));
            if ($cost === null) {
                return null;
            }
            $costs[] = $cost;
        }
        if ($positions > 0) {
            return null;
        }
        // A line of a jump has none.
        $this->last = $costs === [] ? $this->last : $costs;

        return $costs;
    }

    /** @return int|null null if it is no number, or too large */
    public static function number(string $word): ?int
    {
        if (preg_match('/\A-?[0-9]{1,18}\z/', $word) === 1) {
            return (int) $word;
        }
        if (preg_match('/\A0[xX][0-9a-fA-F]{1,15}\z/', $word) === 1) {
            return (int) hexdec($word);
        }
        if (preg_match('/\A([0-9]{10,11})([0-9]{9})\z/', $word, $match) !== 1) {
            return null;
        }
        $number = ((int) $match[1] - self::WRAPPED[0]) * 1000000000 + (int) $match[2] - self::WRAPPED[1];

        return $number < 0 && $number > -1000000000000000000 ? $number : null;
    }

    private function cost(string $word, int $event): ?int
    {
        $isMore = $word === '*' || $word[0] === '+';
        $this->isRelative = $this->isRelative || $isMore;
        if (!$isMore && !($this->isRelative && $word[0] === '-')) {
            return self::number($word);
        }
        $difference = $word === '*' ? 0 : self::number($word[0] === '+' ? substr($word, 1) : $word);
        $cost = $difference === null ? null : ($this->last[$event] ?? 0) + $difference;

        return $cost === null || abs($cost) > self::LARGEST ? null : $cost;
    }
}
