<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Graph\CallGraph;
use XHProf\Graph\GraphEdge;
use XHProf\Graph\GraphNode;
use XHProf\Graph\GraphOptions;
use XHProf\Profile\InternalFunctions;
use XHProf\Profile\Profile;

/** What a call graph shows is the same here and in the browser: tests/js/graph.test.mjs reads the same cases. */
final class GraphRuleTest extends TestCase
{
    /** @return array<string, array{array<string, mixed>}> */
    public static function cases(): array
    {
        $cases = json_decode((string) file_get_contents(__DIR__ . '/Support/graph-rule.json'), true, 16, JSON_THROW_ON_ERROR);

        return array_combine(array_column($cases, 'name'), array_map(static fn (array $case): array => [$case], $cases));
    }

    /** @param array<string, mixed> $case */
    #[DataProvider('cases')]
    public function testTheRule(array $case): void
    {
        $options = new GraphOptions(
            metric: 'wt',
            threshold: $case['options']['threshold'] ?? 0.01,
            criticalPath: $case['options']['critical'] ?? true,
            maxNodes: $case['options']['maxNodes'] ?? 120,
            minEdge: $case['options']['minEdge'] ?? 0.005,
            foldRecursion: $case['options']['fold'] ?? false,
        );
        $run = Profile::fromEdges($case['edges']);
        $graph = isset($case['before'])
            ? CallGraph::ofDiff(Profile::fromEdges($case['before']), $run, $options)
            : CallGraph::of($run, $options);
        self::assertSame($case['total'], $graph->total);
        self::assertSame($case['nodes'], array_values(array_map(static fn (GraphNode $node): array => [
            $node->name,
            ...self::figures($node->now),
            ...($node->before === null ? [] : self::figures($node->before)),
            $node->recursive,
            $node->callers,
            $node->callees,
        ], $graph->nodes)));
        self::assertSame($case['calls'], array_map(
            static fn (GraphEdge $edge): array => array_values(get_object_vars($edge)),
            $graph->edges,
        ));
    }

    public function testExclusiveFiguresAddUpHoweverRecursionIsShown(): void
    {
        foreach (self::cases() as $name => [$case]) {
            foreach ([true, false] as $fold) {
                $options = new GraphOptions(metric: 'wt', threshold: 0.0, maxNodes: 1000, foldRecursion: $fold);
                $nodes = CallGraph::of(Profile::fromEdges($case['edges']), $options)->nodes;
                $own = array_sum(array_map(static fn (GraphNode $node): int|float => $node->now['excl'], $nodes));
                self::assertSame($case['edges']['main()']['wt'], $own, $name);
            }
        }
    }

    public function testInternalFunctionsAreTheEnginesNotThePrograms(): void
    {
        $names = [
            'strlen', 'App\strlen', 'ArrayObject::count', 'ArrayObject::count@2', 'PDO::nope', 'main()', 'strlen@1',
            'array_map#x', 'load::a.php', self::class . '::cases', 'Countable::count', 'nope', "strlen\n", '',
        ];
        self::assertSame([0, 2, 3, 6, 7, 10], InternalFunctions::among($names));
    }

    /**
     * @param array{ct: int|float, incl: int|float, excl: int|float} $figures
     *
     * @return list<int|float>
     */
    private static function figures(array $figures): array
    {
        return [$figures['incl'], $figures['excl'], $figures['ct']];
    }
}
