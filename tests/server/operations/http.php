<?php

declare(strict_types=1);

// A program of OperationsTest: HTTP by curl and by streams. Each value, id and password has "hunter2" or "8675309" in it.

namespace Http;

/** @param array<int, mixed> $options */
function request(string $url, array $options = []): void
{
    $curl = curl_init($url);
    curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true] + $options);
    curl_exec($curl);
}

/** One request for each of 20 products, of which each second is the one before. */
function products(string $server): void
{
    for ($i = 0; $i < 20; $i++) {
        request("$server/products/8675309" . intdiv($i, 2));
    }
}

function methods(string $server): void
{
    $password = [CURLOPT_USERPWD => 'hunter2:hunter2', CURLOPT_HTTPHEADER => ['X-Token: hunter2'], CURLOPT_COOKIE => 'a=hunter2'];
    request("$server/comments", [CURLOPT_POSTFIELDS => ['product' => '8675309', 'text' => 'hunter2']]);
    request("$server/products/8675309?hunter2=8675309#hunter2", [CURLOPT_NOBODY => true] + $password);
    request(str_replace('//', '//hunter2:hunter2@', $server) . '/search?q=hunter2&token=hunter2');
    request("$server/users/hunter2@example.org/orders/8675309-8675309", [CURLOPT_CUSTOMREQUEST => 'DELETE']);
}

function several(string $server): void
{
    $all = curl_multi_init();
    $handles = [];
    for ($i = 0; $i < 3; $i++) {
        $handles[$i] = curl_init("$server/products/8675309$i?token=hunter2");
        curl_setopt($handles[$i], CURLOPT_RETURNTRANSFER, true);
        curl_multi_add_handle($all, $handles[$i]);
    }
    do {
        curl_multi_exec($all, $running);
        if ($running) {
            curl_multi_select($all);
        }
    } while ($running);
}

function streams(string $server): void
{
    $http = ['method' => 'POST', 'content' => 'hunter2', 'header' => "Authorization: hunter2\r\n", 'ignore_errors' => true];
    $post = stream_context_create(['http' => $http]);
    @file_get_contents("$server/comments?token=hunter2", false, $post);
    for ($i = 0; $i < 3; $i++) {
        @file_get_contents("$server/products/8675309?token=hunter2");
    }
    $stream = fopen("$server/products/17?q=hunter2", 'r');
    if ($stream !== false) {
        stream_get_contents($stream);
    }
    @get_headers("$server/products/8675309?token=hunter2");
}

$server = (string) getenv('SHOP_HTTP');
products($server);
methods($server);
several($server);
streams($server);
// Nothing listens there.
request('http://127.0.0.1:1/users/8675309?token=hunter2');
@file_get_contents('http://hunter2:hunter2@127.0.0.1:1/users/8675309?token=hunter2');
