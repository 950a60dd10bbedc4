<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Profile\CallTreeBuilder;

/** Call trees built path by path. */
final class CallTreeBuilderTest extends TestCase
{
    public function testAPathIsOneNodeAndTheTreeIsInPreorder(): void
    {
        $builder = new CallTreeBuilder();
        [$main, $a, $b] = array_map($builder->name(...), ['main()', 'a', 'b']);
        $root = $builder->node(CallTreeBuilder::NONE, $main);
        self::assertSame($root, $builder->node(CallTreeBuilder::NONE, $a), 'there is one root, whatever it is called');
        $first = $builder->node($root, $a);
        $second = $builder->node($root, $b);
        $below = $builder->node($first, $b);
        self::assertSame([$first, $below, 4], [$builder->node($root, $a), $builder->node($first, $b), $builder->count()]);
        self::assertSame([CallTreeBuilder::NONE, $root, $root, $first], $builder->parents());
        self::assertSame([['main()', 'a', 'b'], [$main, $a, $b, $b]], [$builder->names(), $builder->fn()]);

        $columns = ['ct' => [1, 2, 3, 4], 'self.wt' => [$first => 10.4, $second => 20.6], 'corrected.wt' => [$below => 7]];
        $tree = $builder->tree($columns, static fn (array $column): array
            => array_map(static fn (int|float $figure): int => (int) round($figure), $column));
        self::assertSame([[0, 1, 2, 2], [0, 1, 2, 1], [1, 2, 4, 3]], [$tree->fn, $tree->depth, $tree->ct]);
        self::assertSame([[0, 10, 0, 21], [0, 0, 7, 0]], [$tree->exclusive('wt'), $tree->exclusive('corrected_wt')]);
        self::assertSame(['ct', 'self.wt', 'corrected.wt'], array_keys($tree->columns()));
    }
}
