<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\StorePage;

/**
 * index.php?view=fleet: what many hosts have sent to one store; `show` is the question, the other parameters are those of
 * FleetQuery and of each page. A page asks the store only for what it shows.
 */
final class FleetPage extends StorePage
{
    /** @throws HttpError */
    public function respond(Request $request): Response
    {
        $query = new FleetQuery($request);

        return FleetStore::ask($request, function (Client $client) use ($request, $query): Response {
            $asked = new FleetContext($client, $query, $request, $this->view);

            return match ($request->text('show')) {
                '' => (new OverviewPage($asked))->respond(),
                'routes' => (new RoutesPage($asked))->respond(),
                'functions' => (new FunctionsPage($asked))->respond(),
                'flame' => (new FleetFlamePage($asked))->respond($this->runs->store->isWritable()),
                'regressions' => (new RegressionsPage($asked))->respond(),
                'hosts' => (new HostsPage($asked))->respond(),
                'releases' => (new ReleasesPage($asked))->respond(),
                'requests' => $request->has('kept')
                    ? (new KeptRequestsPage($asked))->one($this->runs->store->isWritable())
                    : (new KeptRequestsPage($asked))->respond(),
                'data' => (new DataPage($asked))->respond(),
                default => throw new HttpError(404, 'There is no such page of the fleet.'),
            };
        });
    }
}
