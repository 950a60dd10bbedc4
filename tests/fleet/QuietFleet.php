<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use XHProf\Fleet\ClickHouse\Client;

/**
 * A fleet without a change, as rows of the store's own tables that the engine makes: each day at ten a release that is as the one
 * before. Yet nothing stands still: load, and with it all times, go up and down with the hour, 10 minutes are like those before,
 * hosts differ, for an hour a day a third of the functions takes twice as long everywhere, and samples come by chance. All of it is
 * hashed from the seed: the same seed, the same fleet.
 */
final class QuietFleet
{
    public const SERVICE = 'quiet';

    /** The route, and the number of the function that may be slower. */
    public const SLOWER = ['GET /2', 1];

    private const SLOTS = 144;
    private const SLOT = 600;

    /** Slots of the day before the release, and those of an incident. */
    private const RELEASED = 60;
    private const INCIDENT = 6;

    /** The first midnight, seconds since 1970: long ago, so the tables must keep all. */
    private const BEGIN = 1762819200;

    /**
     * @param int      $functions of a route
     * @param float    $busy      share by which times are longer at noon than in the mean, and shorter at midnight
     * @param int|null $slowerOn  day from whose release on a function of a route takes a fifth more, see SLOWER; null: none
     */
    public function __construct(
        private readonly Client $client,
        private readonly int $seed,
        private readonly int $days = 21,
        private readonly int $hosts = 10,
        private readonly int $routes = 8,
        private readonly int $functions = 40,
        private readonly float $busy = 0.15,
        private readonly ?int $slowerOn = null,
    ) {
    }

    public function release(int $day): string
    {
        return sprintf('2026.%02d', $day);
    }

    /** @return int when the release of a day came, seconds since 1970 */
    public function released(int $day): int
    {
        return self::BEGIN + ($day * self::SLOTS + self::RELEASED) * self::SLOT;
    }

    public function fill(): void
    {
        // Of a cell: a hash of what follows, as one of a normal distribution.
        $u = static fn (string $of): string => "((cityHash64({seed:UInt32}, $of) % 16777216 + 0.5) / 16777216)";
        $z = static fn (string $of): string => "(sqrt(-2 * log({$u("$of, 1")})) * cos(2 * pi() * {$u("$of, 2")}))";
        $common = "intDiv(slot - {released:UInt32} + {slots:UInt32}, {slots:UInt32}) - 1 AS day,"
            . " concat('2026.', leftPad(toString(day), 2, '0')) AS release,"
            . ' toDateTime({begin:UInt32} + slot * 600, \'UTC\') AS at,'
            . ' slot % {slots:UInt32} AS moment,'
            . ' 1 - cos(2 * pi() * (moment - 12) / {slots:UInt32}) AS load,'
            // Of this and the slots before it.
            . " ({$z("'all', slot")} + {$z("'all', slot + 1")}"
            . " + {$z("'all', slot + 2")} + {$z("'all', slot + 3")}) / 2 AS weather,"
            . " 1 + 0.02 * {$z("'host', host")} AS speed,"
            . ' greatest(0, round(3000 / (1 + route) * (0.1 + load) * exp(0.1 * weather'
            . " + 0.05 * {$z("'n', route, host, slot")}))) AS n,"
            . " exp({busy:Float64} * (load - 1) + 0.03 * weather + 0.03 * {$z("'cell', route, host, slot")}) * speed AS slow";
        $cells = 'SELECT *, ' . $common . ' FROM (SELECT number % {hosts:UInt32} AS host,'
            . ' intDiv(number, {hosts:UInt32}) % {routes:UInt32} AS route,'
            . ' intDiv(number, {hosts:UInt32} * {routes:UInt32}) + {released:UInt32} AS slot'
            . ' FROM numbers(toUInt64({all:UInt32}) * {hosts:UInt32} * {routes:UInt32}))';
        $with = [
            'seed' => $this->seed, 'hosts' => $this->hosts, 'routes' => $this->routes, 'slots' => self::SLOTS,
            'begin' => self::BEGIN, 'released' => self::RELEASED, 'all' => self::SLOTS * $this->days, 'busy' => $this->busy,
        ];
        $this->client->run(
            'INSERT INTO requests_10m (service, env, route, ts, release, host, requests, wall_us)'
                . " SELECT 'quiet', '', concat('GET /', toString(route)), at, release, concat('web-', toString(host)), n,"
                . " n * 50000 * slow FROM ($cells) WHERE n > 0",
            $with,
        );
        // The first functions take milliseconds of a request, the last ones are rarely seen. A third of them waits for a database,
        // which has its bad hour each day.
        $mean = 'n * slow * 3 / (1 + fn) * exp(0.05 * ' . $z("'fn', fn, route, host, slot") . ')'
            . ' * if(fn % 3 = 0 AND (moment + {slots:UInt32} - cityHash64({seed:UInt32}, day) % {slots:UInt32}) % {slots:UInt32}'
            . ' < {incident:UInt32}, 2, 1)'
            . ' * if(route = 2 AND fn = 1 AND day >= {slower:UInt32}, 1.2, 1)';
        $this->client->run(
            'INSERT INTO functions_all_10m (service, env, route, fn, ts, release, samples, self_ns, total_ns)'
                . " SELECT 'quiet', '', concat('GET /', toString(route)), fn, at, release,"
                . " greatest(0, round(mean + sqrt(mean) * {$z("'taken', fn, route, host, slot")})) AS taken,"
                . ' taken * 10000000, taken * 10000000'
                . " FROM (SELECT *, fn, $mean AS mean FROM ($cells) ARRAY JOIN range({functions:UInt32}) AS fn) WHERE taken > 0",
            $with + ['functions' => $this->functions, 'incident' => self::INCIDENT, 'slower' => $this->slowerOn ?? 0xFFFF],
        );
    }
}
