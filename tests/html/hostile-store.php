<?php

/*
 * hostile-store.php [FIGURES]: prints its address and answers every statement as a ClickHouse would not: the number of columns is
 * right, the values are any, the same in each run. With FIGURES, JSON, the answers to statements that begin with its keys are its
 * values: rows, or a number of empty ones.
 */

declare(strict_types=1);

const VALUES = [
    '0', '1', '-1', '1.5', '1e30', '9223372036854775807', 'null', 'true', '"0"', '"12"', '""', '"x"', '"GET /a"', '"a==>b"',
    '"\u0000"', '"main()"', '[]', '[1,2]', '["0"]', '[[1],[2]]', '{}', '{"5":3,"-1":"x","9":-4}', '{"a":{"b":1}}', '"{\"v\":1}"',
];

$server = stream_socket_server('tcp://127.0.0.1:0');
if ($server === false) {
    exit(1);
}
echo stream_socket_get_name($server, false), "\n";
mt_srand(7);
$given = (array) json_decode($argv[1] ?? '{}', true);
while (($client = @stream_socket_accept($server, 3600)) !== false) {
    $head = '';
    while (!str_contains($head, "\r\n\r\n") && ($line = fgets($client)) !== false) {
        $head .= $line;
    }
    preg_match('/^Content-Length: (\d+)/mi', $head, $length);
    $sql = (string) stream_get_contents($client, (int) ($length[1] ?? 0));
    $sql = str_contains($head, 'Content-Encoding: gzip') ? (string) gzdecode($sql) : $sql;
    // Top-level commas of the first SELECT.
    $columns = 1;
    $depth = 0;
    foreach (str_split(preg_split('/\bFROM\b/', $sql)[0] ?? '') as $byte) {
        $depth += $byte === '(' || $byte === '[' ? 1 : ($byte === ')' || $byte === ']' ? -1 : 0);
        $columns += $byte === ',' && $depth === 0 ? 1 : 0;
    }
    $rows = [];
    for ($row = mt_rand(1, 4); $row > 0; $row--) {
        $values = array_map(static fn (): string => VALUES[mt_rand(0, count(VALUES) - 1)], range(1, $columns));
        $rows[] = '[' . implode(',', $values) . ']';
    }
    $body = '{"data":[' . implode(',', $rows) . ']}';
    foreach ($given as $begin => $data) {
        $data = is_int($data) ? array_fill(0, $data, []) : $data;
        $body = str_starts_with($sql, (string) $begin) ? (string) json_encode(['data' => $data]) : $body;
    }
    @fwrite($client, "HTTP/1.1 200 OK\r\nContent-Length: " . strlen($body) . "\r\n\r\n$body");
    fclose($client);
}
