<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Profile\CodePlace;
use XHProf\Profile\EdgeKey;

/** Names of functions and their places in the code. The store keeps them apart from the figures, so a name may have expired. */
final class FunctionNames
{
    /** Functions in one statement: they stand in its address. */
    public const AT_ONCE = 200;

    /** Stands for a route without a name. */
    private const NO_ROUTE = '(no route)';

    /** @param array<int, array{string, CodePlace|null}> $known by function */
    private function __construct(private readonly array $known)
    {
    }

    /**
     * @param Selection      $which     its service and route
     * @param list<int>|null $functions null: all of the service, or of the route
     */
    public static function read(Client $client, Selection $which, ?array $functions = null): self
    {
        $place = new Selection($which->service, route: $which->route);
        $known = [];
        foreach ($functions === null ? [null] : array_chunk($functions, self::AT_ONCE) as $some) {
            $rows = $client->rows(
                'SELECT fn, argMax(name, seen), argMax(file, seen), argMax(line, seen) FROM functions '
                    . $place->where($some === null ? '' : 'fn IN ({fns:Array(UInt64)})') . ' GROUP BY fn',
                $place->parameters() + ($some === null ? [] : ['fns' => $some]),
            );
            foreach ($rows as $row) {
                $file = RowValues::text($row, 2);
                $known[RowValues::id($row, 0)] = [
                    RowValues::text($row, 1),
                    $file === '' ? null : new CodePlace($file, RowValues::int($row, 3)),
                ];
            }
        }

        return new self($known);
    }

    public function has(int $fn): bool
    {
        return isset($this->known[$fn]);
    }

    /** @return string one that stands for its number if the store has no name of it, or one that is no name of a function */
    public function name(int $fn): string
    {
        $name = $this->known[$fn][0] ?? '';

        return EdgeKey::isName($name) ? $name : "(function $fn)";
    }

    /** A route as a function of its requests. */
    public static function ofRoute(string $route): string
    {
        if (EdgeKey::isName($route)) {
            return $route;
        }

        return $route === '' ? self::NO_ROUTE : "(route $route)";
    }

    public function place(int $fn): ?CodePlace
    {
        return $this->known[$fn][1] ?? null;
    }
}
