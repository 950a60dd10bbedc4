<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Exception\StoreError;
use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Question\FlameRun;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\StorePage;

/** The form of the fleet's flame graphs: saves what is shown in the run folder, where all views of runs open it. */
final class FleetForm extends StorePage
{
    /** @throws HttpError 400, 403, 404, 503 */
    public function respond(Request $request): Response
    {
        $store = $this->runs->store;
        if (!$store->isWritable()) {
            throw new HttpError(403, 'The web server may only read the run folder: nothing can be saved here.');
        }
        $query = new FleetQuery($request);
        $save = fn (Client $client): RunId => $this->save($client, $query->needsService(), $request, $store);
        $id = FleetStore::ask($request, $save);

        return Response::seeOther(Url::index(Url::runParameters($id)));
    }

    private function save(Client $client, FleetQuery $query, Request $request, RunFolder $store): RunId
    {
        try {
            if ($request->has('kept')) {
                $kept = KeptRequest::read($client, $query, $request)
                    ?? throw new HttpError(404, 'No request of this selection was kept.');
                $run = $kept->imported;

                return $store->save($run->profile, FlameRun::SOURCE, null, $kept->savedMeta(), $run->tree);
            }
            $flame = FlameRun::read($client, $query->selection, $query->clock)
                ?? throw new HttpError(404, 'No samples of this selection have arrived.');

            return $flame->save($store);
        } catch (StoreError $e) {
            throw new HttpError(500, 'The run could not be saved: ' . $this->runs->publicText($e) . '.', $e);
        }
    }
}
