<?php

declare(strict_types=1);

namespace XHProf\Fleet\ClickHouse;

use XHProf\Exception\SendError;
use XHProf\Export\JsonRun;
use XHProf\Export\Sink;
use XHProf\Fleet\Destination;
use XHProf\Fleet\Rejected;
use XHProf\Fleet\ShippedRun;
use XHProf\Fleet\ShipperReport;
use XHProf\Fleet\TakesReports;
use XHProf\Fleet\Unavailable;
use XHProf\Profile\CallTree;
use XHProf\Store\MadeRun;
use XHProf\Store\RunMeta;

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
    public static function of(Destination $to): self
    {
        return new self(Client::of($to));
    }

    public function name(): string
    {
        return $this->client->name();
    }

    public function send(array $runs): void
    {
        self::attempt(function () use ($runs): void {
            foreach (self::groups($this->unknown($runs)) as $group) {
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
     * @param list<ShippedRun> $runs
     *
     * @return iterable<non-empty-list<ShippedRun>>
     */
    private static function groups(array $runs): iterable
    {
        $group = [];
        $nodes = 0;
        foreach ($runs as $run) {
            $group[] = $run;
            $nodes += $run->tree->count();
            foreach ($run->exemplars as $one) {
                $nodes += $one->tree->count();
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

    /** @param non-empty-list<ShippedRun> $runs */
    private function sendNew(array $runs): void
    {
        $routes = array_map(RouteRows::of(...), $runs);
        $this->sendNames($runs, $routes);
        $this->insertRecords('releases', array_map(static fn (ShippedRun $run): array => [
            'service' => $run->service,
            'env' => $run->env,
            'release' => $run->release,
            'first' => RouteRows::second($run->from),
            'last' => RouteRows::second($run->to),
        ], $runs));
        $this->insertRecords('exemplars', array_merge(...array_map(self::exemplars(...), $runs)));
        foreach ($runs as $i => $run) {
            $rows = array_map(static fn (RouteRows $route): array => $route->row($run), $routes[$i]);
            $this->insertRecords(Schema::INBOX, $rows, $run->key);
        }
        $this->insertRecords('shipped', array_map(static fn (ShippedRun $run): array => [
            'key' => $run->key,
            'service' => $run->service,
            'env' => $run->env,
            'host' => $run->host,
            'ts' => RouteRows::second($run->to),
        ], $runs));
    }

    /**
     * @param non-empty-list<ShippedRun> $runs
     *
     * @return list<ShippedRun> those that are not complete in the store, each once
     */
    private function unknown(array $runs): array
    {
        $byKey = [];
        foreach ($runs as $run) {
            $byKey["\0$run->key"] = $run;
        }
        $keys = array_map(static fn (ShippedRun $run): string => $run->key, array_values($byKey));
        $list = json_encode($keys, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE);
        $found = $this->client->rows(self::LOOK_UP, ['keys' => $list]);
        foreach ($found as [$key]) {
            unset($byKey["\0" . (is_string($key) ? $key : '')]);
        }

        return array_values($byKey);
    }

    /**
     * @param list<ShippedRun>      $runs
     * @param list<list<RouteRows>> $routes of each
     */
    private function sendNames(array $runs, array $routes): void
    {
        // Once a day each, so that what is in use does not expire.
        $day = intdiv(time(), 86400);
        if ($day !== $this->day || count($this->sent) > self::REMEMBERED) {
            [$this->sent, $this->day] = [[], $day];
        }
        $new = ['functions' => [], 'stacks' => []];
        foreach ($routes as $i => $ofRun) {
            foreach ($ofRun as $route) {
                $tables = ['functions' => $route->functionRows($runs[$i]), 'stacks' => $route->stackRows($runs[$i])];
                foreach ($tables as $table => $rows) {
                    foreach ($rows as $row) {
                        $key = Names::row($table, $row);
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

    /** @return list<array<string, mixed>> rows of the table "exemplars" */
    private static function exemplars(ShippedRun $run): array
    {
        $common = [
            'service' => $run->service, 'env' => $run->env, 'release' => $run->release, 'host' => $run->host, 'php' => $run->php,
            'labels' => (object) $run->labels,
        ];
        if ($run->window === null) {
            return [$common + [
                'route' => $run->route ?? '',
                'ts' => RouteRows::second($run->from),
                'run' => "$run->id.$run->source",
                'kind' => $run->mode,
                'wall_us' => max(0, $run->wallUs ?? 0),
                'cpu_us' => max(0, $run->cpuUs ?? 0),
                'failed' => (int) $run->isFailed,
                'trace_id' => $run->traceId ?? '',
                'span_id' => $run->spanId ?? '',
                'body' => self::body($run, $run->tree, $run->route ?? $run->mode, $run->from, $run->wallUs),
            ]];
        }
        $rows = [];
        foreach ($run->exemplars as $one) {
            $began = $one->at > 0 ? $one->at - $one->wallUs / 1e6 : $run->from;
            $rows[] = $common + [
                'route' => $one->route,
                'ts' => RouteRows::second($began),
                'run' => $one->run,
                'kind' => $one->kind,
                'wall_us' => max(0, $one->wallUs),
                'cpu_us' => max(0, $one->cpuUs),
                'failed' => (int) $one->isFailed,
                'trace_id' => '',
                'span_id' => '',
                'body' => self::body($run, $one->tree, $one->route, $began, $one->wallUs),
            ];
        }

        return $rows;
    }

    /** The whole run as bin/xhprof import reads it. */
    private static function body(ShippedRun $run, CallTree $tree, string $title, float $began, ?int $wallUs): string
    {
        $meta = RunMeta::fromArray([
            'ts' => $began,
            'duration_us' => $wallUs,
            'host' => $run->host,
            'php' => $run->php,
            'route' => $title,
        ] + ($run->interval > 0
            ? RunMeta::ofSamples(isset($tree->self['wt']) ? 'wall' : 'cpu', array_sum($tree->ct), $run->interval)
            : ['mode' => $run->mode]));
        $profile = $tree->toEdges()->sampled($meta->recording->sampleCount());
        $text = '';
        $sink = Sink::toText($text);
        (new JsonRun())->write(new MadeRun(null, $title, $meta, $tree, $profile), $sink);
        $sink->end();

        return $text;
    }
}
