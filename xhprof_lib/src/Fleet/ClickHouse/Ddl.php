<?php

declare(strict_types=1);

namespace XHProf\Fleet\ClickHouse;

/**
 * Statements that make tables: for one server, or for a cluster. There each table is a replicated one on every shard, and beside it
 * one that stands for those of all shards; rows of a service and a route are on the same shard, so that no query joins across them.
 */
final class Ddl
{
    /**
     * Inserts whose tokens a table knows. What was inserted in parts is sent again at once, and what was inserted as a whole is
     * found in the table "shipped": this covers the first case.
     */
    private const TOKENS = 10000;

    /** @param array<value-of<TableRetention>, int> $days that are kept, where they differ from TableRetention's; 0: for good */
    public function __construct(private readonly string $cluster = '', private readonly array $days = [])
    {
        if ($cluster !== '' && preg_match('/\A\w[\w.-]{0,63}\z/', $cluster) !== 1) {
            throw new \InvalidArgumentException('a cluster\'s name has letters, digits, "_", "-" and "."');
        }
    }

    public function database(string $name): string
    {
        return "CREATE DATABASE IF NOT EXISTS $name" . $this->onCluster();
    }

    /** @return list<string> a statement that is there already does nothing */
    public function create(StoreTable $table): array
    {
        $statements = [$this->table($table)];
        if ($this->cluster !== '') {
            $local = $table->name . Schema::LOCAL;
            $key = 'cityHash64(' . implode(', ', $table->shard) . ')';
            $statements[] = "CREATE TABLE IF NOT EXISTS $table->name{$this->onCluster()} AS $local\n"
                . "ENGINE = Distributed('$this->cluster', currentDatabase(), $local, $key)";
        }
        if ($table->from !== '') {
            $target = $this->local($table->name);
            $statements[] = "CREATE MATERIALIZED VIEW IF NOT EXISTS {$table->view()}{$this->onCluster()} TO $target AS\n"
                . str_replace(' FROM ' . Schema::INBOX . ' ', ' FROM ' . $this->local(Schema::INBOX) . ' ', $table->from);
        }

        return $statements;
    }

    /**
     * @param array<string, string> $columns name => type; one that is there already stays
     *
     * @return list<string>
     */
    public function add(StoreTable $table, array $columns): array
    {
        $added = [];
        foreach ($columns as $name => $type) {
            $added[] = "ADD COLUMN IF NOT EXISTS $name $type";
        }
        $tables = array_unique([$this->local($table->name), $table->name]);

        return array_map(fn (string $name): string
            => "ALTER TABLE $name{$this->onCluster()} " . implode(', ', $added), array_values($tables));
    }

    /** @return string|null null where the table keeps all for good */
    public function keep(StoreTable $table): ?string
    {
        $ttl = $this->ttl($table);
        if ($table->time === '' || $table->keep === null) {
            return null;
        }

        return "ALTER TABLE {$this->local($table->name)}{$this->onCluster()} " . ($ttl === '' ? 'REMOVE TTL' : "MODIFY TTL $ttl");
    }

    /** How long it is kept, in days; 0: for good. */
    public function days(TableRetention $keep): int
    {
        return $this->days[$keep->value] ?? $keep->days();
    }

    private function table(StoreTable $table): string
    {
        $columns = [];
        foreach ($table->columns as $name => $type) {
            $columns[] = "    $name $type";
        }
        $ttl = $this->ttl($table);
        // A table of equal rows has to see all of them.
        $window = $table->isCounted()
            ? [($this->cluster === '' ? 'non_replicated_deduplication_window' : 'replicated_deduplication_window') => self::TOKENS]
                + ($this->cluster === '' ? [] : ['replicated_deduplication_window_seconds' => 7 * 86400])
            : [];
        $whole = $ttl === '' || $table->part === '' ? [] : ['ttl_only_drop_parts' => 1];
        $settings = ['index_granularity' => 8192] + $whole + $window;
        $name = $this->local($table->name);

        return "CREATE TABLE IF NOT EXISTS $name{$this->onCluster()} (\n" . implode(",\n", $columns) . "\n)\n"
            . 'ENGINE = ' . $this->engine($table) . "\n"
            . ($table->part === '' ? '' : "PARTITION BY $table->part\n")
            . 'ORDER BY (' . implode(', ', $table->order) . ")\n"
            . ($ttl === '' ? '' : "TTL $ttl\n")
            . 'SETTINGS ' . implode(', ', array_map(
                static fn (string $name, int $value): string => "$name = $value",
                array_keys($settings),
                $settings,
            ));
    }

    private function engine(StoreTable $table): string
    {
        if ($this->cluster === '') {
            return $table->engine;
        }
        // Server macros stand in braces: the shard's number and the replica's name.
        [$name, $arguments] = explode('(', $table->engine, 2) + [1 => ''];
        $where = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'";

        return "Replicated$name($where" . ($arguments === '' ? ')' : ", $arguments");
    }

    private function ttl(StoreTable $table): string
    {
        $days = $table->keep === null || $table->time === '' ? 0 : $this->days($table->keep);

        return $days === 0 ? '' : "$table->time + INTERVAL $days DAY";
    }

    private function local(string $name): string
    {
        return $this->cluster === '' ? $name : $name . Schema::LOCAL;
    }

    private function onCluster(): string
    {
        return $this->cluster === '' ? '' : " ON CLUSTER '$this->cluster'";
    }
}
