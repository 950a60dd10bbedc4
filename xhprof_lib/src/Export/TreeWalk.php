<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Profile\CallTree;

/**
 * Lays a call tree out on a line: each call path once, as long as its inclusive value, callees in the order of their
 * first calls, the function's exclusive value after them. This is no timeline, but it nests as one does.
 */
final class TreeWalk
{
    /**
     * @param list<int> $self value per node; values below 0 have no length
     *
     * @return iterable<array{0: 'O'|'C', 1: int, 2: int}> opened or closed, the node, where
     */
    public static function events(CallTree $tree, array $self): iterable
    {
        $at = 0;
        /** @var list<int> $open */
        $open = [];
        foreach ($tree->depth as $node => $depth) {
            while (count($open) > $depth && ($left = array_pop($open)) !== null) {
                $at += max(0, $self[$left]);
                yield ['C', $left, $at];
            }
            $open[] = $node;
            yield ['O', $node, $at];
        }
        while (($left = array_pop($open)) !== null) {
            $at += max(0, $self[$left]);
            yield ['C', $left, $at];
        }
    }

    /**
     * @param list<int> $self
     *
     * @return int how long all of it is
     */
    public static function length(array $self): int
    {
        $length = 0;
        foreach ($self as $value) {
            $length += max(0, $value);
        }

        return $length;
    }
}
