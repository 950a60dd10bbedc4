<?php

/*
 * store-server.php FOLDER [CERTIFICATE]: prints its address and answers one request after the other. Writes each to
 * FOLDER/requests; the lines of FOLDER/answers say how each is answered. Who asks as of a ClickHouse hears of no rows.
 */

declare(strict_types=1);

[, $folder, $certificate] = $argv + [2 => ''];
$context = stream_context_create($certificate === '' ? [] : ['ssl' => ['local_cert' => $certificate]]);
$scheme = $certificate === '' ? 'tcp' : 'ssl';
$server = stream_socket_server("$scheme://127.0.0.1:0", $code, $message, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN, $context);
if ($server === false) {
    exit(1);
}
echo stream_socket_get_name($server, false), "\n";
// After an hour without one, or a client that speaks no TLS, the test has gone.
for ($failed = 0; $failed < 10;) {
    $client = @stream_socket_accept($server, 3600);
    if ($client === false) {
        $failed++;
        continue;
    }
    $head = '';
    while (!str_contains($head, "\r\n\r\n") && ($line = fgets($client)) !== false) {
        $head .= $line;
    }
    preg_match('/^Content-Length: (\d+)/mi', $head, $length);
    $body = isset($length[1]) ? (string) stream_get_contents($client, (int) $length[1]) : '';
    if ($head === '') {
        fclose($client);
        continue;
    }
    preg_match_all('/^([\w-]+): (.*?)\r$/m', $head, $headers);
    file_put_contents("$folder/requests", json_encode([
        'path' => explode(' ', $head)[1],
        'headers' => array_combine(array_map(strtolower(...), $headers[1]), $headers[2]),
        'body' => base64_encode($body),
    ]) . "\n", FILE_APPEND);
    $answers = @file("$folder/answers", FILE_IGNORE_NEW_LINES) ?: [];
    $answer = (string) array_shift($answers);
    file_put_contents("$folder/answers", implode("\n", $answers));
    while ($answer === 'hang' && !file_exists("$folder/go")) {
        usleep(5000);
        clearstatcache();
    }
    [$line, $said] = explode("\t", $answer, 2) + [1 => 'so'];
    $said = stripcslashes($said);
    [$status, $more] = explode(' ', $line, 2) + [1 => ''];
    if ($answer === 'part') {
        fwrite($client, "HTTP/1.1 200 OK\r\nContent-Le");
    } elseif ($answer === 'long') {
        fwrite($client, "HTTP/1.1 400 No\r\n\r\n" . str_repeat('x', 1 << 20));
    } elseif ($answer !== 'cut') {
        $status = (int) $status ?: 200;
        if ($said === 'so' && str_contains((string) strtok($head, "\r\n"), 'default_format=JSON')) {
            $said = '{"data":[]}';
        }
        @fwrite($client, "HTTP/1.1 $status Said\r\n" . ($more === '' ? '' : "$more\r\n")
            . 'Content-Length: ' . strlen($said) . "\r\n\r\n$said");
    }
    fclose($client);
}
