<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Exception\CannotExport;
use XHProf\File\Sink;
use XHProf\Profile\Metrics;
use XHProf\Run\Run;

/**
 * The classic run file: serialize() of the edges, as every XHProf writes and reads it. Corrected times are no metrics there.
 */
final class Classic implements Format
{
    public const NAME = 'xhprof';
    public const EXTENSION = 'xhprof';
    public const MIME_TYPE = 'application/octet-stream';
    public const LABEL = 'XHProf run';
    public const OPENS = 'any XHProf, put into its run folder, and bin/xhprof report FILE';

    public function write(Run $run, Sink $out, ?string $metric = null): void
    {
        if ($metric !== null && Metrics::isCorrected($metric)) {
            throw new CannotExport("an XHProf run has times as they were recorded, and \"$metric\" is computed");
        }
        $edges = $run->profile()->recorded()->edges();
        $raw = array_filter(ExportColumn::metrics($run, $metric), static fn (string $key): bool => !Metrics::isCorrected($key));
        $kept = array_flip(['ct', ...$raw]);
        $out->write('a:' . count($edges) . ':{');
        foreach ($edges as $key => $row) {
            $row = array_map(static fn (int|float $value): int => (int) round($value), array_intersect_key($row, $kept));
            $out->write(serialize($key) . serialize($row));
        }
        $out->write('}');
    }
}
