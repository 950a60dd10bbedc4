<?php

declare(strict_types=1);

namespace XHProf\Fleet\ClickHouse;

/**
 * All tables of the store. A host inserts one row per run and route into the inbox; views make of it, in the same insert, the table
 * of call paths and all sums. So one token, the run's key, guards all of them. What may come twice without harm (names, call paths,
 * exemplars, releases, what requests keep) is inserted by itself: of equal rows one stays.
 *
 * Times of call paths and functions are nanoseconds, those of requests microseconds, as runs have them. A sum is of windows that
 * began in its stretch of time.
 */
final class Schema
{
    public const INBOX = 'inbox';
    public const VERSIONS = 'schema_versions';

    /** What requests keep by call path: a row for the route itself too, which has their number. Since version 2. */
    public const KEPT = 'kept';

    /** Ending for the name of the table on each shard, in a cluster where the name itself is that of the table of all shards. */
    public const LOCAL = '_local';

    private const NAME = 'LowCardinality(String)';

    /** Sums by length of their stretches: what begins one, its partitions, how long it is kept. */
    private const STEPS = [
        '10m' => ['toStartOfInterval(i.ts, INTERVAL 10 MINUTE)', 'toMonday(ts)', TableRetention::TenMinutes],
        '1h' => ['toStartOfHour(i.ts)', 'toYYYYMM(ts)', TableRetention::Hours],
        '1d' => ['toStartOfDay(i.ts, \'UTC\')', 'toYear(ts)', TableRetention::Days],
    ];

    private const WHERE = ['service' => self::NAME, 'env' => self::NAME, 'route' => self::NAME];

    private const TIME = ['ts' => "DateTime('UTC') CODEC(Delta, ZSTD(1))"];

    private const RELEASE = ['release' => self::NAME];

    private const HOST = ['host' => self::NAME];

    private const LABELS = ['labels' => 'Map(LowCardinality(String), String)'];

    private const STACK = ['stack' => 'UInt64'];

    private const SAMPLED = [
        'samples' => 'UInt64 CODEC(T64, ZSTD(1))',
        'wall_ns' => 'UInt64 CODEC(T64, ZSTD(1))',
        'cpu_ns' => 'UInt64 CODEC(T64, ZSTD(1))',
    ];

    private const FUNCTION_SUMS = [
        'samples' => 'UInt64 CODEC(T64, ZSTD(1))',
        'self_ns' => 'UInt64 CODEC(T64, ZSTD(1))',
        'total_ns' => 'UInt64 CODEC(T64, ZSTD(1))',
        'self_cpu_ns' => 'UInt64 CODEC(T64, ZSTD(1))',
        'total_cpu_ns' => 'UInt64 CODEC(T64, ZSTD(1))',
    ];

    private const REQUEST_SUMS = [
        'requests' => 'SimpleAggregateFunction(sum, UInt64)',
        'failed' => 'SimpleAggregateFunction(sum, UInt64)',
        'aborted' => 'SimpleAggregateFunction(sum, UInt64)',
        'wall_us' => 'SimpleAggregateFunction(sum, UInt64)',
        'cpu_us' => 'SimpleAggregateFunction(sum, UInt64)',
        'slowest_us' => 'SimpleAggregateFunction(max, UInt64)',
        'walls' => 'SimpleAggregateFunction(sumMap, Map(UInt16, UInt64))',
    ];

    /** Of the few requests that were suspended. */
    private const SUSPENDED_SUMS = [
        'suspended' => 'UInt64 CODEC(T64, ZSTD(1))',
        'suspended_us' => 'UInt64 CODEC(T64, ZSTD(1))',
    ];

    /** Columns of the inbox that are lists: per call path, and per function. */
    private const STACK_LISTS = [
        'stacks' => 'stack', 'stack_samples' => 'samples', 'stack_wall_ns' => 'wall_ns', 'stack_cpu_ns' => 'cpu_ns',
    ];

    private const FUNCTION_LISTS = [
        'functions' => 'fn', 'fn_samples' => 'samples', 'fn_self_ns' => 'self_ns', 'fn_total_ns' => 'total_ns',
        'fn_self_cpu_ns' => 'self_cpu_ns', 'fn_total_cpu_ns' => 'total_cpu_ns',
    ];

    /** @return list<StoreTable> a table before those that are made of it */
    public static function tables(): array
    {
        return [
            new StoreTable(
                self::VERSIONS,
                ['version' => 'UInt32', 'at' => "DateTime('UTC') DEFAULT now()"],
                'ReplacingMergeTree(at)',
                ['version'],
                shard: ['version'],
            ),
            self::inbox(),
            new StoreTable(
                'samples',
                self::WHERE + self::TIME + self::RELEASE + self::STACK + self::HOST + self::LABELS + self::SAMPLED,
                'MergeTree',
                ['service', 'env', 'route', 'ts', 'release', 'stack', 'host'],
                'toDate(ts)',
                'ts',
                TableRetention::Raw,
                from: self::spread(self::STACK_LISTS, 'i.ts', ['release', 'host', 'labels']),
            ),
            ...self::sums('samples', self::STACK, self::SAMPLED, self::STACK_LISTS),
            // With host, so that it is known where a function got slower.
            self::functionSums('functions_10m', '10m', self::HOST + self::LABELS),
            // What got slower is asked of all hosts together: of those there are so many times as many rows.
            self::functionSums('functions_all_10m', '10m', []),
            self::functionSums('functions_1h', '1h', []),
            self::requestSums('10m', self::HOST + self::LABELS),
            self::requestSums('1h', []),
            self::requestSums('1d', []),
            ...self::suspended(),
            new StoreTable(
                'stacks',
                [
                    'service' => self::NAME, 'route' => self::NAME, 'stack' => 'UInt64', 'frames' => 'Array(UInt64)',
                    'seen' => 'Date',
                ],
                'ReplacingMergeTree(seen)',
                ['service', 'route', 'stack'],
                time: 'seen',
                keep: TableRetention::Names,
            ),
            new StoreTable(
                'functions',
                [
                    'service' => self::NAME, 'route' => self::NAME, 'fn' => 'UInt64', 'name' => 'String', 'file' => 'String',
                    'line' => 'UInt32', 'seen' => 'Date',
                ],
                'ReplacingMergeTree(seen)',
                ['service', 'route', 'fn'],
                time: 'seen',
                keep: TableRetention::Names,
            ),
            new StoreTable(
                'releases',
                ['service' => self::NAME, 'env' => self::NAME] + self::RELEASE + [
                    'first' => "SimpleAggregateFunction(min, DateTime('UTC'))",
                    'last' => "SimpleAggregateFunction(max, DateTime('UTC'))",
                ],
                'AggregatingMergeTree',
                ['service', 'env', 'release'],
                shard: ['service'],
            ),
            new StoreTable(
                'exemplars',
                self::WHERE + self::TIME + self::RELEASE + self::HOST + self::LABELS + [
                    'run' => 'String', 'kind' => self::NAME, 'php' => self::NAME, 'wall_us' => 'UInt64', 'cpu_us' => 'UInt64',
                    'failed' => 'UInt8', 'trace_id' => 'String', 'span_id' => 'String', 'body' => 'String CODEC(ZSTD(6))',
                ],
                'ReplacingMergeTree',
                ['service', 'env', 'route', 'ts', 'host', 'run'],
                'toDate(ts)',
                'ts',
                TableRetention::Exemplars,
            ),
            new StoreTable(
                self::KEPT,
                self::WHERE + self::TIME + self::RELEASE + self::HOST + self::LABELS + self::STACK + [
                    'run' => 'String', 'until' => "DateTime('UTC')", 'sampled' => 'UInt64', 'unfollowed' => 'UInt64',
                    'requests' => 'UInt64', 'kept_bytes' => 'UInt64', 'released_bytes' => 'UInt64', 'blocks' => 'UInt64',
                ],
                'ReplacingMergeTree',
                ['service', 'env', 'route', 'ts', 'host', 'run', 'stack'],
                'toDate(ts)',
                'ts',
                TableRetention::TenMinutes,
            ),
            new StoreTable(
                'verdicts',
                self::WHERE + self::RELEASE + [
                    'base' => self::NAME, 'fn' => 'UInt64', 'state' => self::NAME, 'owner' => 'String', 'note' => 'String',
                    'growth' => 'Float64', 'p' => 'Float64', 'at' => "DateTime('UTC')",
                ],
                'ReplacingMergeTree(at)',
                ['service', 'env', 'route', 'fn', 'release'],
            ),
            // What each shipper reported last.
            new StoreTable(
                'shippers',
                [
                    'host' => self::NAME, 'id' => 'String', 'service' => self::NAME, 'at' => "DateTime('UTC')", 'sent' => 'UInt64',
                    'dropped' => 'UInt64', 'rejected' => 'UInt64', 'damaged' => 'UInt64', 'others' => 'UInt64',
                    'waiting' => 'UInt64', 'oldest' => "DateTime('UTC')",
                ],
                'ReplacingMergeTree(at)',
                ['host', 'id'],
                time: 'at',
                keep: TableRetention::Keys,
                shard: ['host'],
            ),
            new StoreTable(
                'shipped',
                [
                    'key' => 'String', 'service' => self::NAME, 'env' => self::NAME, 'host' => self::NAME,
                    'ts' => "DateTime('UTC')", 'at' => "DateTime('UTC') DEFAULT now()",
                ],
                'ReplacingMergeTree',
                ['key'],
                'toMonday(at)',
                'at',
                TableRetention::Keys,
                ['key'],
            ),
        ];
    }

    /** @throws \OutOfBoundsException */
    public static function table(string $name): StoreTable
    {
        foreach (self::tables() as $table) {
            if ($table->name === $name) {
                return $table;
            }
        }
        throw new \OutOfBoundsException("there is no table $name");
    }

    /**
     * The columns that a later version has added to a table, at its end.
     *
     * @return array<string, string>
     */
    public static function suspendedColumns(): array
    {
        return array_fill_keys(array_keys(self::SUSPENDED_SUMS), 'UInt64');
    }

    /** @return list<StoreTable> tables of their own: a view that is there cannot be changed, see Migrations */
    public static function suspended(): array
    {
        return [
            self::suspendedSums('10m', self::HOST + self::LABELS), self::suspendedSums('1h', []), self::suspendedSums('1d', []),
        ];
    }

    private static function inbox(): StoreTable
    {
        $lists = static fn (array $columns): array => array_fill_keys(array_keys($columns), 'Array(UInt64) CODEC(ZSTD(1))');

        return new StoreTable(
            self::INBOX,
            ['key' => 'String', 'run' => 'String'] + self::WHERE + self::RELEASE + self::HOST + [
                'php' => self::NAME,
            ] + self::LABELS + [
                'ts' => "DateTime('UTC')",
                'until' => "DateTime('UTC')",
            ] + [
                'requests' => 'UInt64', 'failed' => 'UInt64', 'aborted' => 'UInt64', 'wall_us' => 'UInt64', 'cpu_us' => 'UInt64',
                'slowest_us' => 'UInt64', 'walls' => 'Map(UInt16, UInt64)',
            ] + $lists(self::STACK_LISTS) + $lists(self::FUNCTION_LISTS) + self::suspendedColumns(),
            'MergeTree',
            ['service', 'env', 'route', 'ts'],
            'toDate(ts)',
            'ts',
            TableRetention::Inbox,
        );
    }

    /**
     * @param array<string, string> $key
     * @param array<string, string> $figures
     * @param array<string, string> $lists
     *
     * @return list<StoreTable>
     */
    private static function sums(string $name, array $key, array $figures, array $lists): array
    {
        $tables = [];
        foreach (self::STEPS as $step => [$begin, $part, $keep]) {
            $tables[] = new StoreTable(
                "{$name}_$step",
                self::WHERE + self::TIME + self::RELEASE + $key + $figures,
                'SummingMergeTree((' . implode(', ', array_keys($figures)) . '))',
                ['service', 'env', 'route', 'ts', 'release', ...array_keys($key)],
                $part,
                'ts',
                $keep,
                from: self::spread($lists, $begin, ['release']),
            );
        }

        return $tables;
    }

    /**
     * @param key-of<self::STEPS>   $step
     * @param array<string, string> $more columns of its key
     */
    private static function functionSums(string $name, string $step, array $more): StoreTable
    {
        [$begin, $part, $keep] = self::STEPS[$step];

        return new StoreTable(
            $name,
            self::WHERE + ['fn' => 'UInt64'] + self::TIME + self::RELEASE + $more + self::FUNCTION_SUMS,
            'SummingMergeTree((' . implode(', ', array_keys(self::FUNCTION_SUMS)) . '))',
            // A route's functions lie together: to find what got slower reads all of them.
            ['service', 'env', 'route', 'fn', 'ts', 'release', ...array_keys($more)],
            $part,
            'ts',
            $keep,
            from: self::spread(self::FUNCTION_LISTS, $begin, ['release', ...array_keys($more)]),
        );
    }

    /**
     * @param key-of<self::STEPS>   $step
     * @param array<string, string> $more columns of its key
     */
    private static function requestSums(string $step, array $more): StoreTable
    {
        [$begin, $part, $keep] = self::STEPS[$step];
        $columns = ['service', 'env', 'route', 'release', ...array_keys($more), ...array_keys(self::REQUEST_SUMS)];
        $select = array_map(static fn (string $column): string => "i.$column AS $column", $columns);

        return new StoreTable(
            "requests_$step",
            self::WHERE + self::TIME + self::RELEASE + $more + self::REQUEST_SUMS,
            'AggregatingMergeTree',
            ['service', 'env', 'route', 'ts', 'release', ...array_keys($more)],
            $part,
            'ts',
            $keep,
            from: "SELECT $begin AS ts, " . implode(', ', $select) . ' FROM ' . self::INBOX . ' AS i',
        );
    }

    /**
     * @param key-of<self::STEPS>   $step
     * @param array<string, string> $more columns of its key
     */
    private static function suspendedSums(string $step, array $more): StoreTable
    {
        [$begin, $part, $keep] = self::STEPS[$step];
        $key = ['service', 'env', 'route', 'release', ...array_keys($more)];
        $columns = [...$key, ...array_keys(self::SUSPENDED_SUMS)];
        $select = array_map(static fn (string $column): string => "i.$column AS $column", $columns);

        return new StoreTable(
            "suspended_$step",
            self::WHERE + self::TIME + self::RELEASE + $more + self::SUSPENDED_SUMS,
            'SummingMergeTree((' . implode(', ', array_keys(self::SUSPENDED_SUMS)) . '))',
            ['service', 'env', 'route', 'ts', 'release', ...array_keys($more)],
            $part,
            'ts',
            $keep,
            from: "SELECT $begin AS ts, " . implode(', ', $select) . ' FROM ' . self::INBOX . ' AS i WHERE i.suspended > 0',
        );
    }

    /**
     * A row per element of lists of the inbox.
     *
     * @param array<string, string> $lists  column of the inbox => column of the table
     * @param string                $time   expression of "ts"
     * @param list<string>          $others columns of the inbox in addition to self::WHERE
     */
    private static function spread(array $lists, string $time, array $others): string
    {
        $columns = [...array_keys(self::WHERE), ...$others];
        $select = [...array_map(static fn (string $column): string => "i.$column AS $column", $columns), "$time AS ts"];
        $join = [];
        foreach ($lists as $list => $column) {
            $join[] = "i.$list AS one_$column";
            $select[] = "one_$column AS $column";
        }

        return 'SELECT ' . implode(', ', $select) . ' FROM ' . self::INBOX . ' AS i ARRAY JOIN ' . implode(', ', $join);
    }
}
