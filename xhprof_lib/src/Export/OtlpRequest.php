<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Exception\CannotExport;
use XHProf\Profile\Metrics;
use XHProf\Profile\TraceContexts;
use XHProf\Run\Run;

/**
 * The messages of one run: a profile for every metric, whose samples are call paths. Where trace contexts are known, a sample per
 * call path and context is linked to its span; the operations of an exact run in them are two profiles of their own.
 *
 * A message begins with its length: so samples are encoded twice, and need no memory.
 *
 * @internal see Otlp
 *
 * @phpstan-import-type ContextOperation from TraceContexts
 */
final class OtlpRequest
{
    /** Samples that are written at a time. */
    private const AT_ONCE = 256;

    private readonly OtlpDictionary $dictionary;

    private readonly ?TraceContexts $contexts;

    /** @var non-empty-list<ExportColumn> */
    private readonly array $columns;

    /** @var list<ContextOperation> */
    private readonly array $operations;

    /** @var array<int, int> their nodes, as keys */
    private readonly array $ofOperations;

    /** @var list<int> by trace context, the number of its link */
    private readonly array $links;

    /** The field of the attribute of a run whose fiber was suspended, or ''. */
    private readonly string $suspended;

    /** Number of the link of the run as a whole. */
    private readonly int $link;

    /** @var array<int, int> by node: the number of its stack */
    private readonly array $stacks;

    /** @var array<int, int> by node: the number of its route's attribute */
    private readonly array $routes;

    /**
     * @param string|null $metric     the only one wanted; null for all
     * @param string      $routeLabel see Otlp::request()
     *
     * @throws CannotExport if only edges are known, or the metric is not
     */
    public function __construct(
        private readonly Run $run,
        ?string $metric,
        string $routeLabel,
        private readonly string $key,
        private readonly int $periodUs,
    ) {
        $this->columns = ExportColumn::wanted($run, $metric);
        $this->dictionary = new OtlpDictionary(ExportColumn::paths($run));
        $this->contexts = $run->contexts();
        $this->operations = $metric === null ? $this->contexts->operations ?? [] : [];
        $this->ofOperations = array_column($this->operations, 'node', 'node');
        $suspended = $run->meta()->totals->suspendedUs;
        $this->suspended = $suspended === null ? '' : Proto::message(
            11,
            Proto::varint($this->dictionary->figure('xhprof.suspended', $suspended * 1000, Pprof::UNITS['ns'])),
        );
        $this->link = $this->dictionary->link($run->meta()->origin->trace());
        $this->links = array_map($this->dictionary->link(...), $this->contexts->ids ?? []);
        [$this->stacks, $this->routes] = $this->dictionary->stacks($this->hasSamples(...), $routeLabel);
    }

    /**
     * @param array<string, string> $resource see Otlp::request()
     *
     * @return iterable<string>
     */
    public function pieces(array $resource): iterable
    {
        $attributes = '';
        foreach (array_filter($resource, static fn (string $value): bool => $value !== '') as $name => $value) {
            $attributes .= Proto::message(1, Proto::message(1, $name) . Proto::message(2, Proto::message(1, $value)));
        }
        $profiles = iterator_to_array($this->profiles(), false);
        $scope = Proto::message(1, Proto::message(1, 'xhprof'));
        $bytes = strlen($scope);
        foreach ($profiles as [$head, $length]) {
            $bytes += strlen($head) + $length;
        }
        $start = Proto::message(1, $attributes) . Proto::head(2, $bytes) . $scope;
        yield Proto::head(1, strlen($start) - strlen($scope) + $bytes) . $start;
        foreach ($profiles as [$head, , $type, $samples]) {
            yield $head . $type;
            yield from self::together($samples());
        }
        yield from $this->dictionary->pieces(2);
    }

    /**
     * @return iterable<array{string, int, string, \Closure(): iterable<string>}> head of each profile that has samples, bytes
     *     behind that, its type and all other fields, its samples
     */
    private function profiles(): iterable
    {
        foreach ($this->columns as $column) {
            yield from $this->profile(
                Metrics::of($column->key)->pprof,
                Pprof::UNITS[$column->unit],
                $this->periodUs,
                fn (): iterable => $this->samples($column),
            );
        }
        foreach (['operations' => 'count', 'operation_time' => 'nanoseconds'] as $type => $unit) {
            $figure = $type === 'operations' ? 'ct' : 'total';
            yield from $this->profile($type, $unit, 0, fn (): iterable => $this->samplesOfOperations($figure));
        }
    }

    /**
     * @param \Closure(): iterable<string> $samples
     *
     * @return iterable<array{string, int, string, \Closure(): iterable<string>}>
     */
    private function profile(string $name, string $unit, int $periodUs, \Closure $samples): iterable
    {
        $bytes = 0;
        foreach ($samples() as $sample) {
            $bytes += strlen($sample);
        }
        if ($bytes > 0) {
            $type = $this->dictionary->type(1, $name, $unit) . $this->moment($periodUs)
                . Proto::message(7, hash('xxh128', "$this->key\0$name", true)) . $this->suspended;
            $bytes += strlen($type);
            yield [Proto::head(2, $bytes), $bytes, $type, $samples];
        }
    }

    /** @return iterable<string> */
    private function samples(ExportColumn $column): iterable
    {
        $ct = ExportColumn::paths($this->run)->ct;
        foreach ($this->stacks as $node => $stack) {
            $value = $column->values[$node];
            $parts = $value === 0 ? [] : $this->contexts?->parts($node, $ct[$node], [$value]) ?? [[null, [$value]]];
            foreach ($parts as [$context, [$part]]) {
                $link = $context === null ? $this->link : $this->links[$context];
                yield self::sample($stack, $this->routes[$node] ?? 0, $link, $part);
            }
        }
    }

    /**
     * @param 'ct'|'total' $figure
     *
     * @return iterable<string>
     */
    private function samplesOfOperations(string $figure): iterable
    {
        foreach ($this->operations as $one) {
            $text = $this->dictionary->attribute('operation', $one['text']);
            yield self::sample($this->stacks[$one['node']], $text, $this->links[$one['context']], $one[$figure]);
        }
    }

    private static function sample(int $stack, int $attribute, int $link, int $value): string
    {
        $attributes = $attribute === 0 ? '' : Proto::message(2, Proto::varint($attribute));

        return Proto::message(
            2,
            Proto::int(1, $stack) . $attributes . Proto::int(3, $link) . Proto::message(4, Proto::varint($value)),
        );
    }

    private function hasSamples(int $node): bool
    {
        foreach ($this->columns as $column) {
            if ($column->values[$node] !== 0) {
                return true;
            }
        }

        return isset($this->ofOperations[$node]);
    }

    private function moment(int $periodUs): string
    {
        $meta = $this->run->meta();
        $text = Proto::fixed64(3, Pprof::nanoseconds($meta->ts)) . Proto::int(4, ($meta->totals->wholeUs() ?? 0) * 1000);

        return $periodUs === 0
            ? $text
            : $text . $this->dictionary->type(5, Metrics::of('wt')->pprof, Pprof::UNITS['ns']) . Proto::int(6, $periodUs * 1000);
    }

    /**
     * @param iterable<string> $pieces
     *
     * @return iterable<string> the same in fewer pieces
     */
    private static function together(iterable $pieces): iterable
    {
        $text = '';
        $count = 0;
        foreach ($pieces as $piece) {
            $text .= $piece;
            if (++$count % self::AT_ONCE === 0) {
                yield $text;
                $text = '';
            }
        }
        yield $text;
    }
}
