<?php

declare(strict_types=1);

namespace XHProf\Web\Http;

use XHProf\Run\RunId;
use XHProf\Run\RunRecording;

/**
 * Relative URLs of the pages, so that they work in any folder of any server. The parameter names
 * are the classic ones; parameters that are null, false or '' are left out.
 */
final class Url
{
    /** Above this many bytes a function is linked by the hash of its name: servers bound a URL's length. */
    private const LONGEST_SYMBOL = 1500;
    private const LONGEST_ROUTE = 500;

    /** Whether addresses name files. */
    private static bool $areFiles = true;

    /**
     * The address of one of the pages' files: "index.php"; below a path of another program's site "./index": some of
     * their web servers take the slash away from an address that ends with one.
     *
     * @param 'index'|'callgraph'|'api'|'typeahead' $page
     */
    public static function page(string $page): string
    {
        return self::$areFiles ? "$page.php" : "./$page";
    }

    /** Whether addresses name files: see withoutFiles(). */
    public static function areFiles(): bool
    {
        return self::$areFiles;
    }

    /**
     * Does something whose addresses name no files: web servers of frameworks answer for "….php" themselves, with 404.
     *
     * @template T
     * @param \Closure(): T $work
     * @return T
     */
    public static function withoutFiles(\Closure $work): mixed
    {
        $before = self::$areFiles;
        self::$areFiles = false;
        try {
            return $work();
        } finally {
            self::$areFiles = $before;
        }
    }

    /** @param array<string, string|int|bool|null> $parameters */
    public static function index(array $parameters = []): string
    {
        return self::build(self::page('index'), $parameters);
    }

    /** @param array<string, string|int|bool|null> $parameters */
    public static function callgraph(array $parameters): string
    {
        return self::build(self::page('callgraph'), $parameters);
    }

    /**
     * @param string $get the requested data: "functions", "tree"...
     * @param array<string, string|int|bool|null> $parameters
     */
    public static function api(string $get, array $parameters): string
    {
        return self::build(self::page('api'), ['get' => $get] + $parameters);
    }

    /** @return array<string, string> the parameters that name one run */
    public static function runParameters(RunId $id): array
    {
        return ['run' => $id->id, 'source' => $id->source];
    }

    /** @return array<string, string> */
    public static function diffParameters(RunId $base, RunId $changed): array
    {
        $runs = ['run1' => $base->id, 'run2' => $changed->id];

        return $base->source === $changed->source
            ? $runs + ['source' => $base->source]
            : $runs + ['source1' => $base->source, 'source2' => $changed->source];
    }

    /** @return array<string, string> the parameter that names a function */
    public static function symbolParameter(string $symbol, string $name = 'symbol'): array
    {
        return strlen($symbol) > self::LONGEST_SYMBOL
            ? ["{$name}_hash" => hash('sha256', $symbol)]
            : [$name => $symbol];
    }

    /**
     * Names a function by a form's hidden field, which cannot carry invalid UTF-8 or line breaks.
     *
     * @return array<string, string>
     */
    public static function symbolField(string $symbol, string $name = 'symbol'): array
    {
        return preg_match('/^[^\x00-\x1F]*$/uD', $symbol) === 1
            ? self::symbolParameter($symbol, $name)
            : ["{$name}_hash" => hash('sha256', $symbol)];
    }

    /** @return string|null of all requests of a route, by the windows of a source; null for a name that no address can have */
    public static function trendOfRoute(string $source, string $route): ?string
    {
        return strlen($route) > self::LONGEST_ROUTE || preg_match('//u', $route) !== 1 ? null : self::index([
            'view' => 'trend',
            'source' => $source,
            'start' => RunRecording::WINDOW,
            'route' => $route,
        ]);
    }

    /** @param array<string, string|int|bool|null> $parameters */
    private static function build(string $page, array $parameters): string
    {
        $kept = array_filter($parameters, static fn (mixed $value): bool => !in_array($value, [null, false, ''], true));
        $query = http_build_query($kept, '', '&', PHP_QUERY_RFC3986);

        return $query === '' ? $page : $page . '?' . $query;
    }
}
