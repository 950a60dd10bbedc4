<?php

declare(strict_types=1);

namespace XHProf\Fleet\Peer;

use XHProf\Fleet\ShippedRun;
use XHProf\Store\MadeRun;
use XHProf\Store\Run;
use XHProf\Store\RunMeta;

/** A run that is sent, as the writers of formats take it. */
final class ExportableRun
{
    /** Label of samples in an aggregate, whose routes are below main(). */
    private const ROUTE = 'route';

    public static function of(ShippedRun $run): Run
    {
        $meta = RunMeta::fromArray(['ts' => $run->from,
            'duration_us' => (int) round(($run->to - $run->from) * 1e6),
            'trace_id' => $run->traceId,
            'span_id' => $run->spanId]);

        return new MadeRun(null, $run->service, $meta, $run->tree);
    }

    /** Label that the samples get; '' for none. */
    public static function routeLabel(ShippedRun $run): string
    {
        return $run->window === null ? '' : self::ROUTE;
    }
}
