<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use XHProf\Check\Baseline;
use XHProf\Check\BudgetsFile;
use XHProf\Check\Checker;
use XHProf\Check\Result;
use XHProf\Check\Subjects;
use XHProf\Profile\CallTree;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;

require_once __DIR__ . '/OperationsRun.php';
require_once __DIR__ . '/RunFiles.php';

/** Runs of a page that shows reviews, made by hand, and checks of them. */
final class CheckedRuns
{
    /** What each of them has: a query in a loop of page(), which repository() runs. */
    public const META = [
        'method' => 'GET', 'url' => '/reviews?page=2', 'route' => 'GET /reviews', 'php' => '8.2.1', 'peak_memory' => 4 << 20,
        'ts' => 1764586800, 'host' => 'ci', 'flags' => 6, 'flag_names' => ['CPU', 'MEMORY'], 'mode' => 'exact',
    ];

    private function __construct()
    {
    }

    /**
     * @param int $queries in the loop
     * @param array<string, mixed> $meta in addition
     * @param int $wall µs of the whole
     * @param string $closure name of a closure that it calls once
     */
    public static function save(
        RunFolder $store,
        string $id,
        int $queries = 3,
        array $meta = [],
        int $wall = 10000,
        string $closure = '{closure:src/Page.php:12}',
    ): RunId {
        $tree = [
            'names' => [
                'main()', 'Shop\Page::show', 'Shop\Repository::find', 'PDOStatement::execute', $closure, 'load::src/Page.php',
            ],
            'files' => ['/srv/shop/src/Page.php', '/srv/shop/src/Repository.php'],
            'file' => [-1, 0, 1, -1, 0, -1],
            'line' => [0, 10, 20, 0, 12, 0],
            'last_line' => [0, 15, 30, 0, 13, 0],
            'fn' => [0, 5, 1, 4, 2, 3],
            'depth' => [0, 1, 1, 2, 2, 3],
            'ct' => [1, 1, 1, 1, $queries, $queries],
            'self' => [
                'wt' => [1000 * ($wall - 4000), 0, 1000000, 1000000, 1000000, 1000000],
                'cpu' => [1000 * ($wall - 4000), 0, 1000000, 1000000, 1000000, 0],
                'mu' => [0, 0, 1024, 0, 0, 0],
                'pmu' => [0, 0, 2 << 20, 0, 0, 0],
            ],
        ];
        $run = $store->save(CallTree::fromArray($tree)->toEdges(), 'web', $id, $meta + self::META);
        $row = ['sql', 'SELECT name FROM author WHERE id = ?', 5, $queries, 1000000, 20000, max(1, $queries - 1)];
        $rows = $queries === 0 ? [] : [$row];
        RunFiles::put($store->directory(), $run, ['tree' => $tree, 'operations' => OperationsRun::data($rows)]);

        return $run;
    }

    /**
     * @param list<string> $runs names
     * @param array<string, mixed>|string $budgets of one budget, or the whole JSON
     *
     * @return list<Result>
     */
    public static function check(
        RunFolder $store,
        array $runs,
        array|string $budgets,
        ?string $baseline = null,
        bool $isPartial = false,
    ): array {
        return self::checker($store, $runs, $budgets, $baseline, $isPartial)->check();
    }

    /**
     * @param list<string> $runs names
     * @param array<string, mixed>|string $budgets of one budget, or the whole JSON
     */
    public static function checker(
        RunFolder $store,
        array $runs,
        array|string $budgets = [],
        ?string $baseline = null,
        bool $isPartial = false,
    ): Checker {
        $json = is_string($budgets) ? $budgets : json_encode(['budgets' => [$budgets]], JSON_PRETTY_PRINT | JSON_THROW_ON_ERROR);

        return new Checker(
            Subjects::find($store, $runs, null),
            $budgets === [] ? [] : BudgetsFile::parse($json, 'b.json'),
            $baseline === null ? null : Baseline::parse($baseline, 'base.json'),
            $isPartial,
        );
    }

    /**
     * @param list<Result> $results
     *
     * @return list<string> "over sql: 3, at most 1"
     */
    public static function texts(array $results): array
    {
        return array_map(static fn (Result $result): string => "{$result->state->value} {$result->text()}", $results);
    }
}
