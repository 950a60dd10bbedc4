<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Profile\TimePart;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;

/**
 * get=kinds: where the time of a run was, and how to split that of any of its functions in the same way: what is drawn by function
 * then adds up to the bar.
 *
 * - `parts`: all parts in their order, with `key`, `label`, `group` (cpu, waiting, not_running, suspended, unknown), `meaning`. A
 *   part's colour is `--time-KEY` in CSS.
 * - `where`: the bar of the run: `total_us`, `by` (calls, samples), `parts` with `us` and `share`, `notes`; null without times.
 * - `cpu`: the metrics whose sum is CPU time; [] if the run has none: then all of a function's own wall time counts as idle, and
 *   what samples met in compiling or collecting is among its parts. Of a window `where` has the measured CPU time of its requests,
 *   which no function has.
 * - `metrics`: groups of parts by which pictures are sized: `k`, `label`, `group`; [] where none is known.
 * - `rest`: the part of what a function was idle (its own wall time less its own CPU time), unless it is among `functions`.
 * - `functions`: by name, without levels of recursion, `kind`: what it waits for, '' for none; `idle` and `cpu`: parts of its own
 *   idle and CPU time, as shares of 1. Without `idle` that is all `rest`, without `cpu` all `cpu`. Other functions are not named.
 */
final class KindsEndpoint extends Endpoint
{
    public function respond(Request $request): Response
    {
        $run = $this->runs->named($request)->run;
        $times = $run->times();
        $functions = [];
        foreach ($times->shares() as $name => $shares) {
            $idle = $shares['idle'] ?? [];
            arsort($idle);
            $kind = TimePart::tryFrom((string) array_key_first($idle));
            $functions[$name] = ['kind' => $kind?->group() === TimePart::WAITING ? $kind->value : ''] + $shares;
        }

        return JsonResponse::answer('kinds', [
            'parts' => array_map(static fn (TimePart $part): array => [
                'key' => $part->value, 'label' => $part->label(), 'group' => $part->group(), 'meaning' => $part->meaning(),
            ], TimePart::cases()),
            'where' => $times->whole()?->toArray(),
            'cpu' => $times->cpuMetrics(),
            'metrics' => $times->metrics(),
            'rest' => $times->rest()->value,
            'functions' => (object) $functions,
        ]);
    }
}
