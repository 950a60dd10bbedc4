<?php

declare(strict_types=1);

namespace XHProf\Functions\Web;

use XHProf\Functions\FlatReport;
use XHProf\Functions\FunctionPlaces;
use XHProf\Functions\MetricList;
use XHProf\Functions\MetricOrder;
use XHProf\Web\Api\Endpoint;
use XHProf\Web\Api\JsonResponse;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Source\EditorLink;
use XHProf\Web\Source\PlaceLinks;

/**
 * get=functions: the table of functions of a run, or of the mean of several, as columns. With levels=1 each level of a recursion
 * (f@1) is a row. `places`, of runs that have them: the files, and per function the index of its own and its line.
 */
final class FunctionsEndpoint extends Endpoint
{
    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        $report = FlatReport::compute($set->run->profile(), !$set->levels);
        $rows = $report->rows();
        $columns = [];
        foreach (MetricOrder::figures($report->metrics()) as $key) {
            $columns[$key] = array_column($rows, $key);
        }
        $names = array_keys($rows);
        unset($rows);
        $places = (new PlaceLinks(FunctionPlaces::ofRun($set->run), EditorLink::fromRequest($request)))->columns($names);

        return JsonResponse::answer('functions', [
            'names' => $names,
            'metrics' => MetricList::ofProfile($report->metrics(), $set->counted()),
            'total' => $report->totals(),
            'm' => $columns,
            'hashes' => JsonResponse::hashes($names),
        ] + ($places === null ? [] : ['places' => $places]));
    }
}
