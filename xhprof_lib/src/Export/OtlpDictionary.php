<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Profile\CallTree;

/**
 * The dictionary of OTLP's profiles: tables whose entries the samples name by their numbers. At 0 each table has what stands for
 * nothing.
 *
 * @internal
 */
final class OtlpDictionary
{
    /** Ids of the link that stands for no link: readers expect these lengths. */
    private const NO_TRACE = "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    private const NO_SPAN = "\0\0\0\0\0\0\0\0";

    /** Entries that are written at a time. */
    private const AT_ONCE = 256;

    /** @var array<array-key, int> by text */
    private array $strings = ['' => 0];

    /** @var array<int, int> by number of the name in the tree */
    private array $functions = [];

    /** @var array<int, array<int, int>> by number of the name and line, 0 for none */
    private array $locations = [];

    /** @var array<string, array<array-key, int>> by name and value */
    private array $attributes = [];

    /** @var array<string, int> by the bytes of both ids */
    private array $links = [];

    /** @var array<int, non-empty-list<string>> by the field of each table, but for that of strings */
    private array $tables;

    public function __construct(private readonly CallTree $tree)
    {
        $this->tables = [
            1 => [Proto::message(1, '')],
            2 => [Proto::message(2, '')],
            3 => [Proto::message(3, '')],
            4 => [self::linkMessage(self::NO_TRACE, self::NO_SPAN)],
            6 => [Proto::message(6, '')],
            7 => [Proto::message(7, '')],
        ];
        $this->links[self::NO_TRACE . self::NO_SPAN] = 0;
    }

    public function string(string $text): int
    {
        return $this->strings[Utf8Names::utf8($text)] ??= count($this->strings);
    }

    /** A field with the name of a figure and its unit. */
    public function type(int $field, string $type, string $unit): string
    {
        return Proto::message($field, Proto::int(1, $this->string($type)) . Proto::int(2, $this->string($unit)));
    }

    /** @return int its number */
    public function attribute(string $name, string $value): int
    {
        $text = Utf8Names::utf8($value);

        return $this->attributes[$name][$text] ??= $this->add(
            6,
            Proto::int(1, $this->string($name)) . Proto::message(2, Proto::message(1, $text)),
        );
    }

    /** @return int the number of an attribute that is a figure */
    public function figure(string $name, int $value, string $unit): int
    {
        return $this->add(
            6,
            Proto::int(1, $this->string($name)) . Proto::message(2, Proto::int(3, $value)) . Proto::int(3, $this->string($unit)),
        );
    }

    /**
     * @param array{trace_id?: string, span_id?: string} $ids hexadecimal digits
     *
     * @return int its number
     */
    public function link(array $ids): int
    {
        $trace = (string) hex2bin($ids['trace_id'] ?? '') ?: self::NO_TRACE;
        $span = (string) hex2bin($ids['span_id'] ?? '') ?: self::NO_SPAN;
        if (!isset($this->links["$trace$span"])) {
            $this->tables[4][] = self::linkMessage($trace, $span);
            $this->links["$trace$span"] = count($this->links);
        }

        return $this->links["$trace$span"];
    }

    /**
     * Adds the stacks of nodes.
     *
     * @param \Closure(int): bool $wanted     whether a node needs one
     * @param string              $routeLabel see Otlp::pieces()
     *
     * @return array{array<int, int>, array<int, int>} by such a node: the number of its stack, that of its route's attribute
     */
    public function stacks(\Closure $wanted, string $routeLabel): array
    {
        $numbers = $routes = [];
        $packed = new PackedStacks($this->tree, $this->location(...));
        $route = 0;
        foreach ($this->tree->depth as $node => $depth) {
            if ($depth === 1 && $routeLabel !== '') {
                $route = $this->attribute($routeLabel, $this->tree->names[$this->tree->fn[$node]]);
            }
            $depth = $packed->enter($node);
            if ($wanted($node)) {
                $numbers[$node] = $this->add(7, Proto::message(1, $packed->at($depth)));
                if ($route !== 0) {
                    $routes[$node] = $route;
                }
            }
        }

        return [$numbers, $routes];
    }

    /** @return iterable<string> a field with all of it, in pieces */
    public function pieces(int $field): iterable
    {
        $tables = $this->tables;
        $tables[5] = array_map(
            static fn (int|string $text): string => Proto::message(5, (string) $text),
            array_keys($this->strings),
        );
        ksort($tables);
        $bytes = array_sum(array_map(static fn (array $table): int => array_sum(array_map(strlen(...), $table)), $tables));
        yield Proto::head($field, $bytes);
        foreach ($tables as $table) {
            foreach (array_chunk($table, self::AT_ONCE) as $entries) {
                yield implode('', $entries);
            }
        }
    }

    private static function linkMessage(string $trace, string $span): string
    {
        return Proto::message(4, Proto::message(1, $trace) . Proto::message(2, $span));
    }

    /** @return int number of the new entry */
    private function add(int $table, string $entry): int
    {
        $this->tables[$table][] = Proto::message($table, $entry);

        return count($this->tables[$table]) - 1;
    }

    /** @return int its number */
    private function location(int $function, int $line): int
    {
        return $this->locations[$function][$line] ??= $this->add(
            2,
            Proto::message(3, Proto::int(1, $this->function($function)) . Proto::int(2, $line)),
        );
    }

    /** @return int its number */
    private function function(int $index): int
    {
        if (!isset($this->functions[$index])) {
            $message = Proto::int(1, $this->string($this->tree->names[$index] ?? PackedStacks::DEEPER));
            $place = $this->tree->places->at($index);
            if ($place !== null) {
                $message .= Proto::int(3, $this->string($place->file)) . Proto::int(4, $place->line);
            }
            $this->functions[$index] = $this->add(3, $message);
        }

        return $this->functions[$index];
    }
}
