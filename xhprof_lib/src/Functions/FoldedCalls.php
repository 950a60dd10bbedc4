<?php

declare(strict_types=1);

namespace XHProf\Functions;

use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;

/**
 * Calls between functions, with the levels of a recursion (f, f@1, f@2) as one function.
 *
 * @internal
 *
 * @phpstan-type Row  array<string, int|float>
 * @phpstan-type Call array{from: string, to: string, row: Row, way_in: bool}
 */
final class FoldedCalls
{
    /**
     * @param list<Call> $calls none of a function to itself; `way_in` is false for a caller that calls it only while it runs
     *     already
     * @param array<string, array<string, int|float>> $inner function => callers while it was running, and their calls
     */
    private function __construct(
        public readonly array $calls,
        public readonly array $inner,
    ) {
    }

    /**
     * @param string|null $symbol only calls by this function and of it
     */
    public static function fold(Profile $profile, ?string $symbol = null): self
    {
        $blank = ['ct' => 0] + array_fill_keys($profile->metrics(), 0);
        $calls = new Recursion();
        $ends = [];
        $inner = [];
        foreach ($profile->sums() as $key => $row) {
            [$caller, $callee] = EdgeKey::parse($key);
            [$from, $to] = [$caller === null ? null : Recursion::base($caller), Recursion::base($callee)];
            if ($symbol !== null && $from !== $symbol && $to !== $symbol) {
                continue;
            }
            if ($from === null) {
                continue;
            }
            $level = Recursion::level($callee);
            if ($from === $to || $level > 0) {
                $inner[$to][$from] = ($inner[$to][$from] ?? 0) + ($row['ct'] ?? 0);
            }
            if ($from !== $to) {
                $folded = EdgeKey::build($from, $to);
                $calls->add($folded, $level, array_replace($blank, $row));
                $ends[$folded] = [$from, $to];
            }
        }
        $levels = $calls->levels();
        $outermost = [];
        foreach ($ends as $key => [, $to]) {
            $outermost[$to] = min($outermost[$to] ?? PHP_INT_MAX, $levels[$key]);
        }
        $list = [];
        foreach ($calls->rows() as $key => $row) {
            [$from, $to] = $ends[$key];
            $isWayIn = $levels[$key] === $outermost[$to];
            $list[] = ['from' => $from, 'to' => $to, 'row' => $profile->divide($row), 'way_in' => $isWayIn];
        }
        foreach ($inner as $to => $callers) {
            arsort($callers);
            $inner[$to] = $profile->divide($callers);
        }

        return new self($list, $inner);
    }
}
