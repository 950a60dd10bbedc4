<?php

declare(strict_types=1);

namespace XHProf\Export;

/**
 * The classic run file: serialize() of the edges, as every XHProf writes and reads it.
 */
final class Classic implements Format
{
    public function name(): string
    {
        return 'xhprof';
    }

    public function extension(): string
    {
        return 'xhprof';
    }

    public function mimeType(): string
    {
        return 'application/octet-stream';
    }

    public function label(): string
    {
        return 'XHProf run';
    }

    public function opens(): string
    {
        return 'any XHProf, put into its run folder, and bin/xhprof report FILE';
    }

    public function needsPaths(): bool
    {
        return false;
    }

    public function write(ExportedRun $run, Sink $out): void
    {
        $edges = $run->profile->edges();
        $kept = array_flip(['ct', ...$run->metrics()]);
        $out->write('a:' . count($edges) . ':{');
        foreach ($edges as $key => $row) {
            $row = array_map(static fn (int|float $figure): int => (int) round($figure), array_intersect_key($row, $kept));
            $out->write(serialize($key) . serialize($row));
        }
        $out->write('}');
    }
}
