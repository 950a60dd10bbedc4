<?php

declare(strict_types=1);

namespace XHProf\Graph;

use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Functions\CountKind;

/**
 * Writes a call graph in Graphviz's language. Edges carry no labels (they alone make a layout take ten times as long): their
 * width is their share, their values are in the tooltip.
 */
final class DotWriter
{
    private const COST = ['#fbf3e8', '#e8793a'];
    private const WORSE = ['#fdf0ec', '#ef7a5e'];
    private const BETTER = ['#eff5fd', '#6fa8e6'];
    private const INK = '#1a1d23';
    private const WORSE_LINE = '#b3391f';
    private const BETTER_LINE = '#1f5fa8';
    private const LONGEST_NAME = 60;

    /** Longest name in a tooltip, in bytes. dot refuses texts over 16384 bytes, and one byte may take six when escaped. */
    private const LONGEST_TOOLTIP = 1000;

    /** @param CountKind $counted meaning of "ct" of the run's functions */
    public static function write(CallGraph $graph, CountKind $counted = CountKind::Calls): string
    {
        $ids = [];
        $lines = [
            'digraph call_graph {',
            // The limits keep large graphs from taking minutes; small ones do not reach them.
            'graph [rankdir=LR, nslimit=2, nslimit1=2, mclimit=0.5, bgcolor="white", ranksep=0.35, nodesep=0.2];',
            'node [shape=box, style=filled, fontname="Helvetica", fontsize=10, margin="0.08,0.04", color="#8a8f98", '
                . 'fontcolor="' . self::INK . '"];',
            'edge [arrowsize=0.6, color="#8a8f98"];',
        ];
        $largest = 1;
        foreach ($graph->nodes as $node) {
            $largest = max($largest, abs($node->delta('excl')));
        }
        foreach ($graph->nodes as $name => $node) {
            $ids[$name] = 'N' . count($ids);
            $lines[] = $ids[$name] . ' [' . self::attributes(self::node($node, $graph, $largest, $counted)) . '];';
        }
        foreach ($graph->edges as $edge) {
            $lines[] = "{$ids[$edge->from]} -> {$ids[$edge->to]} [" . self::attributes(self::edge($edge, $graph, $counted)) . '];';
        }
        $lines[] = '}';

        return implode("\n", $lines) . "\n";
    }

    /**
     * @return array<string, string>
     */
    private static function node(GraphNode $node, CallGraph $graph, int|float $largest, CountKind $counted): array
    {
        $lines = [self::shorten($node->name)];
        if ($node->before === null) {
            $lines[] = 'Total: ' . self::share($node->now['incl'], $graph);
            $lines[] = 'Self: ' . self::share($node->now['excl'], $graph);
            if ($counted->isCalls()) {
                $lines[] = $counted->words($node->now['ct']);
            }
            $fill = self::mix(self::COST, abs($node->now['excl']) / max(1, abs($graph->total)));

            return ['label' => implode("\n", $lines), 'tooltip' => self::cut($node->name), 'fillcolor' => $fill];
        }
        $lines[] = 'Total: ' . Units::signed($node->delta('incl'), $graph->metric);
        $lines[] = 'Self: ' . Units::signed($node->delta('excl'), $graph->metric);
        if ($counted->isCalls()) {
            $lines[] = 'Calls: ' . Units::signed($node->delta('ct'), 'ct');
        }
        $delta = $node->delta('excl');
        $gone = max($node->now) == 0 && max($node->before) != 0;

        return [
            'label' => implode("\n", $lines),
            'tooltip' => self::cut($node->name),
            'fillcolor' => $delta == 0 ? '#f4f3f1' : self::mix($delta > 0 ? self::WORSE : self::BETTER, abs($delta) / $largest),
            'color' => match ($node->delta('incl') <=> 0) {
                1 => self::WORSE_LINE,
                -1 => self::BETTER_LINE,
                default => '#8a8f98',
            },
            'style' => $gone ? 'filled,dashed' : 'filled',
        ];
    }

    /**
     * @return array<string, string>
     */
    private static function edge(GraphEdge $edge, CallGraph $graph, CountKind $counted): array
    {
        $share = min(1.0, $edge->weight / max(1, abs($graph->total)));
        $calls = $graph->isDiff ? Units::signed($edge->calls, 'ct') : Units::count($edge->calls);
        $value = $graph->isDiff ? Units::signed($edge->figure, $graph->metric) : self::share($edge->figure, $graph);
        $attributes = [
            'penwidth' => sprintf('%.2F', 0.6 + 4 * $share),
            'tooltip' => self::cut($edge->from) . ' to ' . self::cut($edge->to) . ': ' . $value
                . ($counted->isCalls() ? ", $calls calls" : ''),
        ];

        return $edge->critical ? $attributes + ['color' => self::WORSE_LINE, 'weight' => '20'] : $attributes;
    }

    private static function share(int|float $value, CallGraph $graph): string
    {
        return Units::ofMetric($value, $graph->metric) . ' (' . Units::percent($value, $graph->total) . ')';
    }

    /**
     * @return string one line of valid UTF-8, the end of the name if it is very long
     */
    private static function cut(string $name): string
    {
        $name = Text::printable($name);

        return strlen($name) > self::LONGEST_TOOLTIP
            ? '...' . ltrim(substr($name, 3 - self::LONGEST_TOOLTIP), "\x80..\xBF")
            : $name;
    }

    /** The end of a name matters most: "...\Long\Name::method". */
    private static function shorten(string $name): string
    {
        $name = self::cut($name);
        $end = self::LONGEST_NAME - 3;

        return preg_match("/\A.{4,}(.{{$end}})\z/us", $name, $match) === 1 ? '...' . $match[1] : $name;
    }

    /**
     * @param array{0: string, 1: string} $ramp
     */
    private static function mix(array $ramp, float $share): string
    {
        $share = max(0.0, min(1.0, $share));
        $colour = '#';
        foreach ([1, 3, 5] as $at) {
            $from = (int) hexdec(substr($ramp[0], $at, 2));
            $to = (int) hexdec(substr($ramp[1], $at, 2));
            $colour .= sprintf('%02x', (int) round($from + ($to - $from) * $share));
        }

        return $colour;
    }

    /**
     * dot reads entities and "\N"-like words in texts, and unescapes backslashes once in labels, twice in tooltips.
     *
     * @param array<string, string> $attributes
     */
    private static function attributes(array $attributes): string
    {
        $written = [];
        foreach ($attributes as $name => $value) {
            $backslash = $name === 'tooltip' ? '\\\\\\\\' : '\\\\';
            $value = strtr($value, ['&' => '&amp;', '\\' => $backslash, '"' => '&quot;', "\n" => '\\n']);
            $written[] = $name . '="' . $value . '"';
        }

        return implode(', ', $written);
    }
}
