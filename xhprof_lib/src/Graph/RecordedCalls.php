<?php

declare(strict_types=1);

namespace XHProf\Graph;

use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;
use XHProf\Report\FlatReport;
use XHProf\Report\Recursion;

/**
 * Functions and calls of one run by one metric, before a graph is made of them.
 *
 * @internal
 *
 * @phpstan-type Figures array{ct: int|float, incl: int|float, excl: int|float}
 * @phpstan-type Call    array{from: string, to: string, incl: int|float, ct: int|float}
 */
final class RecordedCalls
{
    /**
     * @param array<string, Figures> $functions
     * @param array<string, Call>    $calls     none of a function to itself
     * @param array<string, true>    $recursive functions that called themselves
     */
    private function __construct(
        public readonly array $functions,
        public readonly array $calls,
        public readonly array $recursive,
    ) {
    }

    /**
     * @param bool $fold the levels of a recursion (f, f@1, f@2) as one function
     */
    public static function of(Profile $run, string $metric, bool $fold): self
    {
        $functions = [];
        foreach (FlatReport::of($run)->rows() as $name => $row) {
            $functions[$name] = ['ct' => $row['ct'], 'incl' => $row[$metric] ?? 0, 'excl' => $row["excl_$metric"] ?? 0];
        }
        $calls = [];
        $recursive = [];
        foreach ($run->edges() as $key => $row) {
            [$from, $to] = EdgeKey::parse($key);
            if ($from === $to) {
                $recursive[$to] = true;
            } elseif ($from !== null) {
                $calls[$key] = ['from' => $from, 'to' => $to, 'incl' => $row[$metric] ?? 0, 'ct' => $row['ct'] ?? 0];
            }
        }
        $recorded = new self($functions, $calls, $recursive);

        return $fold ? $recorded->folded() : $recorded;
    }

    private function folded(): self
    {
        $functions = new Recursion();
        $recursive = [];
        foreach ($this->functions as $name => $figures) {
            $functions->add(Recursion::base($name), Recursion::level($name), $figures);
            if (Recursion::level($name) > 0 || isset($this->recursive[$name])) {
                $recursive[Recursion::base($name)] = true;
            }
        }
        $folded = new Recursion();
        $ends = [];
        foreach ($this->calls as ['from' => $caller, 'to' => $callee, 'incl' => $inclusive, 'ct' => $count]) {
            [$from, $to] = [Recursion::base($caller), Recursion::base($callee)];
            if ($from !== $to) {
                $key = EdgeKey::build($from, $to);
                $folded->add($key, Recursion::level($callee), ['incl' => $inclusive, 'ct' => $count]);
                $ends[$key] = ['from' => $from, 'to' => $to];
            }
        }
        $calls = [];
        foreach ($folded->rows() as $key => $row) {
            $calls[$key] = $ends[$key] + ['incl' => $row['incl'], 'ct' => $row['ct']];
        }
        /** @var array<string, Figures> $rows */
        $rows = $functions->rows();

        return new self($rows, $calls, $recursive);
    }
}
