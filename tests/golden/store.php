<?php

/*
 * What the store of many hosts answers in GoldenTest: the beginning of a statement => rows; where several fit, the last counts.
 * Two releases of a shop with two routes on two hosts. Times are fixed, those of arrivals so late that nothing has an age.
 */

declare(strict_types=1);

use XHProf\Fleet\ClickHouse\Migrations;
use XHProf\Fleet\ClickHouse\StableNumbers;

$at = 1763679600;
$future = 4102444800;
[$handle, $query, $evil] = array_map(StableNumbers::fn(...), ['App\Kernel::handle', 'PDOStatement::execute', '<b>evil</b>']);
[$order, $cart] = ['GET /orders/{id}', 'POST /cart'];
$step = 'SELECT intDiv(toUnixTimestamp(ts), {step:UInt32}) * {step:UInt32} AS at, ';
// requests, failed, aborted, wall and CPU time, the longest in µs; requests by bucket of wall time
$figures = static fn (int $n): array => [20 * $n, $n, 1, 1_000_000 * $n, 300_000 * $n, 400_000, [300 => 12 * $n, 340 => 8 * $n]];
// of two releases: means of time per request by hour, their squares; the later one takes twice as long
$slower = static fn (string $route, int $fn, float $x): array => [
    $route, $fn, 5000, 12 * $x, 12 * $x, 12 * $x, 12 * $x ** 2 * 1.01, 0.01 * $x ** 2, 0, 0, 0, 0, 9000,
];

return [
    '' => [],
    'SELECT max(version)' => [[Migrations::newest()]],
    'SELECT count(), toUnixTimestamp(min(ts))' => [[40, $at, $at + 3600]],
    'SELECT service, env, uniqExact(host)' => [['shop', 'prod', 2], ['blog', '', 1]],
    // One only: the page looks for regressions of others as long as its patience lasts.
    'SELECT service, env, sum(requests)' => [['shop', 'prod', ...$figures(90)]],
    'SELECT service, env FROM releases' => [['blog', ''], ['shop', 'prod']],
    'SELECT route, release, sum(requests)' => [
        [$order, '1.0', ...$figures(40)], [$order, '1.1', ...$figures(30)], [$cart, '1.1', ...$figures(20)],
        ['<script>alert(1)</script>', "\u{202E}1.1", ...$figures(1)],
    ],
    'SELECT service, env, sum(suspended)' => [['shop', 'prod', 150, 12_600_000]],
    'SELECT route, release, sum(suspended)' => [[$order, '1.1', 110, 9_000_000], [$cart, '1.1', 40, 3_600_000]],
    'SELECT release, env, toUnixTimestamp(min(first))' => [['1.1', 'prod', $at, $at + 3000], ['1.0', 'prod', $at - 86400, $at]],
    'SELECT release, sum(requests)' => [['1.0', 800], ['1.1', 1000]],
    'SELECT route, host, sum(requests)' => [
        [$order, 'web-1', 700, 3, 35_000_000], [$order, 'web-2', 700, 40, 52_000_000], [$cart, 'web-1', 200, 1, 12_000_000],
    ],
    $step . 'release, sum(requests), ' => [
        [$at, '1.0', ...$figures(10)], [$at, '1.1', ...$figures(4)], [$at + 1800, '1.1', ...$figures(9)],
    ],
    $step . 'service, env, ' => [[$at, 'shop', 'prod', ...$figures(10)], [$at + 1800, 'shop', 'prod', ...$figures(9)]],
    $step . 'release, sum(requests) FROM' => [[$at, '1.0', 200], [$at, '1.1', 80], [$at + 1800, '1.1', 180]],
    $step . 'release, sum(samples)' => [
        [$at, '1.0', 50, 5e8, 6e8], [$at, '1.1', 40, 4e8, 5e8], [$at + 1800, '1.1', 90, 9e8, 1e9],
    ],
    'SELECT fn, argMax(name, seen)' => [
        [$handle, 'App\Kernel::handle', '/srv/app/Kernel.php', 12], [$query, 'PDOStatement::execute', '', 0],
        [$evil, '<b>evil</b>', '/srv/<i>.php', 3],
    ],
    // Windows of a minute, with the requests of each route, and what a path of each has kept and released.
    'SELECT toUnixTimestamp(ts) AS at, route, stack' => array_merge(...array_map(static fn (int $minute): array => [
        [$at + 60 * $minute, $order, StableNumbers::noStack(), $at + 60 * $minute + 60, 1000, 0, 0, 0, 65536, $minute % 3],
        [$at + 60 * $minute, $cart, StableNumbers::noStack(), $at + 60 * $minute + 60, 500, 0, 0, 0, 65536, 0],
        [$at + 60 * $minute, $order, 2, $at + 60 * $minute + 60, 0, 40 << 16, 0, 40, 65536, 0],
        [$at + 60 * $minute, $cart, 1, $at + 60 * $minute + 60, 0, 60 << 16, 60 << 16, 120, 65536, 0],
    ], range(0, 9))),
    'SELECT sum(self_ns) AS met' => [[120e9]],
    'SELECT sum(self_ns) AS compiled' => [[3e9]],
    'SELECT DISTINCT fn, name' => [[$query, 'PDOStatement::execute']],
    'SELECT fn, sum(self_' => [[$query, 7e10], [$handle, 2e10], [$evil, 1e9]],
    'SELECT fn, release, sum(samples)' => [
        [$handle, '1.0', 900, 9_000_000_000, 50_000_000_000], [$handle, '1.1', 1100, 11_000_000_000, 70_000_000_000],
        [$query, '1.0', 2500, 25_000_000_000, 25_000_000_000], [$query, '1.1', 4500, 45_000_000_000, 45_000_000_000],
        [$evil, '1.1', 100, 1_000_000_000, 1_000_000_000],
    ],
    'SELECT route, sum(samples)' => [[$order, 5000, 50_000_000_000, 50_000_000_000], [$cart, 2000, 20_000_000_000, 21_000_000_000]],
    'SELECT r.route, r.host' => [[$order, 'web-1', 700, 3, 20_000_000_000], [$order, 'web-2', 700, 40, 30_000_000_000]],
    'SELECT path[' => [[$handle, '', 6000, 60_000_000_000], [0, $cart, 1000, 10_000_000_000]],
    'SELECT sum(requests), uniqExact(host)' => [[1800, 2, 1, 0, 1, 0, 2, 0, 2, 0, 2, 0]],
    'SELECT l.1 AS label' => [['team', 2, 1800, 100, 2]],
    'SELECT labels[' => [['checkout', 1200, 2], ['(other)', 600, 1]],
    'SELECT host AS one' => [['web-1', 900, 1], ['web-2', 900, 1]],
    'SELECT route, countIf(is_old)' => [[$order, 12, 12, 24, 24, 24000, 24000], [$cart, 1, 2, 1, 1, 20, 30]],
    'SELECT route, sumIf(n_old' => [[$order, 0, 0, 4, 12]],
    'SELECT route, fn, sum(taken0)' => [$slower($order, $query, 30_000_000), $slower($order, $handle, 8_000_000)],
    'SELECT route, fn, release, base' => [
        [$order, $query, '1.1', '1.0', 'slower', 'team <db>', '', 1.5e6, 0.0001, $at],
        [$cart, $handle, '1.1', '1.0', 'muted', '', 'known until Friday', 3e5, 0.004, $at - 900],
    ],
    'SELECT run, kind, route' => [
        ['a2-1', 'slowest', $order, 'web-1', '1.1', $at, 812_000, 100_000, 1],
        ['a2-2', 'random', $cart, 'web-2', '1.1', $at, 40_000, 9_000, 0],
    ],
    'SELECT route, stack, sum(samples)' => [[$order, 1, 300, 3e9, 1e9], [$order, 2, 700, 7e9, 1e9], [$cart, 1, 50, 5e8, 4e8]],
    'SELECT sum(samples)' => [[1050, 10_500_000_000, 2_400_000_000]],
    'SELECT route, stack, any(frames)' => [[$order, 1, [$handle]], [$order, 2, [$handle, $query]], [$cart, 1, [$handle, $evil]]],
    'SELECT service, host, uniqExact(key)' => [
        ['shop', 'web-1', 40, $future, $future, $future, -60], ['shop', 'web-2', 38, $future, $future, $future, 5],
    ],
    'SELECT host, toUnixTimestamp(min(at))' => [['web-1', $at, 40, 0, 0, 0, 0, 0], ['web-2', $at, 38, 2, 1, 3, 0, 7]],
    'SELECT table, sum(rows)' => [['samples', 120_000, 4_000_000], ['requests_10m', 900, 60_000], ['stacks_local', 5000, 700_000]],
    'SELECT toUnixTimestamp(toStartOfDay(ts)) AS day' => [[$at - 85_000, 2], [$at - $at % 86400, 2]],
    'SELECT count()' => [[10, $at - $at % 86400]],
    'SELECT count(), toUnixTimestamp(min(ts)), toUnixTimestamp(max(ts))' => [[40, $at, $at + 3600]],
];
