<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Exception\CannotExport;
use XHProf\Profile\Metrics;
use XHProf\Run\Run;

/**
 * A run as a request of OpenTelemetry's protocol for profiles: a profile for every metric, whose samples are call paths. The
 * messages are alpha, and have changed with versions: these are PROTO's.
 *
 * @link https://github.com/open-telemetry/opentelemetry-proto/blob/v1.11.1/opentelemetry/proto/profiles/v1development/profiles.proto
 */
final class Otlp
{
    public const PROTO = 'opentelemetry-proto 1.11.1';

    /** Ids of the link that stands for no link: readers expect these lengths. */
    private const NO_LINK = ["\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "\0\0\0\0\0\0\0\0"];

    /** @var array<array-key, int> by text; at 0 each table has what stands for nothing */
    private array $strings = ['' => 0];

    /** @var array<int, int> by number of the name in the tree */
    private array $functions = [];

    /** @var array<int, array<int, int>> by number of the name and line, 0 for none */
    private array $locations = [];

    private int $lastLocation = 0;
    private int $lastAttribute = 0;

    private string $functionTable = '';
    private string $locationTable = '';
    private string $stackTable = '';
    private string $attributeTable = '';

    private function __construct(private readonly Run $run)
    {
        $this->functionTable = Proto::message(3, '');
        $this->locationTable = Proto::message(2, '');
        $this->stackTable = Proto::message(7, '');
        $this->attributeTable = Proto::message(6, '');
    }

    /**
     * @param array<string, string> $resource   attributes of what ran; empty ones are left out
     * @param string                $routeLabel attribute of samples: the name of the call below main() they are in; '' for none
     * @param string                $key        the same for the same run: a receiver can know one that comes again
     * @param int                   $periodUs   µs of time that a sample stands for; 0 for an exact run
     *
     * @return string an ExportProfilesServiceRequest
     *
     * @throws CannotExport if only edges are known
     */
    public static function request(
        Run $run,
        array $resource,
        string $routeLabel,
        string $key,
        int $periodUs = 0,
    ): string {
        $self = new self($run);
        $link = $run->meta()->origin->trace();
        [$stacks, $routes] = $self->stacks($routeLabel);
        $linked = Proto::int(3, $link === [] ? 0 : 1);
        $suspended = $self->suspended();
        $profiles = '';
        foreach (ExportColumn::wanted($run, null) as $column) {
            $metric = Metrics::of($column->key)->pprof;
            $samples = '';
            foreach ($stacks as $node => $stack) {
                if ($column->values[$node] !== 0) {
                    $attribute = isset($routes[$node]) ? Proto::message(2, Proto::varint($routes[$node])) : '';
                    $value = Proto::message(4, Proto::varint($column->values[$node]));
                    $samples .= Proto::message(2, Proto::int(1, $stack) . $attribute . $linked . $value);
                }
            }
            if ($samples !== '') {
                $profiles .= Proto::message(2, $self->type(1, $metric, Pprof::UNITS[$column->unit]) . $samples
                    . $self->moment($periodUs) . Proto::message(7, hash('xxh128', "$key\0$metric", true)) . $suspended);
            }
        }
        $attributes = '';
        foreach (array_filter($resource, static fn (string $value): bool => $value !== '') as $name => $value) {
            $attributes .= Proto::message(1, Proto::message(1, (string) $name) . Proto::message(2, Proto::message(1, $value)));
        }
        $scope = Proto::message(1, Proto::message(1, 'xhprof'));
        $body = Proto::message(1, Proto::message(1, $attributes) . Proto::message(2, $scope . $profiles));

        return $body . Proto::message(2, $self->dictionary($link));
    }

    /** @return int profiles that a receiver has refused, by its answer; 0 for an answer of another kind */
    public static function refused(string $answer): int
    {
        return (int) (Proto::fields((string) (Proto::fields($answer)[1] ?? ''))[1] ?? 0);
    }

    /**
     * Writes the table of stacks.
     *
     * @return array{array<int, int>, array<int, int>} by node with a value: the number of its stack, that of its route's attribute
     */
    private function stacks(string $routeLabel): array
    {
        $tree = ExportColumn::paths($this->run);
        $columns = ExportColumn::wanted($this->run, null);
        $numbers = $routes = $attributes = [];
        $packed = new PackedStacks($tree, $this->location(...));
        $route = 0;
        foreach ($tree->depth as $node => $depth) {
            if ($depth === 1 && $routeLabel !== '') {
                $name = Utf8Names::utf8($tree->names[$tree->fn[$node]]);
                $route = $attributes[$tree->fn[$node]] ??= $this->attribute($routeLabel, Proto::message(1, $name));
            }
            $depth = $packed->enter($node);
            foreach ($columns as $column) {
                if ($column->values[$node] !== 0) {
                    $this->stackTable .= Proto::message(7, Proto::message(1, $packed->at($depth)));
                    $numbers[$node] = count($numbers) + 1;
                    if ($route !== 0) {
                        $routes[$node] = $route;
                    }
                    break;
                }
            }
        }

        return [$numbers, $routes];
    }

    /** @return int its number */
    private function attribute(string $name, string $value, string $unit = ''): int
    {
        $unit = Proto::int(3, $this->string($unit));
        $this->attributeTable .= Proto::message(6, Proto::int(1, $this->string($name)) . Proto::message(2, $value) . $unit);

        return ++$this->lastAttribute;
    }

    /** @return string attribute of the profiles of a run whose fiber was suspended */
    private function suspended(): string
    {
        $suspended = $this->run->meta()->totals->suspendedUs;

        return $suspended === null ? '' : Proto::message(11, Proto::varint(
            $this->attribute('xhprof.suspended', Proto::int(3, $suspended * 1000), Pprof::UNITS['ns']),
        ));
    }

    /** @return int its number */
    private function location(int $function, int $line): int
    {
        if (!isset($this->locations[$function][$line])) {
            $this->locations[$function][$line] = ++$this->lastLocation;
            $entry = Proto::int(1, $this->function($function)) . Proto::int(2, $line);
            $this->locationTable .= Proto::message(2, Proto::message(3, $entry));
        }

        return $this->locations[$function][$line];
    }

    /** @return int its number */
    private function function(int $index): int
    {
        if (!isset($this->functions[$index])) {
            $this->functions[$index] = count($this->functions) + 1;
            $tree = ExportColumn::paths($this->run);
            $message = Proto::int(1, $this->string($tree->names[$index] ?? PackedStacks::DEEPER));
            $place = $tree->places->at($index);
            if ($place !== null) {
                $message .= Proto::int(3, $this->string($place->file)) . Proto::int(4, $place->line);
            }
            $this->functionTable .= Proto::message(3, $message);
        }

        return $this->functions[$index];
    }

    private function string(string $text): int
    {
        return $this->strings[Utf8Names::utf8($text)] ??= count($this->strings);
    }

    private function type(int $field, string $type, string $unit): string
    {
        return Proto::message($field, Proto::int(1, $this->string($type)) . Proto::int(2, $this->string($unit)));
    }

    private function moment(int $periodUs): string
    {
        $meta = $this->run->meta();
        $text = Proto::fixed64(3, Pprof::nanoseconds($meta->ts)) . Proto::int(4, ($meta->totals->wholeUs() ?? 0) * 1000);

        return $periodUs === 0
            ? $text
            : $text . $this->type(5, Metrics::of('wt')->pprof, Pprof::UNITS['ns']) . Proto::int(6, $periodUs * 1000);
    }

    /** @param array{trace_id?: string, span_id?: string} $link */
    private function dictionary(array $link): string
    {
        [$trace, $span] = self::NO_LINK;
        $links = Proto::message(4, Proto::message(1, $trace) . Proto::message(2, $span));
        if ($link !== []) {
            $trace = (string) hex2bin($link['trace_id'] ?? '') ?: $trace;
            $span = (string) hex2bin($link['span_id'] ?? '') ?: $span;
            $links .= Proto::message(4, Proto::message(1, $trace) . Proto::message(2, $span));
        }
        $strings = '';
        foreach ($this->strings as $text => $_) {
            $strings .= Proto::message(5, (string) $text);
        }

        return Proto::message(1, '') . $this->locationTable . $this->functionTable . $links . $strings . $this->attributeTable
            . $this->stackTable;
    }
}
