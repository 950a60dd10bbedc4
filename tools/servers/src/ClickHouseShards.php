<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** Two servers of Debian's ClickHouse as the shards of the cluster "main", without replicas: they have no ZooKeeper. */
final class ClickHouseShards
{
    public const CLUSTER = 'main';

    private readonly Folder $folder;

    /** @var list<int> of HTTP */
    private array $ports = [];

    /** @var list<Daemon> */
    private array $daemons = [];

    public static function missing(): ?string
    {
        return Programs::missingProgram('clickhouse-server');
    }

    public function __construct()
    {
        $this->folder = new Folder();
        $ports = self::freePorts(4);
        $shards = '';
        foreach ([0, 1] as $node) {
            $shards .= "<shard><replica><host>127.0.0.1</host><port>{$ports[$node]}</port></replica></shard>";
        }
        $users = "{$this->folder->path}/users.xml";
        file_put_contents($users, '<yandex><profiles><default/></profiles><quotas><default/></quotas>'
            . '<users><default><password></password><networks><ip>127.0.0.1</ip></networks>'
            . '<profile>default</profile><quota>default</quota></default></users></yandex>');
        foreach ([0, 1] as $node) {
            $path = "{$this->folder->path}/$node";
            mkdir($path);
            file_put_contents("$path/config.xml", "<yandex><tcp_port>{$ports[$node]}</tcp_port>"
                . "<http_port>{$ports[2 + $node]}</http_port><listen_host>127.0.0.1</listen_host>"
                . "<path>$path/data/</path><tmp_path>$path/tmp/</tmp_path><users_config>$users</users_config>"
                . '<default_profile>default</default_profile><default_database>default</default_database>'
                . '<mark_cache_size>100000000</mark_cache_size><logger><level>warning</level><console>1</console></logger>'
                . '<remote_servers><' . self::CLUSTER . ">$shards</" . self::CLUSTER . '></remote_servers></yandex>');
            $log = "$path/out";
            touch($log);
            $this->ports[] = $ports[2 + $node];
            $this->daemons[] = new Daemon([Programs::program('clickhouse-server'), "--config-file=$path/config.xml"], $log);
        }
        foreach ($this->daemons as $node => $daemon) {
            $daemon->await(fn (): bool => Daemon::listens("tcp://127.0.0.1:{$ports[$node]}")
                && Daemon::listens("tcp://127.0.0.1:{$this->ports[$node]}"));
        }
    }

    /** @param int $node 0 or 1 */
    public function run(int $node, string $sql): string
    {
        $context = stream_context_create(['http' => ['method' => 'POST', 'content' => $sql, 'ignore_errors' => true]]);
        $settings = 'insert_distributed_sync=1&distributed_product_mode=local&output_format_json_quote_64bit_integers=0';
        $answer = (string) file_get_contents("http://127.0.0.1:{$this->ports[$node]}/?$settings", false, $context);
        if (preg_match('/^Code: \d+/', $answer) === 1) {
            throw new ServerFailure("$answer: $sql");
        }

        return $answer;
    }

    /** @return list<list<mixed>> */
    public function rows(int $node, string $sql): array
    {
        $data = json_decode($this->run($node, "$sql FORMAT JSONCompact"), true);
        $rows = is_array($data) ? $data['data'] ?? null : null;

        return is_array($rows)
            ? array_map(array_values(...), array_values(array_filter($rows, is_array(...))))
            : throw new ServerFailure("no answer to $sql");
    }

    /** @return list<int> */
    private static function freePorts(int $count): array
    {
        $probes = $ports = [];
        while (count($ports) < $count) {
            $probe = stream_socket_server('tcp://127.0.0.1:0');
            $probe !== false || throw new ServerFailure('there is no free port');
            $probes[] = $probe;
            $ports[] = (int) substr((string) strrchr((string) stream_socket_get_name($probe, false), ':'), 1);
        }
        array_map(fclose(...), $probes);

        return $ports;
    }
}
