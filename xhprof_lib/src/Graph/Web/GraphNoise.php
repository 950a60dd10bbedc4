<?php

declare(strict_types=1);

namespace XHProf\Graph\Web;

use XHProf\Compare\ProfileDiff;
use XHProf\Compare\MachineTime;
use XHProf\Compare\Noise;
use XHProf\Compare\Web\DiffPair;
use XHProf\Graph\RecordedCalls;
use XHProf\Profile\EdgeKey;

/** What of the changes in a comparison's call graph is the machine's. */
final class GraphNoise
{
    /** @param array<string, array<string, int|float>> $calls changes of the calls between two functions, by EdgeKey */
    private function __construct(
        private readonly DiffPair $pair,
        private readonly GraphSettings $settings,
        private readonly array $calls,
    ) {
    }

    /** @return self|null null where it is not known, and of other metrics than wall time */
    public static function compute(DiffPair $pair, GraphSettings $settings): ?self
    {
        $machine = $pair->report->noise()->machine;
        if ($machine === null || !in_array($settings->metric, MachineTime::METRICS, true)) {
            return null;
        }
        $calls = [];
        foreach ($machine->metrics() as $metric) {
            foreach ([[-1, $pair->before], [1, $pair->after]] as [$sign, $side]) {
                $recorded = RecordedCalls::fromProfile($side->run->profile(), $metric, !$settings->levels, $settings->internals);
                foreach ($recorded->calls as $key => ['incl' => $inclusive, 'ct' => $count]) {
                    $calls[$key][$metric] = ($calls[$key][$metric] ?? 0) + $sign * $inclusive;
                    if ($metric === 'wt') {
                        $calls[$key]['ct'] = ($calls[$key]['ct'] ?? 0) + $sign * $count;
                    }
                }
            }
        }

        return new self($pair, $settings, $calls);
    }

    /** @return array{machine?: non-empty-list<'incl'|'excl'>} the figures of a function, as the graph names them, that are */
    public function ofFunction(string $name): array
    {
        $metric = $this->settings->metric;
        if ($this->pair->report->figures()->status($name) !== ProfileDiff::BOTH) {
            return [];
        }
        $isTotal = $this->isColumn($name, $metric);
        // Where PHP's own functions are hidden the self figure has those that it called.
        $isOwn = $this->isColumn($name, "excl_$metric") && ($this->settings->internals || $isTotal);
        $found = [...($isTotal ? ['incl'] : []), ...($isOwn ? ['excl'] : [])];

        return $found === [] ? [] : ['machine' => $found];
    }

    public function isOfCalls(string $from, string $to): bool
    {
        return $this->pair->report->noise()->ofCalls('wt', $this->calls[EdgeKey::build($from, $to)] ?? []) === Noise::MACHINE;
    }

    private function isColumn(string $function, string $column): bool
    {
        $change = $this->pair->report->figures()->rows()[$function][$column] ?? 0;

        return $this->pair->report->noise()->of($function, $column, $change) === Noise::MACHINE;
    }
}
