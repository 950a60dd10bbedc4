<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Functions\MetricList;
use XHProf\Stats\Distribution;
use XHProf\Web\Api\Endpoint;
use XHProf\Web\Api\JsonResponse;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;

/** get=mean&run=A,B,C: per function the number of runs that have it (`n`), and mean, median, … of every column. */
final class MeanEndpoint extends Endpoint
{
    /** @throws HttpError 400 for a single run */
    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request, statistics: true);
        $statistics = $set->statistics
            ?? throw new HttpError(400, 'A mean needs at least two different runs.');
        $names = $statistics->functions();
        $stats = [];
        $total = [];
        foreach ($statistics->columns() as $column) {
            $stats[$column] = array_fill_keys(Distribution::KINDS, []);
            foreach ($names as $name) {
                $distribution = $statistics->distribution($name, $column);
                foreach (Distribution::KINDS as $kind) {
                    $stats[$column][$kind][] = $distribution->statistic($kind);
                }
            }
        }
        foreach (['ct', ...$statistics->metrics()] as $metric) {
            $statistic = $statistics->total($metric)->statistic(...);
            $total[$metric] = array_combine(Distribution::KINDS, array_map($statistic, Distribution::KINDS));
        }

        // "aggregate" is its name in older versions.
        return JsonResponse::answer($request->text('get'), [
            'runs' => $statistics->count(),
            'names' => $names,
            'metrics' => MetricList::ofProfile($statistics->metrics(), $set->counted()),
            'total' => $total,
            'n' => array_map($statistics->runsWith(...), $names),
            'stats' => $stats,
        ]);
    }
}
