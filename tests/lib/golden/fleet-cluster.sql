CREATE DATABASE IF NOT EXISTS fleet ON CLUSTER 'main';

CREATE TABLE IF NOT EXISTS schema_versions_local ON CLUSTER 'main' (
    version UInt32,
    at DateTime('UTC') DEFAULT now()
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', at)
ORDER BY (version)
SETTINGS index_granularity = 8192;

CREATE TABLE IF NOT EXISTS schema_versions ON CLUSTER 'main' AS schema_versions_local
ENGINE = Distributed('main', currentDatabase(), schema_versions_local, cityHash64(version));

CREATE TABLE IF NOT EXISTS inbox_local ON CLUSTER 'main' (
    key String,
    run String,
    service LowCardinality(String),
    env LowCardinality(String),
    route LowCardinality(String),
    release LowCardinality(String),
    host LowCardinality(String),
    php LowCardinality(String),
    labels Map(LowCardinality(String), String),
    ts DateTime('UTC'),
    until DateTime('UTC'),
    requests UInt64,
    failed UInt64,
    aborted UInt64,
    wall_us UInt64,
    cpu_us UInt64,
    slowest_us UInt64,
    walls Map(UInt16, UInt64),
    stacks Array(UInt64) CODEC(ZSTD(1)),
    stack_samples Array(UInt64) CODEC(ZSTD(1)),
    stack_wall_ns Array(UInt64) CODEC(ZSTD(1)),
    stack_cpu_ns Array(UInt64) CODEC(ZSTD(1)),
    functions Array(UInt64) CODEC(ZSTD(1)),
    fn_samples Array(UInt64) CODEC(ZSTD(1)),
    fn_self_ns Array(UInt64) CODEC(ZSTD(1)),
    fn_total_ns Array(UInt64) CODEC(ZSTD(1)),
    fn_self_cpu_ns Array(UInt64) CODEC(ZSTD(1)),
    fn_total_cpu_ns Array(UInt64) CODEC(ZSTD(1)),
    suspended UInt64,
    suspended_us UInt64
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toDate(ts)
ORDER BY (service, env, route, ts)
TTL ts + INTERVAL 1 DAY
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS inbox ON CLUSTER 'main' AS inbox_local
ENGINE = Distributed('main', currentDatabase(), inbox_local, cityHash64(service, route));

CREATE TABLE IF NOT EXISTS samples_local ON CLUSTER 'main' (
    service LowCardinality(String),
    env LowCardinality(String),
    route LowCardinality(String),
    ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
    release LowCardinality(String),
    stack UInt64,
    host LowCardinality(String),
    labels Map(LowCardinality(String), String),
    samples UInt64 CODEC(T64, ZSTD(1)),
    wall_ns UInt64 CODEC(T64, ZSTD(1)),
    cpu_ns UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toDate(ts)
ORDER BY (service, env, route, ts, release, stack, host)
TTL ts + INTERVAL 3 DAY
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS samples ON CLUSTER 'main' AS samples_local
ENGINE = Distributed('main', currentDatabase(), samples_local, cityHash64(service, route));

CREATE MATERIALIZED VIEW IF NOT EXISTS samples_view ON CLUSTER 'main' TO samples_local AS
SELECT i.service AS service, i.env AS env, i.route AS route, i.release AS release, i.host AS host, i.labels AS labels, i.ts AS ts, one_stack AS stack, one_samples AS samples, one_wall_ns AS wall_ns, one_cpu_ns AS cpu_ns FROM inbox_local AS i ARRAY JOIN i.stacks AS one_stack, i.stack_samples AS one_samples, i.stack_wall_ns AS one_wall_ns, i.stack_cpu_ns AS one_cpu_ns;

CREATE TABLE IF NOT EXISTS samples_10m_local ON CLUSTER 'main' (
    service LowCardinality(String),
    env LowCardinality(String),
    route LowCardinality(String),
    ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
    release LowCardinality(String),
    stack UInt64,
    samples UInt64 CODEC(T64, ZSTD(1)),
    wall_ns UInt64 CODEC(T64, ZSTD(1)),
    cpu_ns UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = ReplicatedSummingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', (samples, wall_ns, cpu_ns))
PARTITION BY toMonday(ts)
ORDER BY (service, env, route, ts, release, stack)
TTL ts + INTERVAL 30 DAY
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS samples_10m ON CLUSTER 'main' AS samples_10m_local
ENGINE = Distributed('main', currentDatabase(), samples_10m_local, cityHash64(service, route));

CREATE MATERIALIZED VIEW IF NOT EXISTS samples_10m_view ON CLUSTER 'main' TO samples_10m_local AS
SELECT i.service AS service, i.env AS env, i.route AS route, i.release AS release, toStartOfInterval(i.ts, INTERVAL 10 MINUTE) AS ts, one_stack AS stack, one_samples AS samples, one_wall_ns AS wall_ns, one_cpu_ns AS cpu_ns FROM inbox_local AS i ARRAY JOIN i.stacks AS one_stack, i.stack_samples AS one_samples, i.stack_wall_ns AS one_wall_ns, i.stack_cpu_ns AS one_cpu_ns;

CREATE TABLE IF NOT EXISTS samples_1h_local ON CLUSTER 'main' (
    service LowCardinality(String),
    env LowCardinality(String),
    route LowCardinality(String),
    ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
    release LowCardinality(String),
    stack UInt64,
    samples UInt64 CODEC(T64, ZSTD(1)),
    wall_ns UInt64 CODEC(T64, ZSTD(1)),
    cpu_ns UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = ReplicatedSummingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', (samples, wall_ns, cpu_ns))
PARTITION BY toYYYYMM(ts)
ORDER BY (service, env, route, ts, release, stack)
TTL ts + INTERVAL 400 DAY
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS samples_1h ON CLUSTER 'main' AS samples_1h_local
ENGINE = Distributed('main', currentDatabase(), samples_1h_local, cityHash64(service, route));

CREATE MATERIALIZED VIEW IF NOT EXISTS samples_1h_view ON CLUSTER 'main' TO samples_1h_local AS
SELECT i.service AS service, i.env AS env, i.route AS route, i.release AS release, toStartOfHour(i.ts) AS ts, one_stack AS stack, one_samples AS samples, one_wall_ns AS wall_ns, one_cpu_ns AS cpu_ns FROM inbox_local AS i ARRAY JOIN i.stacks AS one_stack, i.stack_samples AS one_samples, i.stack_wall_ns AS one_wall_ns, i.stack_cpu_ns AS one_cpu_ns;

CREATE TABLE IF NOT EXISTS samples_1d_local ON CLUSTER 'main' (
    service LowCardinality(String),
    env LowCardinality(String),
    route LowCardinality(String),
    ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
    release LowCardinality(String),
    stack UInt64,
    samples UInt64 CODEC(T64, ZSTD(1)),
    wall_ns UInt64 CODEC(T64, ZSTD(1)),
    cpu_ns UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = ReplicatedSummingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', (samples, wall_ns, cpu_ns))
PARTITION BY toYear(ts)
ORDER BY (service, env, route, ts, release, stack)
SETTINGS index_granularity = 8192, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS samples_1d ON CLUSTER 'main' AS samples_1d_local
ENGINE = Distributed('main', currentDatabase(), samples_1d_local, cityHash64(service, route));

CREATE MATERIALIZED VIEW IF NOT EXISTS samples_1d_view ON CLUSTER 'main' TO samples_1d_local AS
SELECT i.service AS service, i.env AS env, i.route AS route, i.release AS release, toStartOfDay(i.ts, 'UTC') AS ts, one_stack AS stack, one_samples AS samples, one_wall_ns AS wall_ns, one_cpu_ns AS cpu_ns FROM inbox_local AS i ARRAY JOIN i.stacks AS one_stack, i.stack_samples AS one_samples, i.stack_wall_ns AS one_wall_ns, i.stack_cpu_ns AS one_cpu_ns;

CREATE TABLE IF NOT EXISTS functions_10m_local ON CLUSTER 'main' (
    service LowCardinality(String),
    env LowCardinality(String),
    route LowCardinality(String),
    fn UInt64,
    ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
    release LowCardinality(String),
    host LowCardinality(String),
    labels Map(LowCardinality(String), String),
    samples UInt64 CODEC(T64, ZSTD(1)),
    self_ns UInt64 CODEC(T64, ZSTD(1)),
    total_ns UInt64 CODEC(T64, ZSTD(1)),
    self_cpu_ns UInt64 CODEC(T64, ZSTD(1)),
    total_cpu_ns UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = ReplicatedSummingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', (samples, self_ns, total_ns, self_cpu_ns, total_cpu_ns))
PARTITION BY toMonday(ts)
ORDER BY (service, env, route, fn, ts, release, host, labels)
TTL ts + INTERVAL 30 DAY
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS functions_10m ON CLUSTER 'main' AS functions_10m_local
ENGINE = Distributed('main', currentDatabase(), functions_10m_local, cityHash64(service, route));

CREATE MATERIALIZED VIEW IF NOT EXISTS functions_10m_view ON CLUSTER 'main' TO functions_10m_local AS
SELECT i.service AS service, i.env AS env, i.route AS route, i.release AS release, i.host AS host, i.labels AS labels, toStartOfInterval(i.ts, INTERVAL 10 MINUTE) AS ts, one_fn AS fn, one_samples AS samples, one_self_ns AS self_ns, one_total_ns AS total_ns, one_self_cpu_ns AS self_cpu_ns, one_total_cpu_ns AS total_cpu_ns FROM inbox_local AS i ARRAY JOIN i.functions AS one_fn, i.fn_samples AS one_samples, i.fn_self_ns AS one_self_ns, i.fn_total_ns AS one_total_ns, i.fn_self_cpu_ns AS one_self_cpu_ns, i.fn_total_cpu_ns AS one_total_cpu_ns;

CREATE TABLE IF NOT EXISTS functions_all_10m_local ON CLUSTER 'main' (
    service LowCardinality(String),
    env LowCardinality(String),
    route LowCardinality(String),
    fn UInt64,
    ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
    release LowCardinality(String),
    samples UInt64 CODEC(T64, ZSTD(1)),
    self_ns UInt64 CODEC(T64, ZSTD(1)),
    total_ns UInt64 CODEC(T64, ZSTD(1)),
    self_cpu_ns UInt64 CODEC(T64, ZSTD(1)),
    total_cpu_ns UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = ReplicatedSummingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', (samples, self_ns, total_ns, self_cpu_ns, total_cpu_ns))
PARTITION BY toMonday(ts)
ORDER BY (service, env, route, fn, ts, release)
TTL ts + INTERVAL 30 DAY
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS functions_all_10m ON CLUSTER 'main' AS functions_all_10m_local
ENGINE = Distributed('main', currentDatabase(), functions_all_10m_local, cityHash64(service, route));

CREATE MATERIALIZED VIEW IF NOT EXISTS functions_all_10m_view ON CLUSTER 'main' TO functions_all_10m_local AS
SELECT i.service AS service, i.env AS env, i.route AS route, i.release AS release, toStartOfInterval(i.ts, INTERVAL 10 MINUTE) AS ts, one_fn AS fn, one_samples AS samples, one_self_ns AS self_ns, one_total_ns AS total_ns, one_self_cpu_ns AS self_cpu_ns, one_total_cpu_ns AS total_cpu_ns FROM inbox_local AS i ARRAY JOIN i.functions AS one_fn, i.fn_samples AS one_samples, i.fn_self_ns AS one_self_ns, i.fn_total_ns AS one_total_ns, i.fn_self_cpu_ns AS one_self_cpu_ns, i.fn_total_cpu_ns AS one_total_cpu_ns;

CREATE TABLE IF NOT EXISTS functions_1h_local ON CLUSTER 'main' (
    service LowCardinality(String),
    env LowCardinality(String),
    route LowCardinality(String),
    fn UInt64,
    ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
    release LowCardinality(String),
    samples UInt64 CODEC(T64, ZSTD(1)),
    self_ns UInt64 CODEC(T64, ZSTD(1)),
    total_ns UInt64 CODEC(T64, ZSTD(1)),
    self_cpu_ns UInt64 CODEC(T64, ZSTD(1)),
    total_cpu_ns UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = ReplicatedSummingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', (samples, self_ns, total_ns, self_cpu_ns, total_cpu_ns))
PARTITION BY toYYYYMM(ts)
ORDER BY (service, env, route, fn, ts, release)
TTL ts + INTERVAL 400 DAY
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS functions_1h ON CLUSTER 'main' AS functions_1h_local
ENGINE = Distributed('main', currentDatabase(), functions_1h_local, cityHash64(service, route));

CREATE MATERIALIZED VIEW IF NOT EXISTS functions_1h_view ON CLUSTER 'main' TO functions_1h_local AS
SELECT i.service AS service, i.env AS env, i.route AS route, i.release AS release, toStartOfHour(i.ts) AS ts, one_fn AS fn, one_samples AS samples, one_self_ns AS self_ns, one_total_ns AS total_ns, one_self_cpu_ns AS self_cpu_ns, one_total_cpu_ns AS total_cpu_ns FROM inbox_local AS i ARRAY JOIN i.functions AS one_fn, i.fn_samples AS one_samples, i.fn_self_ns AS one_self_ns, i.fn_total_ns AS one_total_ns, i.fn_self_cpu_ns AS one_self_cpu_ns, i.fn_total_cpu_ns AS one_total_cpu_ns;

CREATE TABLE IF NOT EXISTS requests_10m_local ON CLUSTER 'main' (
    service LowCardinality(String),
    env LowCardinality(String),
    route LowCardinality(String),
    ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
    release LowCardinality(String),
    host LowCardinality(String),
    labels Map(LowCardinality(String), String),
    requests SimpleAggregateFunction(sum, UInt64),
    failed SimpleAggregateFunction(sum, UInt64),
    aborted SimpleAggregateFunction(sum, UInt64),
    wall_us SimpleAggregateFunction(sum, UInt64),
    cpu_us SimpleAggregateFunction(sum, UInt64),
    slowest_us SimpleAggregateFunction(max, UInt64),
    walls SimpleAggregateFunction(sumMap, Map(UInt16, UInt64))
)
ENGINE = ReplicatedAggregatingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toMonday(ts)
ORDER BY (service, env, route, ts, release, host, labels)
TTL ts + INTERVAL 30 DAY
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS requests_10m ON CLUSTER 'main' AS requests_10m_local
ENGINE = Distributed('main', currentDatabase(), requests_10m_local, cityHash64(service, route));

CREATE MATERIALIZED VIEW IF NOT EXISTS requests_10m_view ON CLUSTER 'main' TO requests_10m_local AS
SELECT toStartOfInterval(i.ts, INTERVAL 10 MINUTE) AS ts, i.service AS service, i.env AS env, i.route AS route, i.release AS release, i.host AS host, i.labels AS labels, i.requests AS requests, i.failed AS failed, i.aborted AS aborted, i.wall_us AS wall_us, i.cpu_us AS cpu_us, i.slowest_us AS slowest_us, i.walls AS walls FROM inbox_local AS i;

CREATE TABLE IF NOT EXISTS requests_1h_local ON CLUSTER 'main' (
    service LowCardinality(String),
    env LowCardinality(String),
    route LowCardinality(String),
    ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
    release LowCardinality(String),
    requests SimpleAggregateFunction(sum, UInt64),
    failed SimpleAggregateFunction(sum, UInt64),
    aborted SimpleAggregateFunction(sum, UInt64),
    wall_us SimpleAggregateFunction(sum, UInt64),
    cpu_us SimpleAggregateFunction(sum, UInt64),
    slowest_us SimpleAggregateFunction(max, UInt64),
    walls SimpleAggregateFunction(sumMap, Map(UInt16, UInt64))
)
ENGINE = ReplicatedAggregatingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toYYYYMM(ts)
ORDER BY (service, env, route, ts, release)
TTL ts + INTERVAL 400 DAY
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS requests_1h ON CLUSTER 'main' AS requests_1h_local
ENGINE = Distributed('main', currentDatabase(), requests_1h_local, cityHash64(service, route));

CREATE MATERIALIZED VIEW IF NOT EXISTS requests_1h_view ON CLUSTER 'main' TO requests_1h_local AS
SELECT toStartOfHour(i.ts) AS ts, i.service AS service, i.env AS env, i.route AS route, i.release AS release, i.requests AS requests, i.failed AS failed, i.aborted AS aborted, i.wall_us AS wall_us, i.cpu_us AS cpu_us, i.slowest_us AS slowest_us, i.walls AS walls FROM inbox_local AS i;

CREATE TABLE IF NOT EXISTS requests_1d_local ON CLUSTER 'main' (
    service LowCardinality(String),
    env LowCardinality(String),
    route LowCardinality(String),
    ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
    release LowCardinality(String),
    requests SimpleAggregateFunction(sum, UInt64),
    failed SimpleAggregateFunction(sum, UInt64),
    aborted SimpleAggregateFunction(sum, UInt64),
    wall_us SimpleAggregateFunction(sum, UInt64),
    cpu_us SimpleAggregateFunction(sum, UInt64),
    slowest_us SimpleAggregateFunction(max, UInt64),
    walls SimpleAggregateFunction(sumMap, Map(UInt16, UInt64))
)
ENGINE = ReplicatedAggregatingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toYear(ts)
ORDER BY (service, env, route, ts, release)
SETTINGS index_granularity = 8192, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS requests_1d ON CLUSTER 'main' AS requests_1d_local
ENGINE = Distributed('main', currentDatabase(), requests_1d_local, cityHash64(service, route));

CREATE MATERIALIZED VIEW IF NOT EXISTS requests_1d_view ON CLUSTER 'main' TO requests_1d_local AS
SELECT toStartOfDay(i.ts, 'UTC') AS ts, i.service AS service, i.env AS env, i.route AS route, i.release AS release, i.requests AS requests, i.failed AS failed, i.aborted AS aborted, i.wall_us AS wall_us, i.cpu_us AS cpu_us, i.slowest_us AS slowest_us, i.walls AS walls FROM inbox_local AS i;

CREATE TABLE IF NOT EXISTS suspended_10m_local ON CLUSTER 'main' (
    service LowCardinality(String),
    env LowCardinality(String),
    route LowCardinality(String),
    ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
    release LowCardinality(String),
    host LowCardinality(String),
    labels Map(LowCardinality(String), String),
    suspended UInt64 CODEC(T64, ZSTD(1)),
    suspended_us UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = ReplicatedSummingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', (suspended, suspended_us))
PARTITION BY toMonday(ts)
ORDER BY (service, env, route, ts, release, host, labels)
TTL ts + INTERVAL 30 DAY
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS suspended_10m ON CLUSTER 'main' AS suspended_10m_local
ENGINE = Distributed('main', currentDatabase(), suspended_10m_local, cityHash64(service, route));

CREATE MATERIALIZED VIEW IF NOT EXISTS suspended_10m_view ON CLUSTER 'main' TO suspended_10m_local AS
SELECT toStartOfInterval(i.ts, INTERVAL 10 MINUTE) AS ts, i.service AS service, i.env AS env, i.route AS route, i.release AS release, i.host AS host, i.labels AS labels, i.suspended AS suspended, i.suspended_us AS suspended_us FROM inbox_local AS i WHERE i.suspended > 0;

CREATE TABLE IF NOT EXISTS suspended_1h_local ON CLUSTER 'main' (
    service LowCardinality(String),
    env LowCardinality(String),
    route LowCardinality(String),
    ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
    release LowCardinality(String),
    suspended UInt64 CODEC(T64, ZSTD(1)),
    suspended_us UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = ReplicatedSummingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', (suspended, suspended_us))
PARTITION BY toYYYYMM(ts)
ORDER BY (service, env, route, ts, release)
TTL ts + INTERVAL 400 DAY
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS suspended_1h ON CLUSTER 'main' AS suspended_1h_local
ENGINE = Distributed('main', currentDatabase(), suspended_1h_local, cityHash64(service, route));

CREATE MATERIALIZED VIEW IF NOT EXISTS suspended_1h_view ON CLUSTER 'main' TO suspended_1h_local AS
SELECT toStartOfHour(i.ts) AS ts, i.service AS service, i.env AS env, i.route AS route, i.release AS release, i.suspended AS suspended, i.suspended_us AS suspended_us FROM inbox_local AS i WHERE i.suspended > 0;

CREATE TABLE IF NOT EXISTS suspended_1d_local ON CLUSTER 'main' (
    service LowCardinality(String),
    env LowCardinality(String),
    route LowCardinality(String),
    ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
    release LowCardinality(String),
    suspended UInt64 CODEC(T64, ZSTD(1)),
    suspended_us UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = ReplicatedSummingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', (suspended, suspended_us))
PARTITION BY toYear(ts)
ORDER BY (service, env, route, ts, release)
SETTINGS index_granularity = 8192, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS suspended_1d ON CLUSTER 'main' AS suspended_1d_local
ENGINE = Distributed('main', currentDatabase(), suspended_1d_local, cityHash64(service, route));

CREATE MATERIALIZED VIEW IF NOT EXISTS suspended_1d_view ON CLUSTER 'main' TO suspended_1d_local AS
SELECT toStartOfDay(i.ts, 'UTC') AS ts, i.service AS service, i.env AS env, i.route AS route, i.release AS release, i.suspended AS suspended, i.suspended_us AS suspended_us FROM inbox_local AS i WHERE i.suspended > 0;

CREATE TABLE IF NOT EXISTS stacks_local ON CLUSTER 'main' (
    service LowCardinality(String),
    route LowCardinality(String),
    stack UInt64,
    frames Array(UInt64),
    seen Date
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', seen)
ORDER BY (service, route, stack)
TTL seen + INTERVAL 400 DAY
SETTINGS index_granularity = 8192;

CREATE TABLE IF NOT EXISTS stacks ON CLUSTER 'main' AS stacks_local
ENGINE = Distributed('main', currentDatabase(), stacks_local, cityHash64(service, route));

CREATE TABLE IF NOT EXISTS functions_local ON CLUSTER 'main' (
    service LowCardinality(String),
    route LowCardinality(String),
    fn UInt64,
    name String,
    file String,
    line UInt32,
    seen Date
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', seen)
ORDER BY (service, route, fn)
TTL seen + INTERVAL 400 DAY
SETTINGS index_granularity = 8192;

CREATE TABLE IF NOT EXISTS functions ON CLUSTER 'main' AS functions_local
ENGINE = Distributed('main', currentDatabase(), functions_local, cityHash64(service, route));

CREATE TABLE IF NOT EXISTS releases_local ON CLUSTER 'main' (
    service LowCardinality(String),
    env LowCardinality(String),
    release LowCardinality(String),
    first SimpleAggregateFunction(min, DateTime('UTC')),
    last SimpleAggregateFunction(max, DateTime('UTC'))
)
ENGINE = ReplicatedAggregatingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
ORDER BY (service, env, release)
SETTINGS index_granularity = 8192;

CREATE TABLE IF NOT EXISTS releases ON CLUSTER 'main' AS releases_local
ENGINE = Distributed('main', currentDatabase(), releases_local, cityHash64(service));

CREATE TABLE IF NOT EXISTS exemplars_local ON CLUSTER 'main' (
    service LowCardinality(String),
    env LowCardinality(String),
    route LowCardinality(String),
    ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
    release LowCardinality(String),
    host LowCardinality(String),
    labels Map(LowCardinality(String), String),
    run String,
    kind LowCardinality(String),
    php LowCardinality(String),
    wall_us UInt64,
    cpu_us UInt64,
    failed UInt8,
    trace_id String,
    span_id String,
    body String CODEC(ZSTD(6))
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toDate(ts)
ORDER BY (service, env, route, ts, host, run)
TTL ts + INTERVAL 14 DAY
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1;

CREATE TABLE IF NOT EXISTS exemplars ON CLUSTER 'main' AS exemplars_local
ENGINE = Distributed('main', currentDatabase(), exemplars_local, cityHash64(service, route));

CREATE TABLE IF NOT EXISTS kept_local ON CLUSTER 'main' (
    service LowCardinality(String),
    env LowCardinality(String),
    route LowCardinality(String),
    ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
    release LowCardinality(String),
    host LowCardinality(String),
    labels Map(LowCardinality(String), String),
    stack UInt64,
    run String,
    until DateTime('UTC'),
    sampled UInt64,
    unfollowed UInt64,
    requests UInt64,
    kept_bytes UInt64,
    released_bytes UInt64,
    blocks UInt64
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toDate(ts)
ORDER BY (service, env, route, ts, host, run, stack)
TTL ts + INTERVAL 30 DAY
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1;

CREATE TABLE IF NOT EXISTS kept ON CLUSTER 'main' AS kept_local
ENGINE = Distributed('main', currentDatabase(), kept_local, cityHash64(service, route));

CREATE TABLE IF NOT EXISTS verdicts_local ON CLUSTER 'main' (
    service LowCardinality(String),
    env LowCardinality(String),
    route LowCardinality(String),
    release LowCardinality(String),
    base LowCardinality(String),
    fn UInt64,
    state LowCardinality(String),
    owner String,
    note String,
    growth Float64,
    p Float64,
    at DateTime('UTC')
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', at)
ORDER BY (service, env, route, fn, release)
SETTINGS index_granularity = 8192;

CREATE TABLE IF NOT EXISTS verdicts ON CLUSTER 'main' AS verdicts_local
ENGINE = Distributed('main', currentDatabase(), verdicts_local, cityHash64(service, route));

CREATE TABLE IF NOT EXISTS shippers_local ON CLUSTER 'main' (
    host LowCardinality(String),
    id String,
    service LowCardinality(String),
    at DateTime('UTC'),
    sent UInt64,
    dropped UInt64,
    rejected UInt64,
    damaged UInt64,
    others UInt64,
    waiting UInt64,
    oldest DateTime('UTC')
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', at)
ORDER BY (host, id)
TTL at + INTERVAL 60 DAY
SETTINGS index_granularity = 8192;

CREATE TABLE IF NOT EXISTS shippers ON CLUSTER 'main' AS shippers_local
ENGINE = Distributed('main', currentDatabase(), shippers_local, cityHash64(host));

CREATE TABLE IF NOT EXISTS shipped_local ON CLUSTER 'main' (
    key String,
    service LowCardinality(String),
    env LowCardinality(String),
    host LowCardinality(String),
    ts DateTime('UTC'),
    at DateTime('UTC') DEFAULT now()
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toMonday(at)
ORDER BY (key)
TTL at + INTERVAL 60 DAY
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1;

CREATE TABLE IF NOT EXISTS shipped ON CLUSTER 'main' AS shipped_local
ENGINE = Distributed('main', currentDatabase(), shipped_local, cityHash64(key));

ALTER TABLE inbox_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS suspended UInt64, ADD COLUMN IF NOT EXISTS suspended_us UInt64;

ALTER TABLE inbox ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS suspended UInt64, ADD COLUMN IF NOT EXISTS suspended_us UInt64;

CREATE TABLE IF NOT EXISTS suspended_10m_local ON CLUSTER 'main' (
    service LowCardinality(String),
    env LowCardinality(String),
    route LowCardinality(String),
    ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
    release LowCardinality(String),
    host LowCardinality(String),
    labels Map(LowCardinality(String), String),
    suspended UInt64 CODEC(T64, ZSTD(1)),
    suspended_us UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = ReplicatedSummingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', (suspended, suspended_us))
PARTITION BY toMonday(ts)
ORDER BY (service, env, route, ts, release, host, labels)
TTL ts + INTERVAL 30 DAY
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS suspended_10m ON CLUSTER 'main' AS suspended_10m_local
ENGINE = Distributed('main', currentDatabase(), suspended_10m_local, cityHash64(service, route));

CREATE MATERIALIZED VIEW IF NOT EXISTS suspended_10m_view ON CLUSTER 'main' TO suspended_10m_local AS
SELECT toStartOfInterval(i.ts, INTERVAL 10 MINUTE) AS ts, i.service AS service, i.env AS env, i.route AS route, i.release AS release, i.host AS host, i.labels AS labels, i.suspended AS suspended, i.suspended_us AS suspended_us FROM inbox_local AS i WHERE i.suspended > 0;

CREATE TABLE IF NOT EXISTS suspended_1h_local ON CLUSTER 'main' (
    service LowCardinality(String),
    env LowCardinality(String),
    route LowCardinality(String),
    ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
    release LowCardinality(String),
    suspended UInt64 CODEC(T64, ZSTD(1)),
    suspended_us UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = ReplicatedSummingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', (suspended, suspended_us))
PARTITION BY toYYYYMM(ts)
ORDER BY (service, env, route, ts, release)
TTL ts + INTERVAL 400 DAY
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS suspended_1h ON CLUSTER 'main' AS suspended_1h_local
ENGINE = Distributed('main', currentDatabase(), suspended_1h_local, cityHash64(service, route));

CREATE MATERIALIZED VIEW IF NOT EXISTS suspended_1h_view ON CLUSTER 'main' TO suspended_1h_local AS
SELECT toStartOfHour(i.ts) AS ts, i.service AS service, i.env AS env, i.route AS route, i.release AS release, i.suspended AS suspended, i.suspended_us AS suspended_us FROM inbox_local AS i WHERE i.suspended > 0;

CREATE TABLE IF NOT EXISTS suspended_1d_local ON CLUSTER 'main' (
    service LowCardinality(String),
    env LowCardinality(String),
    route LowCardinality(String),
    ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
    release LowCardinality(String),
    suspended UInt64 CODEC(T64, ZSTD(1)),
    suspended_us UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = ReplicatedSummingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', (suspended, suspended_us))
PARTITION BY toYear(ts)
ORDER BY (service, env, route, ts, release)
SETTINGS index_granularity = 8192, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS suspended_1d ON CLUSTER 'main' AS suspended_1d_local
ENGINE = Distributed('main', currentDatabase(), suspended_1d_local, cityHash64(service, route));

CREATE MATERIALIZED VIEW IF NOT EXISTS suspended_1d_view ON CLUSTER 'main' TO suspended_1d_local AS
SELECT toStartOfDay(i.ts, 'UTC') AS ts, i.service AS service, i.env AS env, i.route AS route, i.release AS release, i.suspended AS suspended, i.suspended_us AS suspended_us FROM inbox_local AS i WHERE i.suspended > 0;

CREATE TABLE IF NOT EXISTS kept_local ON CLUSTER 'main' (
    service LowCardinality(String),
    env LowCardinality(String),
    route LowCardinality(String),
    ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
    release LowCardinality(String),
    host LowCardinality(String),
    labels Map(LowCardinality(String), String),
    stack UInt64,
    run String,
    until DateTime('UTC'),
    sampled UInt64,
    unfollowed UInt64,
    requests UInt64,
    kept_bytes UInt64,
    released_bytes UInt64,
    blocks UInt64
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toDate(ts)
ORDER BY (service, env, route, ts, host, run, stack)
TTL ts + INTERVAL 30 DAY
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1;

CREATE TABLE IF NOT EXISTS kept ON CLUSTER 'main' AS kept_local
ENGINE = Distributed('main', currentDatabase(), kept_local, cityHash64(service, route));
