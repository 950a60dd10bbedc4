<?php

declare(strict_types=1);

namespace XHProf\Fleet\Peer;

use XHProf\Export\ExportedRun;
use XHProf\Fleet\ShippedRun;
use XHProf\Profile\Profile;
use XHProf\Store\RunMeta;

/** A run that is sent, as the writers of formats take it. */
final class ExportableRun
{
    /** Label of samples in an aggregate, whose routes are below main(). */
    private const ROUTE = 'route';

    public static function of(ShippedRun $run): ExportedRun
    {
        $meta = new RunMeta(
            ts: $run->from,
            durationUs: (int) round(($run->to - $run->from) * 1e6),
            traceId: $run->traceId,
            spanId: $run->spanId,
        );

        return new ExportedRun(null, Profile::fromEdges(['main()' => ['ct' => 1]]), $run->tree, $meta, $run->service);
    }

    /** Label that the samples get; '' for none. */
    public static function routeLabel(ShippedRun $run): string
    {
        return $run->window === null ? '' : self::ROUTE;
    }
}
