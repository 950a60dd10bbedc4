<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\File\Sink;
use XHProf\Profile\CallTree;
use XHProf\Profile\Metrics;
use XHProf\Profile\TraceContexts;
use XHProf\Run\Run;

/**
 * pprof's profile.proto, gzipped: a sample per call path with every metric as a value; freed memory is below 0. Of a window
 * samples can have the route as a label. Where trace contexts are known, a sample per call path and context has its ids as labels;
 * the operations of an exact run in them are samples of their own, with values of their own.
 *
 * @link https://github.com/google/pprof/blob/main/proto/profile.proto
 */
final class Pprof implements Format
{
    public const NAME = 'pprof';
    public const EXTENSION = 'pb.gz';
    public const MIME_TYPE = 'application/gzip';
    public const LABEL = 'pprof';
    public const OPENS = 'go tool pprof, Grafana Pyroscope, Polar Signals: every metric of every call path';
    public const NEEDS_PATHS = true;

    /** The year 2262: 64 bits of nanoseconds end there. */
    private const LAST_SECOND = 9223372036;

    public const UNITS = ['ns' => 'nanoseconds', 'bytes' => 'bytes', 'count' => 'count'];

    /**
     * @param string $routeLabel of samples: the name of the call below main() that they are in; '' for none
     * @param bool   $hasSpans   whether samples have their trace contexts, of which there may be thousands
     */
    public function __construct(private readonly string $routeLabel = '', private readonly bool $hasSpans = true)
    {
    }

    public function write(Run $run, Sink $out, ?string $metric = null): void
    {
        $tree = ExportColumn::paths($run);
        $columns = ExportColumn::wanted($run, $metric);
        $proto = $out->gzipped();
        $strings = ['' => 0];
        $string = static function (string $text) use (&$strings): int {
            return $strings[Utf8Names::utf8($text)] ??= count($strings);
        };
        foreach ($columns as $column) {
            $type = $string(Metrics::of($column->key)->pprof);
            $proto->write(Proto::message(1, Proto::int(1, $type) . Proto::int(2, $string(self::UNITS[$column->unit]))));
        }
        $contexts = $this->hasSpans ? $run->contexts() : null;
        $operations = $metric === null ? $contexts->operations ?? [] : [];
        foreach ($operations === [] ? [] : ['operations' => 'count', 'operation_time' => 'nanoseconds'] as $type => $unit) {
            $proto->write(Proto::message(1, Proto::int(1, $string($type)) . Proto::int(2, $string($unit))));
        }
        $label = static fn (string $name, string $value): string
            => Proto::message(3, Proto::int(1, $string($name)) . Proto::int(2, $string($value)));
        $ofContexts = [];
        foreach ($contexts->ids ?? [] as $ids) {
            $ofContexts[] = $label('trace_id', $ids['trace_id']) . $label('span_id', $ids['span_id']);
        }
        $ofOperations = [];
        foreach ($operations as $one) {
            $values = str_repeat(Proto::varint(0), count($columns)) . Proto::varint($one['ct']) . Proto::varint($one['total']);
            $ofOperations[$one['node']][] = Proto::message(2, $values) . $label('operation', $one['text'])
                . $ofContexts[$one['context']];
        }
        $labels = [];
        foreach ($run->live()->types ?? [] as $name => $type) {
            $labels[$name] = Proto::message(3, Proto::int(1, $string('type')) . Proto::int(2, $string($type)));
        }
        $routes = [];
        foreach ($this->routeLabel === '' ? [] : $tree->depth as $node => $depth) {
            if ($depth === 1) {
                $route = Proto::int(1, $string($this->routeLabel)) . Proto::int(2, $string($tree->names[$tree->fn[$node]]));
                $routes[$node] = Proto::message(3, $route);
            }
        }
        $locations = new PprofLocations(count($tree->names) + 1);
        self::samples($tree, $columns, $labels, $routes, $locations, $contexts, $ofContexts, $ofOperations, $proto);
        foreach (array_diff_key([...$tree->names, PackedStacks::DEEPER], $labels) as $index => $name) {
            $function = Proto::int(1, $index + 1) . Proto::int(2, $string($name)) . Proto::int(3, $string($name));
            $place = $tree->places->at($index);
            if ($place !== null) {
                $function .= Proto::int(4, $string($place->file)) . Proto::int(5, $place->line);
            }
            $proto->write($locations->of($index, 0));
            $proto->write(Proto::message(5, $function));
        }
        foreach ($locations->lines() as $message) {
            $proto->write($message);
        }
        $meta = $run->meta();
        $first = $string(Metrics::of($columns[0]->key)->pprof);
        $proto->write(Proto::int(9, self::nanoseconds($meta->ts)) . Proto::int(10, ($meta->totals->wholeUs() ?? 0) * 1000));
        $proto->write(Proto::int(13, $string($run->title())));
        foreach ($meta->notes() as $key => $note) {
            $proto->write(Proto::int(13, $string("$key: $note")));
        }
        $proto->write(Proto::int(14, $first));
        $distance = $run->live()->memory->sampleBytes ?? 0;
        if ($distance > 0) {
            $space = Proto::int(1, $string('space')) . Proto::int(2, $string('bytes'));
            $proto->write(Proto::message(11, $space) . Proto::int(12, $distance));
        }
        foreach ($strings as $text => $_) {
            $proto->write(Proto::message(6, (string) $text));
        }
        $proto->end();
    }

    /** @return int since 1970, in steps of a microsecond; 0 for a moment that is not known or has no such number */
    public static function nanoseconds(?float $seconds): int
    {
        return ($seconds ?? 0) < self::LAST_SECOND ? (int) round(($seconds ?? 0) * 1e6) * 1000 : 0;
    }

    /**
     * @param non-empty-list<ExportColumn> $columns
     * @param array<int, string>     $labels of samples, by the names of nodes that are no calls but types
     * @param array<int, string>     $routes label of the samples at and below a node, which is called by main()
     * @param list<string>           $ofContexts labels of each context
     * @param array<int, list<string>> $operations by node: values and labels of its operations in contexts
     */
    private static function samples(
        CallTree $tree,
        array $columns,
        array $labels,
        array $routes,
        PprofLocations $locations,
        ?TraceContexts $contexts,
        array $ofContexts,
        array $operations,
        Sink $proto,
    ): void {
        $stacks = new PackedStacks($tree, $locations->id(...));
        $route = '';
        $noOperations = $operations === [] ? '' : Proto::varint(0) . Proto::varint(0);
        foreach ($tree->depth as $node => $depth) {
            $route = $routes[$node] ?? $route;
            $label = $labels[$tree->fn[$node]] ?? '';
            // A type is no call.
            $depth = $label === '' ? $stacks->enter($node) : min($depth - 1, PackedStacks::DEEPEST);
            $values = array_map(static fn (ExportColumn $column): int => $column->values[$node], $columns);
            $parts = $contexts?->parts($node, $tree->ct[$node], $values) ?? [[null, $values]];
            foreach (array_filter($values) === [] ? [] : $parts as [$context, $part]) {
                $packed = implode('', array_map(Proto::varint(...), $part)) . $noOperations;
                $sample = Proto::message(1, $stacks->at($depth)) . Proto::message(2, $packed) . $label . $route;
                $proto->write(Proto::message(2, $sample . ($context === null ? '' : $ofContexts[$context])));
            }
            foreach ($operations[$node] ?? [] as $sample) {
                $proto->write(Proto::message(2, Proto::message(1, $stacks->at($depth)) . $sample));
            }
        }
    }
}
