<?php

/**
 * Speed and size of a fleet's store: an hour of 200 hosts with windows of a minute, 20 routes, two releases, 11 million rows of
 * call paths. Needs the engine (make check-fleet installs it) and 2 GB of disk; takes some minutes:
 *
 *   php benchmarks/fleet.php [--hosts=N] [--minutes=N] [--rounds=N]
 *
 * The engine makes the rows itself, as one insert into the inbox for each minute, so that the views do what they do with what hosts
 * send. Prints for each question of `xhprof fleet` the best and the median wall time, and the least CPU time of the engine; what an
 * insert of ClickHouseOutput takes; the times of whole pages; and the size of each table, merged.
 */

declare(strict_types=1);

namespace XHProf\Bench\Fleet;

use XHProf\Demo\Fleet\Pages;
use XHProf\Demo\Fleet\SentWindow;
use XHProf\Fleet\ClickHouse\ClickHouseOutput;
use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\ClickHouse\Ddl;
use XHProf\Fleet\ClickHouse\Migrations;
use XHProf\Fleet\ClickHouse\Schema;
use XHProf\Fleet\ClickHouse\StableNumbers;
use XHProf\Fleet\Destination;
use XHProf\Fleet\Question\Flame;
use XHProf\Fleet\Question\Functions;
use XHProf\Fleet\Question\Ingestion;
use XHProf\Fleet\Question\KeptRequests;
use XHProf\Fleet\Question\Regressions;
use XHProf\Fleet\Question\Requests;
use XHProf\Fleet\Question\SampledClock;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\Shipment;
use XHProf\Profile\CallTree;
use XHProf\Run\RequestWindow;
use XHProf\Tools\Servers\ClickHouse;

require __DIR__ . '/../demo/fleet/autoload.php';

const SERVICE = 'shop';
const ROUTES = 20;
const STACKS = 500;
const FUNCTIONS = 3000;

/** Draws of call paths and of functions per run and route: some 47 and 90 different ones. */
const PATHS = 60;
const NAMES = 120;

/** Function of the frame number "depth" of the call path "path" of a route: paths of a route have their first frames in common. */
const FRAME = 'cityHash64(route, depth, path % toUInt64(exp2(least(depth, 9)))) % {functions:UInt32}';

/** Functions are numbered; this one has the number that its name gives it, as the page of a function looks for that. */
const KNOWN = 12;
const KNOWN_NAME = 'App\Part12\Service12::run';

/** @return float seconds of CPU time of a process and all of its threads */
function cpu(int $pid): float
{
    $fields = explode(' ', (string) preg_replace('/^.*\) /', '', (string) file_get_contents("/proc/$pid/stat")));

    return ((int) $fields[11] + (int) $fields[12]) / 100;
}

function fill(Client $client, int $begin, int $hosts, int $minutes): void
{
    $with = ['functions' => FUNCTIONS, 'stacks' => STACKS, 'known' => StableNumbers::fn(KNOWN_NAME)];
    $fn = static fn (string $number): string => "if($number = " . KNOWN . ', {known:UInt64}, toUInt64(' . $number . '))';
    $name = "concat('GET /route/', toString(route))";
    $client->run(
        "INSERT INTO functions SELECT 'shop', $name, {$fn('i')},"
            . " concat('App\\\\Part', toString(i % 97), '\\\\Service', toString(i), '::run'),"
            . " concat('src/Part', toString(i % 97), '/Service', toString(i), '.php'), 12, today()"
            . ' FROM (SELECT number % {functions:UInt32} AS i, intDiv(number, {functions:UInt32}) AS route'
            . ' FROM numbers({functions:UInt32} * ' . ROUTES . '))',
        $with,
    );
    $client->run(
        "INSERT INTO stacks SELECT 'shop', $name, bitShiftRight(cityHash64(route, path), 1),"
            . " arrayMap(depth -> {$fn(FRAME)}, range(5 + cityHash64(path) % 40)), today()"
            . ' FROM (SELECT number % {stacks:UInt32} AS path, intDiv(number, {stacks:UInt32}) AS route'
            . ' FROM numbers({stacks:UInt32} * ' . ROUTES . '))',
        $with,
    );
    $zero = static fn (string $of): string => "arrayResize([toUInt64(0)], length($of), 0)";
    $draw = 'toUInt64(pow((cityHash64(i, route, host, minute) % 1000003) / 1000003, 2) *';
    for ($minute = 0; $minute < $minutes; $minute++) {
        $client->run(
            'INSERT INTO inbox (key, run, service, env, route, release, host, php, ts, until, requests, failed, wall_us, cpu_us,'
                . ' slowest_us, walls, stacks, stack_samples, stack_wall_ns, stack_cpu_ns, functions, fn_samples, fn_self_ns,'
                . ' fn_total_ns, fn_self_cpu_ns, fn_total_cpu_ns)'
                . " SELECT concat(host, '/', toString(minute)), toString(minute), 'shop', 'production', $name,"
                . " if(minute * 2 < {minutes:UInt32}, 'v1', 'v2'), host, '8.2.36', at, at + 60,"
                . ' 200 AS n, 1, n * 50000, n * 20000, 400000, map(900 + number % 40, 150, 950 + number % 20, 50),'
                . ' paths, arrayMap((p, k) -> toUInt64(1 + (p + number + k) % 9), paths, arrayEnumerate(paths)) AS took,'
                . " arrayMap(k -> k * 10000000, took), {$zero('paths')},"
                . ' names, arrayMap((p, k) -> toUInt64(1 + (p + number + k) % 5), names, arrayEnumerate(names)) AS ran,'
                . " arrayMap(k -> k * 10000000, ran), arrayMap(k -> k * 30000000, ran), {$zero('names')}, {$zero('names')}"
                . ' FROM (SELECT number, number % ' . ROUTES . ' AS route,'
                . " concat('web-', toString(intDiv(number, " . ROUTES . '))) AS host,'
                . ' {minute:UInt32} AS minute, toDateTime({at:UInt32}, \'UTC\') AS at,'
                . " arrayDistinct(arrayMap(i -> bitShiftRight(cityHash64(route, $draw {stacks:UInt32})), 1),"
                . ' range(' . PATHS . '))) AS paths,'
                . " arrayDistinct(arrayMap(i -> {$fn("((route * 131 + $draw 600)) % {functions:UInt32})")},"
                . ' range(' . NAMES . '))) AS names'
                . ' FROM numbers({hosts:UInt32} * ' . ROUTES . '))',
            $with + ['hosts' => $hosts, 'minute' => $minute, 'minutes' => $minutes, 'at' => $begin + 60 * $minute],
        );
    }
    $client->run("INSERT INTO releases SELECT 'shop', 'production', concat('v', toString(number + 1)), toDateTime({at:UInt32})"
        . ' + number * 1800, toDateTime({at:UInt32}) + 3600 FROM numbers(2)', ['at' => $begin]);
    $client->run("INSERT INTO shipped (key, service, env, host, ts) SELECT concat('web-', toString(number % {hosts:UInt32}), '/',"
        . " toString(number)), 'shop', 'production', concat('web-', toString(number % {hosts:UInt32})), now()"
        . ' FROM numbers({hosts:UInt32} * {minutes:UInt32})', ['hosts' => $hosts, 'minutes' => $minutes]);
}

/** A run of a host as it comes from its folder: a minute of 20 routes with some 47 call paths each. */
function shipped(int $number, int $at): Shipment
{
    $names = ['main()'];
    $fn = $depth = $ct = $time = [0];
    $routes = [];
    for ($route = 0; $route < ROUTES; $route++) {
        $names[] = "GET /route/$route";
        [$fn[], $depth[], $ct[], $time[]] = [count($names) - 1, 1, 0, 0];
        for ($path = 0; $path < 47; $path++) {
            $names[] = "App\\Part$route\\Service$path::run";
            $samples = 1 + ($path + $number) % 9;
            [$fn[], $depth[], $ct[], $time[]] = [count($names) - 1, 2 + $path % 12, $samples, $samples * 10000000];
        }
        $routes["GET /route/$route"] = [
            'requests' => 200, 'samples' => 200, 'wall_us' => 10000000, 'max_us' => 400000, 'wall' => [900, 200],
        ];
    }
    $window = RequestWindow::fromMeta([
        'seconds' => 60, 'from' => $at, 'to' => $at + 60, 'requests' => 200 * ROUTES, 'processes' => 16, 'routes' => $routes,
    ]);
    $tree = CallTree::fromArray(['names' => $names, 'fn' => $fn, 'depth' => $depth, 'ct' => $ct, 'self' => ['wt' => $time]]);

    return SentWindow::shipment(
        "bench$number",
        "bench$number.auto",
        'other',
        'production',
        'v1',
        "bench-$number",
        $window ?? throw new \LogicException('no window'),
        $tree,
        10000,
    );
}

/** @return array<string, \Closure(): mixed> */
function questions(Client $client, int $begin, int $minutes): array
{
    $all = new Selection(SERVICE, from: $begin, to: $begin + 60 * $minutes);
    $route = new Selection(SERVICE, route: 'GET /route/3', from: $begin, to: $begin + 60 * $minutes);
    $host = new Selection(SERVICE, host: 'web-7', from: $begin, to: $begin + 60 * $minutes);
    $flame = new Flame($client);

    return [
        'services' => static fn () => (new Requests($client))->services(new Selection()),
        'routes' => static fn () => (new Requests($client))->routes($all),
        'releases' => static fn () => (new Requests($client))->releases($all),
        'hosts' => static fn () => (new Requests($client))->hosts($all, SampledClock::Wall),
        'functions' => static fn () => (new Functions($client))->top($all, SampledClock::Wall, 100),
        'functions of a route' => static fn () => (new Functions($client))->top($route, SampledClock::Wall, 100),
        'functions of a host' => static fn () => (new Functions($client))->top($host, SampledClock::Wall, 100),
        'regressions' => static fn () => (new Regressions($client))->between($all, 'v1', 'v2', SampledClock::Wall),
        'flame, all routes' => static fn () => $flame->tree($all, SampledClock::Wall),
        'flame, a route' => static fn () => $flame->tree($route, SampledClock::Wall),
        'flame, a host' => static fn () => $flame->tree($host, SampledClock::Wall),
        'exemplars' => static fn () => (new KeptRequests($client))->slowest($all, 20),
        'status' => static fn () => (new Ingestion($client))->hosts('', time()),
    ];
}

function main(int $hosts, int $minutes, int $rounds): void
{
    $server = new ClickHouse();
    $to = new Destination($server->url(), 'admin', ClickHouse::USERS['admin'], timeout: 600.0);
    $client = Client::fromDestination($to);
    (new Migrations($client, new Ddl()))->init();
    // An hour that is over.
    $begin = (intdiv(time(), 3600) - 2) * 3600;
    $start = [microtime(true), cpu($server->pid())];
    fill($client, $begin, $hosts, $minutes);
    [[$rows, $ofFunctions]] = $client->rows('SELECT count(), (SELECT sum(length(functions)) FROM inbox) FROM samples');
    printf(
        "%s rows of call paths, %s of functions, made and spread in %.0f s, %.0f s of CPU time\n",
        number_format((int) $rows),
        number_format((int) $ofFunctions),
        microtime(true) - $start[0],
        cpu($server->pid()) - $start[1],
    );

    echo "\nAs it came, not merged by hand:\n";
    ask($server, $client, $begin, $minutes, $rounds);

    echo "\nInserts of ClickHouseOutput, one run of 20 routes and 940 call paths each:\n";
    $output = new ClickHouseOutput($client);
    $output->send([shipped(0, $begin)]);
    $runs = array_map(static fn (int $number): Shipment => shipped($number, $begin), range(1, 100));
    $own = static fn (): float => array_sum(array_map(static fn (string $kind): float
        => (getrusage()["ru_$kind.tv_sec"] ?? 0) + (getrusage()["ru_$kind.tv_usec"] ?? 0) / 1e6, ['utime', 'stime']));
    $start = [microtime(true), cpu($server->pid()), $own()];
    $output->send($runs);
    $took = [microtime(true) - $start[0], cpu($server->pid()) - $start[1], $own() - $start[2]];
    printf(
        "%.0f rows of call paths/s; an insert: %.0f ms, %.0f ms of the engine's CPU time, %.1f ms of PHP's\n",
        100 * 940 / $took[0],
        10 * $took[0],
        10 * $took[1],
        10 * $took[2],
    );

    echo "\nMerged:\n";
    foreach (Schema::tables() as $table) {
        $client->run("OPTIMIZE TABLE $table->name FINAL");
    }
    ask($server, $client, $begin, $minutes, $rounds);
    echo "\nPages of the same hour, with everything on them:\n";
    open(new Pages($server), $begin, $minutes, $rounds);
    $sizes = $client->rows('SELECT table, sum(rows), sum(bytes_on_disk) FROM system.parts WHERE active'
        . ' AND database = currentDatabase() GROUP BY table ORDER BY sum(bytes_on_disk) DESC');
    foreach ($sizes as [$table, $count, $bytes]) {
        if ($count > 0 && is_string($table)) {
            $size = sprintf('%8.1f MB %8.1f bytes/row', $bytes / 1e6, $bytes / $count);
            printf("%-16s %12s rows %s\n", $table, number_format((int) $count), $size);
        }
    }
    printf("the engine: %.0f MB of resident memory\n", $server->memory() / 1e6);
}

/** Times of whole pages, until the last byte. */
function open(Pages $pages, int $begin, int $minutes, int $rounds): void
{
    $day = static fn (int $at): string => gmdate('Y-m-d H:i', $at);
    $asked = ['from' => $day($begin), 'to' => $day($begin + 60 * $minutes - 1), 'service' => SERVICE];
    $views = ['overview' => []];
    foreach (['routes', 'functions', 'flame', 'regressions', 'hosts', 'releases', 'requests', 'data'] as $show) {
        $views[$show] = ['show' => $show];
    }
    $views['a function'] = ['show' => 'functions', 'symbol' => KNOWN_NAME];
    $views['a route'] = ['show' => 'routes', 'route' => 'GET /route/3'];
    $addresses = array_map(
        static fn (array $view): string => 'index.php?' . http_build_query(['view' => 'fleet'] + $view + $asked),
        $views,
    );
    $cookie = '';
    $get = static function (string $address) use (&$cookie, $pages): string {
        $options = ['header' => "Cookie: $cookie", 'follow_location' => 0, 'ignore_errors' => true];
        $body = (string) file_get_contents("$pages->site/$address", false, stream_context_create(['http' => $options]));
        foreach ($http_response_header as $line) {
            if (preg_match('/^Set-Cookie: ([^;]+)/i', $line, $found) === 1) {
                $cookie .= ($cookie === '' ? '' : '; ') . $found[1];
            }
        }

        return $body;
    };
    $get("index.php?token=$pages->token");
    // The page draws what it then asks for.
    preg_match('~api\.php\?get=fleet-tree[^"]*~', $get($addresses['flame']), $found);
    $addresses['call paths of flame'] = html_entity_decode($found[0] ?? '');
    foreach ($addresses as $name => $address) {
        $body = $get($address);
        $isWhole = str_contains($body, '</main>') || is_array(json_decode($body, true));
        if (!$isWhole || str_contains($body, ' have arrived (')) {
            throw new \RuntimeException("$name is not whole, or has nothing to show: $address");
        }
        $walls = [];
        for ($round = 0; $round < $rounds; $round++) {
            $start = microtime(true);
            $get($address);
            $walls[] = 1000 * (microtime(true) - $start);
        }
        sort($walls);
        printf("%-22s %7.0f ms, median %7.0f ms\n", $name, $walls[0], $walls[intdiv(count($walls), 2)]);
    }
}

function ask(ClickHouse $server, Client $client, int $begin, int $minutes, int $rounds): void
{
    foreach (questions($client, $begin, $minutes) as $name => $question) {
        // Once for the caches.
        $question();
        $walls = [];
        $least = INF;
        for ($round = 0; $round < $rounds; $round++) {
            $start = [microtime(true), cpu($server->pid())];
            $question();
            $walls[] = 1000 * (microtime(true) - $start[0]);
            $least = min($least, 1000 * (cpu($server->pid()) - $start[1]));
        }
        sort($walls);
        $median = $walls[intdiv(count($walls), 2)];
        printf("%-22s %7.0f ms, median %7.0f ms; engine %5.0f ms of CPU time\n", $name, $walls[0], $median, $least);
    }
}

$options = getopt('', ['hosts:', 'minutes:', 'rounds:']) ?: [];
$number = static fn (string $name, int $default): int
    => is_string($options[$name] ?? null) ? max(1, (int) $options[$name]) : $default;
main($number('hosts', 200), $number('minutes', 60), $number('rounds', 5));
