<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Metrics;
use XHProf\Profile\Profile;

/**
 * Functions of a callgrind file with their own costs, and their calls of each other with the costs of these: the profile of
 * them.
 *
 * @internal
 */
final class CallgrindCalls
{
    /** Most functions, and most calls of one by another: a gzipped file of a few MB can name tens of millions. */
    private const MAX_CALLS = 1000000;

    /** @var list<string> functions by number */
    private array $names = [];

    /** @var array<string, int> numbers by name, marked by a NUL before it */
    private array $numbers = [];

    /** @var array<int, array<int, int>> function => own costs, by event */
    private array $own = [];

    /** @var array<int, array<int, array{ct: int, costs: array<int, int>}>> caller => callee => costs of the calls, by event */
    private array $calls = [];

    private int $count = 0;

    /**
     * @param list<array{string, int}|null> $metrics        metric and divisor of its costs, per event; null for none
     * @param bool                          $hidesFreed whether memory that a function freed is 0 in its own costs, but not in
     *     those of its calls
     * @param bool                          $hasAllCalls whether a function has not been called more often than its callers did
     */
    public function __construct(
        private readonly array $metrics,
        private readonly bool $hidesFreed,
        private readonly bool $hasAllCalls,
    ) {
    }

    /**
     * @param array<int, int> $costs
     *
     * @throws InvalidProfile
     */
    public function spent(string $function, array $costs): void
    {
        $number = $this->number($function);
        $this->own[$number] = self::added($this->own[$number] ?? [], $costs);
    }

    /**
     * @param array<int, int> $costs
     *
     * @throws InvalidProfile
     */
    public function called(string $caller, string $callee, int $calls, array $costs): void
    {
        $from = $this->number($caller);
        $to = $this->number($callee);
        $call = $this->calls[$from][$to] ?? null;
        if ($call === null && ++$this->count > self::MAX_CALLS) {
            throw new InvalidProfile('the file has too many calls');
        }
        $this->calls[$from][$to] = [
            'ct' => self::sum($call['ct'] ?? 0, $calls),
            'costs' => self::added($call['costs'] ?? [], $costs),
        ];
    }

    public function isEmpty(): bool
    {
        return $this->names === [];
    }

    /** @return int the sum of the functions' own costs */
    public function total(int $event): int
    {
        $total = 0;
        foreach ($this->own as $costs) {
            $total = self::sum($total, $costs[$event] ?? 0);
        }

        return $total;
    }

    /**
     * @throws InvalidProfile
     */
    public function profile(): Profile
    {
        $main = $this->number(FrameName::MAIN);
        $edges = [];
        $top = ['ct' => 1];
        foreach ($this->calls as $from => $callees) {
            foreach ($callees as $to => $call) {
                $edges[$this->key($from, $to)] = ['ct' => $call['ct']];
            }
        }
        foreach ($this->metrics as $event => $metric) {
            if ($metric === null) {
                continue;
            }
            $own = array_map(static fn (array $costs): int => $costs[$event] ?? 0, $this->own);
            $calls = array_map(static fn (array $callees): array => array_map(
                static fn (array $call): int => $call['costs'][$event] ?? 0,
                $callees,
            ), $this->calls);
            $flow = $this->hidesFreed && Metrics::isSigned($metric[0])
                ? CallgrindFlow::ofCalls($own, $calls)
                : CallgrindFlow::ofOwn($own, $calls, $metric[1], $main);
            foreach ($flow->calls as $from => $callees) {
                foreach ($callees as $to => $cost) {
                    $edges[$this->key($from, $to)][$metric[0]] = $cost;
                }
            }
            foreach ($flow->begun as $function => $cost) {
                // main() has no caller; what has none, like a shutdown function, is put below it.
                if ($function !== $main) {
                    $key = $this->key($main, $function);
                    $edges[$key] ??= ['ct' => $this->hasAllCalls ? 0 : 1];
                    $edges[$key][$metric[0]] = ($edges[$key][$metric[0]] ?? 0) + $cost;
                }
            }
            $top[$metric[0]] = array_sum($flow->begun);
        }

        return Profile::fromEdges([FrameName::MAIN => $top] + $edges);
    }

    private function key(int $from, int $to): string
    {
        return EdgeKey::build($this->names[$from], $this->names[$to]);
    }

    private function number(string $name): int
    {
        $number = $this->numbers["\0$name"] ??= count($this->names);
        if ($number === count($this->names)) {
            $this->names[] = $name;
            if ($number > self::MAX_CALLS) {
                throw new InvalidProfile('the file has too many functions');
            }
        }

        return $number;
    }

    /**
     * @param array<int, int> $costs
     * @param array<int, int> $more
     *
     * @return array<int, int>
     */
    private static function added(array $costs, array $more): array
    {
        foreach ($more as $event => $cost) {
            $costs[$event] = self::sum($costs[$event] ?? 0, $cost);
        }

        return $costs;
    }

    private static function sum(int $a, int $b): int
    {
        $sum = $a + $b;

        // Numbers of 18 digits: the sum cannot have left the integers before this check.
        return abs($sum) < 1 << 61 ? $sum : throw new InvalidProfile('the costs are too large to be added up');
    }
}
