<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Profile\Metrics;
use XHProf\Run\Run;

/**
 * The classic run file: serialize() of the edges, as every XHProf writes and reads it. Corrected times are no metrics there.
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

    public function write(Run $run, Sink $out, ?string $metric = null): void
    {
        $edges = $run->profile()->recorded()->edges();
        $raw = array_filter(Column::metrics($run, $metric), static fn (string $key): bool => !Metrics::isCorrected($key));
        $kept = array_flip(['ct', ...$raw]);
        $out->write('a:' . count($edges) . ':{');
        foreach ($edges as $key => $row) {
            $row = array_map(static fn (int|float $value): int => (int) round($value), array_intersect_key($row, $kept));
            $out->write(serialize($key) . serialize($row));
        }
        $out->write('}');
    }
}
