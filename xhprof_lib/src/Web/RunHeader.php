<?php

declare(strict_types=1);

namespace XHProf\Web;

use XHProf\Format\Units;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;

/** What stands above the tables of a run: its name, its totals, where it comes from, what to mind. */
final class RunHeader
{
    /**
     * @return array{title: string, url: string, id: string, source: string, aggregate: bool, time: ?array<string, string>,
     *     parts: list<array{label: string, url: string}>, facts: list<array{label: string, value: string}>, warnings: list<string>}
     */
    public static function of(RunSet $set): array
    {
        $meta = $set->meta;

        return [
            'title' => $set->title(),
            'url' => Url::index($set->parameters()),
            'id' => $set->idText(),
            'source' => $set->source(),
            'aggregate' => $set->isAggregate(),
            'time' => $set->isAggregate() ? null : Moment::of($meta->ts),
            'parts' => self::parts($set),
            'facts' => $set->isAggregate() ? [] : self::facts($set),
            'warnings' => self::warnings($set),
        ];
    }

    /** @return list<array{label: string, text: string, exact: string}> */
    public static function summary(RunSet $set): array
    {
        $totals = $set->profile->totals();
        $memory = $set->isAggregate() ? null : $set->meta->peakMemory;
        $summary = [];
        foreach (array_intersect(['wt', 'cpu'], $set->profile->metrics()) as $key) {
            $summary[] = self::tile(Metric::of($key), $totals[$key]);
        }
        if ($memory !== null || isset($totals['pmu'])) {
            $summary[] = self::tile(Metric::of('pmu'), $memory ?? $totals['pmu']);
        }
        $summary[] = self::tile(Metric::of('ct'), $totals['ct']);
        $summary[] = self::functions($set->profile);

        return $summary;
    }

    /**
     * Functions, not rows: "f@1" is f again.
     *
     * @return array{label: string, text: string, exact: string}
     */
    private static function functions(Profile $profile): array
    {
        $symbols = $profile->symbols();
        $functions = Units::count(count(array_unique(array_map(EdgeKey::stripRecursion(...), $symbols))));
        $levels = Units::count(count($symbols));
        $exact = $levels === $functions ? $functions : "$functions; $levels with each level of recursion (f@1) as one";

        return ['label' => 'Functions', 'text' => $functions, 'exact' => $exact];
    }

    /** @return array{label: string, text: string, exact: string} */
    private static function tile(Metric $metric, int $value): array
    {
        return ['label' => $metric->label, 'text' => Units::of($value, $metric->key), 'exact' => Cells::exact($value, $metric)];
    }

    /** @return list<array{label: string, url: string}> the runs an aggregate is made of */
    private static function parts(RunSet $set): array
    {
        if (!$set->isAggregate()) {
            return [];
        }
        $parts = [];
        foreach ($set->ids as $index => $runId) {
            $weight = $set->weights === [] ? '' : ' × ' . $set->weights[$index];
            $parts[] = ['label' => $runId->id . $weight, 'url' => Url::index(Url::runParameters($runId))];
        }

        return $parts;
    }

    /** @return list<array{label: string, value: string}> only what is known */
    private static function facts(RunSet $set): array
    {
        $meta = $set->meta;
        $clock = array_map(static fn (string $use, string $name): string => "$use: $name", array_keys($meta->clock), $meta->clock);
        $facts = [
            'Run' => $set->ids[0]->id,
            'Source' => $set->ids[0]->source,
            'Host' => $meta->host,
            'SAPI' => $meta->sapi,
            'PHP' => $meta->php === null ? null : $meta->php . ($meta->zts === true ? ' ZTS' : ''),
            'XHProf' => $meta->version,
            'Git' => $meta->git,
            'Process' => $meta->pid === null ? null : (string) $meta->pid,
            'Flags' => $meta->flagNames === [] ? null : implode(', ', $meta->flagNames),
            'Clock' => $clock === [] ? null : implode(', ', $clock),
            'Call paths' => $meta->nodes === null ? null : Units::count($meta->nodes),
        ];
        foreach ($meta->meta as $key => $value) {
            $facts[(string) $key] = is_string($value)
                ? $value
                : (string) json_encode($value, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE);
        }
        $known = [];
        foreach ($facts as $label => $value) {
            if ($value !== null && $value !== '') {
                $known[] = ['label' => (string) $label, 'value' => $value];
            }
        }

        return $known;
    }

    /** @return list<string> */
    private static function warnings(RunSet $set): array
    {
        $warnings = [];
        if ($set->metaError !== null) {
            $warnings[] = "The metadata of this run cannot be read: $set->metaError.";
        }
        $dropped = $set->meta->nodesDropped ?? 0;
        if ($dropped > 0) {
            $warnings[] = sprintf(
                '%s %s folded into (truncated): this run met more call paths than xhprof.max_nodes allows. Totals are '
                    . 'right, callers and callees are incomplete.',
                Units::count($dropped),
                $dropped === 1 ? 'call was' : 'calls were',
            );
        }

        return $warnings;
    }
}
