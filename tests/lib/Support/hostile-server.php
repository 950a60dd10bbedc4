<?php

/*
 * hostile-server.php MODE: prints its address and answers one request after the other as no server should, for as long as its
 * client listens. With "deaf" it does not even read.
 */

declare(strict_types=1);

[, $mode] = $argv;
$server = stream_socket_server('tcp://127.0.0.1:0');
if ($server === false) {
    exit(1);
}
echo stream_socket_get_name($server, false), "\n";
$drip = static function ($client, string $text): bool {
    usleep(20000);

    return @fwrite($client, $text) !== false;
};
while (($client = @stream_socket_accept($server, 3600)) !== false) {
    if ($mode === 'deaf') {
        $kept[] = $client;
        continue;
    }
    $head = '';
    while (!str_contains($head, "\r\n\r\n") && ($line = fgets($client)) !== false) {
        $head .= $line;
    }
    $ok = "HTTP/1.1 200 OK\r\n";
    $line = 'X: ' . str_repeat('x', 8000);
    $first = match ($mode) {
        'headers', 'slow headers', 'one header' => $ok,
        'body', 'slow body' => "$ok\r\n",
        'error' => "HTTP/1.1 500 No\r\n\r\n",
        'chunks', 'slow chunks' => "{$ok}Transfer-Encoding: chunked\r\n\r\n",
        'a large chunk' => "{$ok}Transfer-Encoding: chunked\r\n\r\nffffffff\r\n",
        'chunk line' => "{$ok}Transfer-Encoding: chunked\r\n\r\n1;",
        'length' => "{$ok}Content-Length: 999999999999\r\n\r\n",
        default => '',
    };
    @fwrite($client, $first);
    do {
        $goesOn = match ($mode) {
            'headers' => @fwrite($client, "$line\r\n") !== false,
            'one header', 'status', 'body', 'error', 'a large chunk', 'chunk line', 'length' => @fwrite($client, $line) !== false,
            'interim' => @fwrite($client, "HTTP/1.1 100 Continue\r\n\r\n") !== false,
            'chunks' => @fwrite($client, "2000\r\n" . str_repeat('x', 8192) . "\r\n") !== false,
            'slow headers' => $drip($client, "X: x\r\n"),
            'slow status' => $drip($client, ' '),
            'slow body' => $drip($client, 'x'),
            'slow chunks' => $drip($client, "1\r\nx\r\n"),
            default => $drip($client, '') && !feof($client) && @fread($client, 1) !== false,
        };
    } while ($goesOn);
    fclose($client);
}
