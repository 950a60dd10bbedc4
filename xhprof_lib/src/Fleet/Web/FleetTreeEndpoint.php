<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Question\FlameRun;
use XHProf\Functions\CountKind;
use XHProf\Functions\MetricList;
use XHProf\Web\Api\ColumnsEndpoint;
use XHProf\Web\Api\Document;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;

/**
 * get=fleet-tree: the call paths of many hosts, as get=columns has the document "tree"; the parameters are those of FleetQuery.
 * With `kept` those of a single request. Where two selections are compared, figures are to be divided by `requests`, and side=base
 * asks for the other one.
 */
final class FleetTreeEndpoint
{
    /** @throws HttpError 400, 404, 503 */
    public function respond(Request $request): Response
    {
        $query = new FleetQuery($request);

        return FleetStore::ask($request, static fn (Client $client): Response => $request->has('kept')
            ? self::kept($client, $query, $request)
            : self::merged($client, $query->needsService(), $request->text('side') === 'base'));
    }

    private static function kept(Client $client, FleetQuery $query, Request $request): Response
    {
        $kept = KeptRequest::read($client, $query, $request)
            ?? throw new HttpError(404, 'No request of this selection was kept.');
        $tree = $kept->imported->tree ?? throw new HttpError(404, 'This request has no call tree.');

        return self::answer($tree->toArray(), CountKind::ofRuns($kept->meta));
    }

    private static function merged(Client $client, FleetQuery $query, bool $isBase): Response
    {
        $flame = FlameRun::read($client, $isBase ? $query->base ?? $query->selection : $query->selection, $query->clock);
        $tree = $flame?->run->tree() ?? throw new HttpError(404, 'No samples of this selection have arrived.');
        $requests = $query->base === null ? [] : ['requests' => max(1, $flame->requests)];

        return self::answer($requests + $tree->toArray(), CountKind::Samples);
    }

    /** @param array<string, mixed> $columns */
    private static function answer(array $columns, CountKind $counted): Response
    {
        return ColumnsEndpoint::made(['tree' => Document::made('tree', ['metrics' => MetricList::ofTree($counted)] + $columns)]);
    }
}
