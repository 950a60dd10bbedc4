<?php

declare(strict_types=1);

namespace XHProf\Fleet\ClickHouse;

use XHProf\Exception\SendError;
use XHProf\Fleet\Destination;
use XHProf\Fleet\WrongAddress;
use XHProf\Format\JsonText;
use XHProf\Http\HttpClient;
use XHProf\Http\HttpResponse;
use XHProf\Run\PhpMemory;

/**
 * Speaks to ClickHouse by its HTTP interface. A statement is a text of this program: values go beside it, as parameters that the
 * server binds ("{route:String}"), or as rows.
 */
final class Client
{
    /** Schemes of an address, and what they stand for. */
    private const SCHEMES = ['clickhouse' => ['http', 8123], 'clickhouses' => ['https', 8443]];

    /** Bytes of an answer: a hundred thousand call paths have 40 MB. */
    private const LONGEST_ANSWER = 64 << 20;

    /** Bytes of memory that its values may take. */
    private const MOST_MEMORY = 256 << 20;

    /** Bytes of a request from which on it is sent compressed. */
    private const WORTH_GZIP = 1000;

    private const JSON = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE;

    /** One value in the settings of all statements: what a server has in its profile must not change answers. */
    private const SETTINGS = [
        // An error while the answer is made must not come behind a status 200.
        'wait_end_of_query' => '1',
        'output_format_json_quote_64bit_integers' => '0',
        'output_format_json_quote_denormals' => '0',
        // A distributed table stands for the local one of each shard: rows that are looked up together are on the same shard.
        'distributed_product_mode' => 'local',
    ];

    private function __construct(
        private readonly HttpClient $http,
        public readonly string $address,
        public readonly string $database,
        private readonly string $scheme,
    ) {
    }

    /** @return list<string> */
    public static function schemes(): array
    {
        return array_keys(self::SCHEMES);
    }

    /**
     * @param Destination $to clickhouse://HOST[:PORT]/DATABASE, or clickhouses://
     *
     * @throws WrongAddress if it is no such address
     */
    public static function fromDestination(Destination $to): self
    {
        $parts = parse_url($to->url);
        $parts = is_array($parts) ? $parts : [];
        [$scheme, $port] = self::SCHEMES[$to->scheme()] ?? ['', 0];
        $database = trim($parts['path'] ?? '', '/');
        $address = "$scheme://" . ($parts['host'] ?? '') . ':' . ($parts['port'] ?? $port) . '/';
        if (!HttpClient::isAddress($address) || preg_match('/\A\w{1,64}\z/', $database) !== 1 || isset($parts['query'])) {
            throw new WrongAddress(
                'the store must be given as clickhouse://HOST:8123/DATABASE or clickhouses://HOST:8443/DATABASE',
            );
        }

        $http = new HttpClient($to->timeout, $to->caFile, $to->user, $to->password, self::LONGEST_ANSWER);

        return new self($http, $address, $database, $to->scheme());
    }

    /** Its address as it may be shown. */
    public function name(): string
    {
        return $this->scheme . substr(rtrim($this->address, '/'), (int) strpos($this->address, ':')) . "/$this->database";
    }

    /**
     * @param array<string, string|int|float|list<int>> $parameters by name
     *
     * @return list<list<mixed>> untrusted
     *
     * @throws QueryFailed|SendError
     */
    public function rows(string $sql, array $parameters = []): array
    {
        $query = self::SETTINGS + ['default_format' => 'JSONCompact'] + self::bound($parameters);
        $json = $this->post($query, $sql)->body;
        if (self::memory($json) > min(self::MOST_MEMORY, PhpMemory::left())) {
            throw new SendError("{$this->name()} answers with more values than fit into memory");
        }
        $data = json_decode($json, true, 64, JSON_INVALID_UTF8_SUBSTITUTE);
        $rows = is_array($data) ? $data['data'] ?? null : null;
        if (!is_array($rows) || array_filter($rows, is_array(...)) !== $rows) {
            throw new SendError("{$this->name()} does not answer as ClickHouse does");
        }

        return array_map(array_values(...), array_values($rows));
    }

    /** Bytes that its values take at most: some texts are forty times as large when they are decoded. */
    private static function memory(string $json): int
    {
        return strlen($json) + 32 * substr_count($json, ',') + 400 * (substr_count($json, '[') + substr_count($json, '{'))
            + 16 * substr_count($json, '"');
    }

    /**
     * @param array<string, string|int|float|list<int>> $parameters by name
     * @param bool $isGlobal whether the statement is for no database, which need not exist
     *
     * @throws QueryFailed|SendError
     */
    public function run(string $sql, array $parameters = [], bool $isGlobal = false): void
    {
        $this->post(self::bound($parameters), $sql, $isGlobal);
    }

    /**
     * Inserts rows as one block, or none of them.
     *
     * @param string             $table   of Schema
     * @param list<string>       $columns of it
     * @param list<list<mixed>>  $rows    in the order of the columns; numbers, texts, lists, and objects for maps
     * @param string|null        $token   the rows count once, however often they come with it; null: as often as they come
     *
     * @throws QueryFailed|SendError
     */
    public function insert(string $table, array $columns, array $rows, ?string $token = null): void
    {
        if ($rows === []) {
            return;
        }
        $query = [
            'query' => "INSERT INTO $table (" . implode(', ', $columns) . ') FORMAT JSONCompactEachRow',
            'async_insert' => '0',
            // The server confirms when all shards and views have the rows.
            'insert_distributed_sync' => '1',
            'wait_end_of_query' => '1',
        ];
        if ($token !== null) {
            $query += [
                'insert_deduplicate' => '1',
                'insert_deduplication_token' => $token,
                'deduplicate_blocks_in_dependent_materialized_views' => '1',
            ];
        }
        $lines = array_map(static fn (array $row): string => JsonText::encode($row, self::JSON), $rows);
        $this->post($query, implode("\n", $lines) . "\n");
    }

    /**
     * @param array<string, string> $query
     *
     * @throws QueryFailed|SendError
     */
    private function post(array $query, string $body, bool $isGlobal = false): HttpResponse
    {
        $query += $isGlobal ? [] : ['database' => $this->database];
        $url = $this->address . '?' . http_build_query($query, '', '&', PHP_QUERY_RFC3986);
        $answer = $this->http->post($url, $body, ['Content-Type' => 'text/plain; charset=UTF-8'], strlen($body) > self::WORTH_GZIP);
        if (!$answer->isSuccess()) {
            $code = (int) ($answer->headers['x-clickhouse-exception-code'] ?? 0);
            $said = $answer->said();
            throw new QueryFailed("{$this->name()} answers $answer->status" . ($said === '' ? '' : ": $said"), $code);
        }

        return $answer;
    }

    /**
     * @param array<string, string|int|float|list<int>> $parameters
     *
     * @return array<string, string>
     */
    private static function bound(array $parameters): array
    {
        $bound = [];
        foreach ($parameters as $name => $value) {
            // The server reads a parameter as a field of its format TabSeparated.
            $bound["param_$name"] = is_array($value)
                ? '[' . implode(',', $value) . ']'
                : strtr((string) $value, ['\\' => '\\\\', "\t" => '\\t', "\n" => '\\n', "\r" => '\\r', "\0" => '\\0']);
        }

        return $bound;
    }
}
