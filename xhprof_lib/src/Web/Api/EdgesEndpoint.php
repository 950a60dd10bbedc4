<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Profile\EdgeKey;
use XHProf\Web\Request;
use XHProf\Web\Response;
use XHProf\Web\Runs;

/** get=edges: who calls whom in a run, or in the mean of several, as columns; -1 is the caller of what nobody called. */
final class EdgesEndpoint
{
    public function __construct(private readonly Runs $runs)
    {
    }

    public function respond(Request $request): Response
    {
        $profile = $this->runs->named($request)->profile;
        $columns = array_fill_keys(['ct', ...$profile->metrics()], []);
        $parents = [];
        $callees = [];
        /** @var array<string, int> $index */
        $index = [];
        foreach ($profile->edges() as $key => $row) {
            [$caller, $callee] = EdgeKey::parse($key);
            $parents[] = $caller === null ? -1 : $index[$caller] ??= count($index);
            $callees[] = $index[$callee] ??= count($index);
            foreach ($columns as $metric => $_) {
                $columns[$metric][] = $row[$metric] ?? 0;
            }
        }

        return Json::answer('edges', [
            'names' => array_keys($index),
            'metrics' => Json::metrics($profile->metrics()),
            'total' => $profile->totals(),
            'p' => $parents,
            'c' => $callees,
            'm' => $columns,
        ]);
    }
}
