<?php

declare(strict_types=1);

namespace XHProf\Export;

/**
 * "main();a;b 123" per call path, with what it took itself: nanoseconds, bytes or calls. Paths that took nothing are left out.
 */
final class Folded implements Format
{
    public const SEPARATOR = ';';

    public function name(): string
    {
        return 'folded';
    }

    public function extension(): string
    {
        return 'folded.txt';
    }

    public function mimeType(): string
    {
        return 'text/plain';
    }

    public function label(): string
    {
        return 'Folded stacks';
    }

    public function opens(): string
    {
        return 'flamegraph.pl, inferno and most flame graph tools: one metric, times in nanoseconds';
    }

    public function needsPaths(): bool
    {
        return true;
    }

    public function write(ExportedRun $run, Sink $out): void
    {
        $tree = $run->paths();
        $column = $run->columns()[0];
        $names = array_map(static fn (string $name): string => Names::line($name, self::SEPARATOR), $tree->names);
        $paths = [];
        foreach ($tree->depth as $node => $depth) {
            $name = $depth < ExportedRun::DEEPEST ? $names[$tree->fn[$node]] : ExportedRun::DEEPER;
            $depth = min($depth, ExportedRun::DEEPEST);
            $path = $depth === 0 ? $name : $paths[$depth - 1] . self::SEPARATOR . $name;
            $paths[$depth] = $path;
            // No tool reads a negative one: memory that was given back is not in it.
            if ($column->values[$node] > 0) {
                $out->write("$path {$column->values[$node]}\n");
            }
        }
    }
}
