<?php

declare(strict_types=1);

namespace XHProf\Fleet\ClickHouse;

use XHProf\Exception\SendError;
use XHProf\Export\JsonRun;
use XHProf\File\Sink;
use XHProf\Fleet\Destination;
use XHProf\Fleet\Rejected;
use XHProf\Fleet\Shipment;
use XHProf\Fleet\ShipperReport;
use XHProf\Fleet\TakesReports;
use XHProf\Fleet\Unavailable;
use XHProf\Profile\CallTree;
use XHProf\Run\MadeRun;
use XHProf\Run\RunMeta;

/**
 * Puts runs into a ClickHouse. Each counts once there, however often and with whichever others it is sent: its figures are one
 * insert, which carries its key, and the table "shipped" has the keys of those that are complete. Names, call paths and exemplars
 * may come twice, for of equal rows one stays; they come first, so that figures have names.
 */
final class ClickHouseOutput implements TakesReports
{
    /** Names and call paths that this process remembers to have sent. */
    private const REMEMBERED = 100000;

    /** Nodes of the trees of runs whose rows are made at once: a node takes a kilobyte meanwhile. */
    private const NODES = 2000;

    private const LOOK_UP = "SELECT key FROM shipped WHERE key IN (SELECT arrayJoin(JSONExtract({keys:String}, 'Array(String)')))";

    /** @var array<int, true> by hash */
    private array $sent = [];

    private int $day = 0;

    public function __construct(private readonly Client $client)
    {
    }

    /** @throws SendError if it is no address of a ClickHouse */
    public static function fromDestination(Destination $to): self
    {
        return new self(Client::fromDestination($to));
    }

    public function name(): string
    {
        return $this->client->name();
    }

    public function send(array $shipments): void
    {
        self::attempt(function () use ($shipments): void {
            foreach (self::groups($this->unknown($shipments)) as $group) {
                $this->sendNew($group);
            }
        });
    }

    public function report(ShipperReport $report): void
    {
        $row = ['at' => RouteRows::second($report->at), 'oldest' => $report->oldest ?? 0] + get_object_vars($report);
        self::attempt(fn () => $this->insertRecords('shippers', [$row]));
    }

    /**
     * @param \Closure(): void $work
     *
     * @throws Rejected|Unavailable
     */
    private static function attempt(\Closure $work): void
    {
        try {
            $work();
        } catch (QueryFailed $e) {
            throw $e->isOfData() ? new Rejected($e->getMessage(), 0, $e) : new Unavailable($e->getMessage(), previous: $e);
        } catch (SendError $e) {
            throw new Unavailable($e->getMessage(), previous: $e);
        }
    }

    /**
     * @param list<Shipment> $shipments
     *
     * @return iterable<non-empty-list<Shipment>>
     */
    private static function groups(array $shipments): iterable
    {
        $group = [];
        $nodes = 0;
        foreach ($shipments as $shipment) {
            $group[] = $shipment;
            foreach ([$shipment->tree(), ...array_column($shipment->exemplars, 'tree')] as $tree) {
                $nodes += $tree->count();
            }
            if ($nodes >= self::NODES) {
                yield $group;
                [$group, $nodes] = [[], 0];
            }
        }
        if ($group !== []) {
            yield $group;
        }
    }

    /** @param non-empty-list<Shipment> $shipments */
    private function sendNew(array $shipments): void
    {
        $routes = array_map(RouteRows::fromShipment(...), $shipments);
        $this->sendNames($shipments, $routes);
        $this->insertRecords('releases', array_map(static fn (Shipment $shipment): array => [
            'service' => $shipment->service,
            'env' => $shipment->env,
            'release' => (string) $shipment->run->meta()->origin->release,
            'first' => RouteRows::second($shipment->from()),
            'last' => RouteRows::second($shipment->to()),
        ], $shipments));
        $this->insertRecords('exemplars', array_merge(...array_map(self::exemplars(...), $shipments)));
        $this->sendKept($shipments, $routes);
        foreach ($shipments as $i => $shipment) {
            $rows = array_map(static fn (RouteRows $route): array => $route->row($shipment), $routes[$i]);
            // Without them, a store that was not upgraded yet takes the rows, too.
            $isPlain = array_sum(array_column($rows, 'suspended')) === 0;
            $rows = array_map(static fn (array $row): array
                => $isPlain ? array_diff_key($row, Schema::suspendedColumns()) : $row, $rows);
            $this->insertRecords(Schema::INBOX, $rows, $shipment->key);
        }
        $this->insertRecords('shipped', array_map(static fn (Shipment $shipment): array => [
            'key' => $shipment->key,
            'service' => $shipment->service,
            'env' => $shipment->env,
            'host' => (string) $shipment->run->meta()->origin->host,
            'ts' => RouteRows::second($shipment->to()),
        ], $shipments));
    }

    /**
     * Sends what requests keep, which a store of version 1 has no table for.
     *
     * @param list<Shipment>        $shipments
     * @param list<list<RouteRows>> $routes of each
     */
    private function sendKept(array $shipments, array $routes): void
    {
        $rows = [];
        foreach ($routes as $i => $ofRun) {
            $unfollowed = $shipments[$i]->run->meta()->window->unfollowed ?? 0;
            foreach ($ofRun as $route) {
                $own = $route->keptRows($shipments[$i], $unfollowed);
                $unfollowed = $own === [] ? $unfollowed : 0;
                array_push($rows, ...$own);
            }
        }
        try {
            $this->insertRecords(Schema::KEPT, $rows);
        } catch (QueryFailed $e) {
            if (!$e->isOfUnknownTable()) {
                throw $e;
            }
        }
    }

    /**
     * @param non-empty-list<Shipment> $shipments
     *
     * @return list<Shipment> those that are not complete in the store, each once
     */
    private function unknown(array $shipments): array
    {
        $byKey = [];
        foreach ($shipments as $shipment) {
            $byKey["\0$shipment->key"] = $shipment;
        }
        $keys = array_column(array_values($byKey), 'key');
        $list = json_encode($keys, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE);
        $found = $this->client->rows(self::LOOK_UP, ['keys' => $list]);
        foreach ($found as [$key]) {
            unset($byKey["\0" . (is_string($key) ? $key : '')]);
        }

        return array_values($byKey);
    }

    /**
     * @param list<Shipment>        $shipments
     * @param list<list<RouteRows>> $routes of each
     */
    private function sendNames(array $shipments, array $routes): void
    {
        // Once a day each, so that what is in use does not expire.
        $day = intdiv(time(), 86400);
        if ($day !== $this->day || count($this->sent) > self::REMEMBERED) {
            [$this->sent, $this->day] = [[], $day];
        }
        $new = ['functions' => [], 'stacks' => []];
        foreach ($routes as $i => $ofRun) {
            foreach ($ofRun as $route) {
                $tables = ['functions' => $route->functionRows($shipments[$i]), 'stacks' => $route->stackRows($shipments[$i])];
                foreach ($tables as $table => $rows) {
                    foreach ($rows as $row) {
                        $key = StableNumbers::row($table, $row);
                        if (!isset($this->sent[$key])) {
                            $new[$table][$key] = [...$row, $day];
                        }
                    }
                }
            }
        }
        foreach ($new as $table => $rows) {
            $this->client->insert($table, array_keys(Schema::table($table)->columns), array_values($rows));
            $this->sent += array_fill_keys(array_keys($rows), true);
        }
    }

    /** @param list<array<string, mixed>> $records by column, all with the same columns */
    private function insertRecords(string $table, array $records, ?string $token = null): void
    {
        if ($records !== []) {
            $this->client->insert($table, array_keys($records[0]), array_map(array_values(...), $records), $token);
        }
    }

    /** @return list<array<string, mixed>> rows of the table "exemplars": what a window has kept, or the run itself */
    private static function exemplars(Shipment $shipment): array
    {
        $run = $shipment->run;
        $meta = $run->meta();
        $itself = [
            'id' => $run->id, 'route' => (string) $meta->origin->route, 'kind' => (string) $meta->recording->mode, 'ended' => 0,
            'wall_us' => $meta->totals->suspendedUs === null ? $meta->totals->figures['wt'] ?? $meta->totals->durationUs
                : $meta->totals->wholeUs(),
            'cpu_us' => $meta->totals->figures['cpu'] ?? 0,
            'failed' => $meta->isFailed(), 'tree' => $shipment->tree(),
        ];
        $rows = [];
        foreach ($meta->window === null ? [$itself] : $shipment->exemplars as $one) {
            $title = $one['route'] === '' ? $one['kind'] : $one['route'];
            $began = $one['ended'] > 0 ? $one['ended'] - ($one['wall_us'] ?? 0) / 1e6 : $shipment->from();
            $rows[] = [
                'service' => $shipment->service,
                'env' => $shipment->env,
                'release' => (string) $meta->origin->release,
                'host' => (string) $meta->origin->host,
                'php' => (string) $meta->origin->php,
                'labels' => (object) $shipment->labels,
                'route' => $one['route'],
                'ts' => RouteRows::second($began),
                'run' => (string) ($one['id'] ?? $run->id),
                'kind' => $one['kind'],
                'wall_us' => max(0, $one['wall_us'] ?? 0),
                'cpu_us' => max(0, $one['cpu_us']),
                'failed' => (int) $one['failed'],
                'trace_id' => $one['trace_id'] ?? $meta->origin->traceId ?? '',
                'span_id' => $one['span_id'] ?? $meta->origin->spanId ?? '',
                'body' => self::body($shipment, $one['tree'], $title, $began, $one['wall_us']),
            ];
        }

        return $rows;
    }

    /** The whole run as bin/xhprof import reads it. */
    private static function body(Shipment $shipment, CallTree $tree, string $title, float $began, ?int $wallUs): string
    {
        $interval = $shipment->interval();
        $meta = RunMeta::fromArray([
            'ts' => $began,
            'duration_us' => $wallUs,
            'host' => (string) $shipment->run->meta()->origin->host,
            'php' => (string) $shipment->run->meta()->origin->php,
            'route' => $title,
        ] + ($interval > 0
            ? RunMeta::ofSamples(isset($tree->self['wt']) ? 'wall' : 'cpu', array_sum($tree->ct), $interval)
            : ['mode' => $shipment->run->meta()->recording->mode]));
        $profile = $tree->toEdges()->sampled($meta->recording->sampleCount());
        $text = '';
        $sink = Sink::toText($text);
        (new JsonRun())->write(new MadeRun(null, $title, $meta, $tree, $profile), $sink);
        $sink->end();

        return $text;
    }
}
