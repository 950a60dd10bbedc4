<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Graph\CallGraph;
use XHProf\Graph\GraphEdge;
use XHProf\Graph\GraphNode;
use XHProf\Graph\GraphOptions;
use XHProf\Graph\RecordedCalls;
use XHProf\Profile\InternalFunctions;
use XHProf\Profile\Profile;

/** The functions and calls that a call graph shows, and the transformations of a run before that choice. */
final class GraphRuleTest extends TestCase
{
    private const EDGES = [
        'main()' => ['ct' => 1, 'wt' => 1000],
        'main()==>load' => ['ct' => 1, 'wt' => 300],
        'main()==>save' => ['ct' => 1, 'wt' => 600],
        'load==>array_map' => ['ct' => 1, 'wt' => 100],
        'save==>array_map' => ['ct' => 3, 'wt' => 300],
        'array_map==>format' => ['ct' => 40, 'wt' => 200],
        'array_map==>strlen' => ['ct' => 8, 'wt' => 40],
        'format==>strlen' => ['ct' => 4, 'wt' => 20],
    ];

    /** Functions that call each other. */
    private const MUTUAL = [
        'main()' => ['ct' => 1, 'wt' => 1000],
        'main()==>walk' => ['ct' => 1, 'wt' => 900],
        'walk==>visit' => ['ct' => 3, 'wt' => 600],
        'visit==>walk@1' => ['ct' => 3, 'wt' => 500],
        'walk@1==>visit@1' => ['ct' => 5, 'wt' => 300],
        'visit@1==>walk@2' => ['ct' => 2, 'wt' => 100],
        'visit@1==>leaf' => ['ct' => 9, 'wt' => 90],
        'main()==>visit' => ['ct' => 1, 'wt' => 50],
        'visit==>visit' => ['ct' => 2, 'wt' => 20],
        'walk@1==>leaf' => ['ct' => 4, 'wt' => 40],
    ];

    public function testLevelsOfRecursionAsOneFunction(): void
    {
        $graph = CallGraph::ofProfile(Profile::fromEdges(self::MUTUAL), new GraphOptions(threshold: 0.0, foldRecursion: true));
        self::assertSame([
            'main()' => [1000, 50, 1, false],
            'walk' => [900, 560, 6, true],
            'visit' => [650, 260, 11, true],
            'leaf' => [130, 130, 13, false],
        ], array_map(static fn (GraphNode $node): array => [...self::row($node->now), $node->recursive], $graph->nodes));
        self::assertSame([
            'main()>walk 900 critical',
            'walk>visit 600 critical',
            'visit>walk 500',
            'visit>leaf 90',
            'main()>visit 50',
            'walk>leaf 40',
        ], self::edges($graph));
    }

    public function testTwoRuns(): void
    {
        $before = [
            'main()==>a' => ['ct' => 2, 'wt' => 600],
            'a==>b' => ['ct' => 4, 'wt' => 200],
            'a==>c' => ['ct' => 3, 'wt' => 120],
            'main()' => ['ct' => 1, 'wt' => 1000],
        ];
        $now = [
            'main()==>a' => ['ct' => 2, 'wt' => 650],
            'a==>b' => ['ct' => 4, 'wt' => 200],
            'a==>d' => ['ct' => 7, 'wt' => 70],
            'main()' => ['ct' => 1, 'wt' => 1010],
        ];
        $graph = CallGraph::ofDiff(Profile::fromEdges($before), Profile::fromEdges($now), new GraphOptions(threshold: 0.0));
        self::assertSame(1010, $graph->total);
        self::assertSame([
            'main()' => [1010, 360, 1, 1000, 400, 1],
            'a' => [650, 380, 2, 600, 280, 2],
            'b' => [200, 200, 4, 200, 200, 4],
            'c' => [0, 0, 0, 120, 120, 3],
            'd' => [70, 70, 7, 0, 0, 0],
        ], array_map(
            static fn (GraphNode $node): array => [...self::row($node->now), ...self::row($node->before ?? self::fail())],
            $graph->nodes,
        ));
        self::assertSame(['main()>a 50 critical', 'a>b 0 critical', 'a>c -120', 'a>d 70'], self::edges($graph));
        self::assertSame([[600, 2], [200, 4], [120, 3], [0, 0]], array_map(
            static fn (GraphEdge $edge): array => [$edge->before, $edge->callsBefore],
            $graph->edges,
        ));
        $around = CallGraph::ofDiff(Profile::fromEdges($before), Profile::fromEdges($now), new GraphOptions(focus: 'd'));
        self::assertSame(['a', 'd', 'main()'], array_keys($around->nodes), 'nothing is around it in the first');
        self::assertEquals([0, 70], [$around->nodes['a']->before['incl'] ?? null, $around->nodes['a']->now['incl']]);
    }

    public function testAFunctionThatNoDrawnCallReachesHangsOnWhoLeadsToIt(): void
    {
        // 20 helpers each call "deep": heavy itself, through light ones only.
        $edges = ['main()' => ['ct' => 1, 'wt' => 100]];
        for ($i = 0; $i < 20; $i++) {
            $edges["main()==>helper$i"] = ['ct' => 1, 'wt' => 3];
            $edges["helper$i==>deep"] = ['ct' => 1, 'wt' => 2];
        }
        $graph = CallGraph::ofProfile(Profile::fromEdges($edges), new GraphOptions(threshold: 0.1, criticalPath: false));
        self::assertSame(['main()', 'deep'], array_keys($graph->nodes));
        self::assertSame([], $graph->edges);
        self::assertSame([['main()', 'deep']], $graph->vias);
        self::assertSame([20, 22], [$graph->nodes['deep']->callers, $graph->functions]);
    }

    public function testTwoFunctionsThatOnlyCallEachOtherHangOnWhoLeadsToThem(): void
    {
        $graph = CallGraph::ofProfile(Profile::fromEdges([
            'main()' => ['ct' => 1, 'wt' => 100],
            'main()==>light' => ['ct' => 1, 'wt' => 9],
            'light==>walk' => ['ct' => 1, 'wt' => 8],
            'walk==>visit' => ['ct' => 1, 'wt' => 60],
            'visit==>walk@1' => ['ct' => 9, 'wt' => 50],
            'main()==>other' => ['ct' => 1, 'wt' => 50],
            'other==>walk' => ['ct' => 1, 'wt' => 1],
            'main()==>walk' => ['ct' => 1, 'wt' => 7],
        ]), new GraphOptions(threshold: 0.12, criticalPath: false, minEdge: 0.3, foldRecursion: true));
        self::assertSame(['main()', 'visit', 'other', 'walk'], array_keys($graph->nodes));
        self::assertSame(['walk>visit 60', 'main()>other 50', 'visit>walk 50'], self::edges($graph));
        self::assertSame([['main()', 'visit']], $graph->vias);
    }

    public function testWhatHiddenFunctionsTookIsTheirCallersByTheTimeOfTheCalls(): void
    {
        $hidden = self::recorded(self::EDGES)->without(InternalFunctions::has(...));
        // array_map took 160 itself and 40 in strlen: a quarter of that is load's, and of its calls of format.
        self::assertEquals([
            'main()' => ['ct' => 1, 'incl' => 1000, 'excl' => 100],
            'load' => ['ct' => 1, 'incl' => 300, 'excl' => 250],
            'save' => ['ct' => 1, 'incl' => 600, 'excl' => 450],
            'format' => ['ct' => 40, 'incl' => 200, 'excl' => 200],
        ], $hidden->functions);
        self::assertEquals([
            'main()==>load' => 300,
            'main()==>save' => 600,
            'load==>format' => 50,
            'save==>format' => 150,
        ], array_map(static fn (array $call): int|float => $call['incl'], $hidden->calls));
    }

    public function testAFunctionBetweenTooManyCallersAndCalleesIsNotHidden(): void
    {
        $edges = ['main()' => ['ct' => 1, 'wt' => 1000]];
        foreach (range(1, 500) as $i) {
            $edges["main()==>caller$i"] = $edges["caller$i==>array_map"] = ['ct' => 1, 'wt' => 2];
        }
        foreach (range(1, 401) as $i) {
            $edges["array_map==>callee$i"] = ['ct' => 1, 'wt' => 2];
        }
        self::assertCount(1401, self::recorded($edges)->without(InternalFunctions::has(...))->calls);
        unset($edges['array_map==>callee401']);
        $hidden = self::recorded($edges)->without(InternalFunctions::has(...));
        self::assertCount(500 + 500 * 400, $hidden->calls);
        self::assertArrayNotHasKey('array_map', $hidden->functions);
    }

    public function testHiddenFunctionsThatCallTheirCallerBackTakeNothingAway(): void
    {
        $hidden = self::recorded([
            'main()' => ['ct' => 1, 'wt' => 100],
            'main()==>walk' => ['ct' => 1, 'wt' => 100],
            'walk==>array_map' => ['ct' => 1, 'wt' => 80],
            'array_map==>walk@1' => ['ct' => 5, 'wt' => 60],
            'walk@1==>array_map@1' => ['ct' => 1, 'wt' => 20],
        ])->without(InternalFunctions::has(...));
        self::assertEquals([
            'main()' => ['ct' => 1, 'incl' => 100, 'excl' => 0],
            'walk' => ['ct' => 6, 'incl' => 100, 'excl' => 100],
        ], $hidden->functions);
        self::assertSame(['main()==>walk'], array_keys($hidden->calls));
    }

    public function testAroundAFunctionCallersAndCalleesAreInProportion(): void
    {
        $part = self::recorded(self::EDGES)->around('load');
        $names = array_keys($part->functions);
        sort($names);
        self::assertSame(['array_map', 'format', 'load', 'main()', 'strlen'], $names);
        self::assertEquals(['ct' => 1, 'incl' => 300, 'excl' => 200], $part->functions['load']);
        self::assertEquals(['ct' => 0, 'incl' => 300, 'excl' => 0], $part->functions['main()']);
        // A quarter of array_map, of which half is format.
        self::assertEquals(['ct' => 1, 'incl' => 100, 'excl' => 40], $part->functions['array_map']);
        self::assertEqualsWithDelta(50, $part->functions['format']['incl'], 1e-6);
        self::assertEqualsWithDelta(10 + 5, $part->functions['strlen']['incl'], 1e-6);
        self::assertSame(300, $part->base);
        $graph = CallGraph::ofProfile(Profile::fromEdges(self::EDGES), new GraphOptions(focus: 'load'));
        self::assertSame(['load', 1000], [$graph->focus, $graph->total]);
        $missing = CallGraph::ofProfile(Profile::fromEdges(self::EDGES), new GraphOptions(focus: 'nope'));
        self::assertNull($missing->focus);
        self::assertCount(6, $missing->nodes);
    }

    public function testAroundOneOfTwoThatCallEachOtherThereIsNoMoreThanThereIs(): void
    {
        $whole = self::recorded(self::MUTUAL);
        $part = $whole->around('visit');
        foreach ($part->functions as $name => $figures) {
            self::assertLessThanOrEqual($whole->functions[$name]['incl'] + 1e-6, $figures['incl'], $name);
        }
        self::assertEquals($whole->functions['visit'], $part->functions['visit']);
    }

    public function testNothingIsLostAndNothingPointsNowhereWhateverCallsWhat(): void
    {
        for ($seed = 1; $seed <= 60; $seed++) {
            mt_srand($seed);
            $edges = ['main()' => ['ct' => 1, 'wt' => 100000], 'main()==>f0' => ['ct' => 1, 'wt' => 90000]];
            for ($i = 0; $i < 40; $i++) {
                [$from, $to] = [mt_rand(0, 11), mt_rand(0, 11)];
                $edges["f$from==>f$to" . ['', '@1', '@2'][mt_rand(0, 2)]] ??= ['ct' => mt_rand(0, 9), 'wt' => mt_rand(0, 2000)];
            }
            $all = self::recorded($edges);
            $wanted = '/[' . mt_rand(0, 9) . '2468]\z/';
            $hidden = $all->without(static fn (string $name): bool => preg_match($wanted, $name) === 1);
            $sum = static fn (RecordedCalls $one): int|float => array_sum(array_column($one->functions, 'excl'));
            $isCut = static fn (string $name): bool => self::isCut($name, $all, $wanted);
            if (array_filter(array_keys($all->functions), $isCut) === []) {
                self::assertEqualsWithDelta($sum($all), $sum($hidden), 1e-3, "seed $seed");
            }
            foreach ([$hidden, $all->around('f0'), $all->around('main()')] as $part) {
                foreach ($part->calls as $call) {
                    self::assertArrayHasKey($call['from'], $part->functions, "seed $seed");
                    self::assertArrayHasKey($call['to'], $part->functions, "seed $seed");
                }
            }
            foreach ([null, 'f0'] as $focus) {
                $options = new GraphOptions(threshold: 0.0, maxNodes: mt_rand(1, 12), foldRecursion: true, focus: $focus);
                $graph = CallGraph::ofProfile(Profile::fromEdges($edges), $options);
                $drawn = array_map(static fn (GraphEdge $edge): array => [$edge->from, $edge->to], $graph->edges);
                foreach ([...$drawn, ...$graph->vias] as $ends) {
                    self::assertSame([], array_diff($ends, array_keys($graph->nodes)), "seed $seed");
                }
            }
        }
    }

    /** Whether it is hidden and has no callers: then no function gets its time. */
    private static function isCut(string $name, RecordedCalls $all, string $wanted): bool
    {
        $callers = array_filter($all->calls, static fn (array $call): bool => $call['to'] === $name);

        return preg_match($wanted, $name) === 1 && $callers === [];
    }

    public function testExclusiveFiguresAddUpHoweverRecursionIsShown(): void
    {
        foreach ([self::EDGES, self::MUTUAL] as $edges) {
            foreach ([true, false] as $fold) {
                $options = new GraphOptions(metric: 'wt', threshold: 0.0, maxNodes: 1000, foldRecursion: $fold);
                $nodes = CallGraph::ofProfile(Profile::fromEdges($edges), $options)->nodes;
                self::assertSame(1000, array_sum(array_map(static fn (GraphNode $node): int|float => $node->now['excl'], $nodes)));
            }
        }
    }

    public function testInternalFunctionsAreTheEnginesNotThePrograms(): void
    {
        $names = [
            'strlen', 'App\strlen', 'ArrayObject::count', 'ArrayObject::count@2', 'PDO::nope', 'main()', 'strlen@1',
            'array_map#x', 'load::a.php', self::class . '::cases', 'Countable::count', 'nope', "strlen\n", '',
        ];
        self::assertSame([0, 2, 3, 6, 7, 10], InternalFunctions::indexesIn($names));
    }

    /** @param array<string, array<string, int>> $edges */
    private static function recorded(array $edges): RecordedCalls
    {
        return RecordedCalls::fromProfile(Profile::fromEdges($edges), 'wt', true);
    }

    /**
     * @param array{ct: int|float, incl: int|float, excl: int|float} $figures
     *
     * @return list<int|float>
     */
    private static function row(array $figures): array
    {
        return [$figures['incl'], $figures['excl'], $figures['ct']];
    }

    /** @return list<string> "caller>callee figure" */
    private static function edges(CallGraph $graph): array
    {
        return array_map(
            static fn (GraphEdge $edge): string => "$edge->from>$edge->to $edge->figure" . ($edge->critical ? ' critical' : ''),
            $graph->edges,
        );
    }
}
