<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Compare\MeanReport;
use XHProf\Functions\MetricList;
use XHProf\Run\MeanRun;
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
        $set = $this->runs->named($request);
        $run = $set->run instanceof MeanRun ? $set->run : throw new HttpError(400, 'A mean needs at least two different runs.');
        $statistics = (new MeanReport($run, $set->levels))->statistics;
        $names = $statistics->functions();
        $stats = [];
        $total = [];
        foreach ($statistics->columns() as $column) {
            $stats[$column] = array_fill_keys(Distribution::KINDS, []);
            foreach ($names as $name) {
                foreach (MeanReport::statistics($statistics->distribution($name, $column)) as $kind => $value) {
                    $stats[$column][$kind][] = $value;
                }
            }
        }
        foreach (['ct', ...$statistics->metrics()] as $metric) {
            $total[$metric] = MeanReport::statistics($statistics->total($metric));
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
