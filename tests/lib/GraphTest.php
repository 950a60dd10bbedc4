<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Exception\GraphError;
use XHProf\Exception\UnknownMetric;
use XHProf\Exception\UnknownSymbol;
use XHProf\Graph\CallGraph;
use XHProf\Graph\DotWriter;
use XHProf\Graph\GraphOptions;
use XHProf\Graph\Graphviz;
use XHProf\Profile\Profile;
use XHProf\Tests\Lib\Support\Runs;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/Runs.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

final class GraphTest extends TestCase
{
    use TemporaryFolder;

    public function testThreshold(): void
    {
        $run = Profile::fromEdges(Runs::small());
        $names = static fn (float $threshold): array
            => array_keys(CallGraph::ofProfile($run, new GraphOptions(threshold: $threshold, criticalPath: false))->nodes);
        self::assertSame(['main()', 'a', 'b', 'c', 'b@1'], $names(0.0));
        self::assertSame(['main()', 'a', 'b', 'c'], $names(0.1));
        self::assertSame(['main()', 'a'], $names(0.6));
        self::assertSame(['main()'], $names(0.61));
    }

    public function testTheCriticalPathIsAlwaysThere(): void
    {
        $graph = CallGraph::ofProfile(Profile::fromEdges(Runs::small()), new GraphOptions(threshold: 0.99));
        self::assertSame(['main()', 'a', 'b', 'c', 'b@1'], array_keys($graph->nodes));
        $critical = [];
        foreach ($graph->edges as $edge) {
            if ($edge->critical) {
                $critical[] = "$edge->from>$edge->to";
            }
        }
        self::assertSame(['main()>a', 'a>b', 'b>b@1', 'b@1>c'], $critical);
    }

    public function testLightEdgesGoUnlessTheyExplainAFunction(): void
    {
        $options = new GraphOptions(threshold: 0.0, criticalPath: false, minEdge: 0.5);
        $edges = array_map(
            static fn ($edge): string => "$edge->from>$edge->to",
            CallGraph::ofProfile(Profile::fromEdges(Runs::small()), $options)->edges,
        );
        // main()>b 150 and b@1>c 40 are neither half of 1000 nor the heaviest to reach b and c.
        self::assertSame(['main()>a', 'a>b', 'a>c', 'b>b@1'], $edges);
    }

    public function testOnlyOneFunctionAndItsNeighbours(): void
    {
        $graph = CallGraph::ofProfile(Profile::fromEdges(Runs::small()), new GraphOptions(func: 'b@1'));
        self::assertSame(['b', 'c', 'b@1'], array_keys($graph->nodes));
        self::assertCount(2, $graph->edges);
        $this->expectException(UnknownSymbol::class);
        CallGraph::ofProfile(Profile::fromEdges(Runs::small()), new GraphOptions(func: 'nowhere'));
    }

    public function testNeverMoreNodesThanAskedFor(): void
    {
        $graph = CallGraph::ofProfile(Profile::fromEdges(Runs::large(4000)), new GraphOptions(threshold: 0.0, maxNodes: 50));
        self::assertCount(50, $graph->nodes);
        foreach ($graph->edges as $edge) {
            self::assertArrayHasKey($edge->from, $graph->nodes);
            self::assertArrayHasKey($edge->to, $graph->nodes);
        }
    }

    public function testAMetricTheRunHasNot(): void
    {
        $this->expectException(UnknownMetric::class);
        CallGraph::ofProfile(Profile::fromEdges(['main()' => ['ct' => 1]]));
    }

    public function testDotScriptOfARun(): void
    {
        $dot = DotWriter::write(CallGraph::ofProfile(Profile::fromEdges(Runs::small())));
        self::assertStringContainsString('label="a\nTotal: 600 µs (60.0 %)\nSelf: 280 µs (28.0 %)\n2 calls"', $dot);
        self::assertStringContainsString('label="main()\nTotal: 1.00 ms (100.0 %)\nSelf: 250 µs (25.0 %)\n1 call"', $dot);
        self::assertStringContainsString('N0 -> N1 [penwidth="3.00", tooltip="main() to a: 600 µs (60.0 %), 2 calls"', $dot);
        self::assertDoesNotMatchRegularExpression('/->.*\blabel=/', $dot);
    }

    public function testRunsWithoutTimeDoNotDivideByZero(): void
    {
        foreach ([0, -5] as $figure) {
            $run = Profile::fromEdges(['main()' => ['ct' => 0, 'wt' => $figure], 'main()==>f' => ['ct' => 0, 'wt' => $figure]]);
            self::assertStringContainsString('N1', DotWriter::write(CallGraph::ofProfile($run)));
            self::assertStringContainsString('N1', DotWriter::write(CallGraph::ofDiff($run, $run)));
        }
    }

    public function testDotScriptOfADifference(): void
    {
        $graph = CallGraph::ofDiff(Profile::fromEdges(Runs::small()), Profile::fromEdges(Runs::changed()));
        $dot = DotWriter::write($graph);
        // c took the 160 that was the largest change and is gone: full blue, dashed. a: +100 of 160, orange.
        self::assertMatchesRegularExpression(
            '/label="c\\\\nTotal: -160 µs\\\\nSelf: -160 µs\\\\nCalls: -4"'
                . '.*fillcolor="#6fa8e6", color="#1f5fa8", style="filled,dashed"/',
            $dot,
        );
        self::assertMatchesRegularExpression('/label="a\\\\nTotal: \+50 µs.*fillcolor="#f4a693", color="#b3391f"/', $dot);
        self::assertMatchesRegularExpression('/label="d\\\\n.*style="filled"/', $dot);
    }

    public function testNamesAreEscaped(): void
    {
        $dot = DotWriter::write(CallGraph::ofProfile(Profile::fromEdges(Runs::nasty())));
        self::assertStringContainsString('label="<img src=x onerror=alert(1)>&quot;\'\\\\\\\\xFF\\\\xFE\\\\x00&amp;amp;\n', $dot);
        // A backslash is written twice in a label, four times in a tooltip, where dot unescapes it twice.
        $row = ['ct' => 1, 'wt' => 5];
        $profile = Profile::fromEdges(['main()' => $row, 'main()==>A\\b"]; x [label="' => $row]);
        $slash = DotWriter::write(CallGraph::ofProfile($profile));
        self::assertStringContainsString('label="A\\\\b&quot;]; x [label=&quot;\nTotal', $slash);
        self::assertStringContainsString('tooltip="A\\\\\\\\b&quot;]; x [label=&quot;"', $slash);
        $long = Profile::fromEdges(['main()==>' . str_repeat('é', 300) => $row, 'main()' => $row]);
        self::assertStringContainsString('"...' . str_repeat('é', 57) . '\n', DotWriter::write(CallGraph::ofProfile($long)));
    }

    public function testVeryLongNamesAreCutBeforeTheyAreEscaped(): void
    {
        $row = ['ct' => 1, 'wt' => 5];
        foreach (['"', 'é', "\xFF", '&', '\\'] as $byte) {
            $long = str_repeat($byte, 50000) . 'end';
            $dot = DotWriter::write(CallGraph::ofProfile(Profile::fromEdges([
                "main()==>$long" => $row,
                "$long==>{$long}2" => $row,
                'main()' => $row,
            ])));
            self::assertSame(1, preg_match('//u', $dot));
            self::assertGreaterThan(4, preg_match_all('/"([^"]*)"/', $dot, $texts));
            self::assertLessThan(16384, max([0, ...array_map(strlen(...), $texts[1])]));
            self::assertStringContainsString('end2: 5', $dot);
        }
    }

    public function testADotThatIsMissing(): void
    {
        $dot = new Graphviz(command: 'no-such-program-anywhere');
        self::assertFalse($dot->isInstalled());
        $this->expectException(GraphError::class);
        $this->expectExceptionMessage('the image needs the program "dot" of Graphviz (on Debian: apt install graphviz)');
        $dot->render('digraph {}', 'svg');
    }

    public function testADotThatWorks(): void
    {
        // More than a pipe holds, both ways.
        $script = str_repeat('digraph {}', 100000);
        $dot = new Graphviz(command: $this->program('echo "$1"; cat'));
        self::assertTrue($dot->isInstalled());
        self::assertSame("-Tpng\n$script", $dot->render($script, 'png'));
    }

    public function testADotThatFails(): void
    {
        $dot = new Graphviz(command: $this->program('echo "syntax error" >&2; exit 3'));
        $this->expectException(GraphError::class);
        $this->expectExceptionMessage('"dot" failed with exit code 3: syntax error');
        $dot->render(str_repeat('x', 1 << 20), 'svg');
    }

    public function testADotThatTakesTooLong(): void
    {
        $dot = new Graphviz(0.3, $this->program('exec sleep 1000000'));
        try {
            $dot->render('digraph {}', 'svg');
            self::fail('rendered');
        } catch (GraphError $e) {
            self::assertSame('"dot" needed more than 0.3 seconds; raise the threshold', $e->getMessage());
        }
    }

    public function testATypeThatIsAnOption(): void
    {
        $this->expectException(GraphError::class);
        (new Graphviz())->render('digraph {}', 'svg -o/tmp/x');
    }

    public function testTheRealDotReadsOurScripts(): void
    {
        $dot = new Graphviz();
        if (!$dot->isInstalled()) {
            self::markTestSkipped('Graphviz is not installed');
        }
        $svg = $dot->render(DotWriter::write(CallGraph::ofProfile(Profile::fromEdges(Runs::nasty()))), 'svg');
        self::assertStringContainsString('&lt;img src=x onerror=alert(1)&gt;&quot;', $svg);
        self::assertStringNotContainsString('<img', $svg);
        $graph = CallGraph::ofProfile(Profile::fromEdges(Runs::large(20000)), new GraphOptions(threshold: 0.0));
        // Within its own limit of 15 seconds.
        self::assertStringStartsWith("\x89PNG", $dot->render(DotWriter::write($graph), 'png'));
    }

    private function program(string $shell): string
    {
        file_put_contents("$this->folder/dot", "#!/bin/sh\n$shell\n");
        chmod("$this->folder/dot", 0755);

        return "$this->folder/dot";
    }
}
