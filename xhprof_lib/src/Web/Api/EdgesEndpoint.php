<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Profile\EdgeKey;
use XHProf\Profile\InternalFunctions;
use XHProf\Report\MetricList;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;

/** get=edges: caller and callee of each edge of a run, or of the mean of several, as columns; -1 stands for no caller. */
final class EdgesEndpoint extends Endpoint
{
    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        $profile = $set->run->profile();
        $parents = [];
        $callees = [];
        /** @var array<string, int> $index */
        $index = [];
        $edges = $profile->edges();
        foreach ($edges as $key => $_) {
            [$caller, $callee] = EdgeKey::parse($key);
            $parents[] = $caller === null ? -1 : $index[$caller] ??= count($index);
            $callees[] = $index[$callee] ??= count($index);
        }
        $columns = [];
        foreach (['ct', ...$profile->metrics()] as $metric) {
            $columns[$metric] = array_values(array_map(static fn (array $row): int|float => $row[$metric] ?? 0, $edges));
        }

        return Json::answer('edges', [
            'names' => array_keys($index),
            'metrics' => MetricList::ofProfile($profile->metrics(), $set->counted()),
            'total' => $profile->totals(),
            'internal' => InternalFunctions::indexesIn(array_keys($index)),
            'hashes' => Json::hashes(array_keys($index)),
            'p' => $parents,
            'c' => $callees,
            'm' => $columns,
        ]);
    }
}
