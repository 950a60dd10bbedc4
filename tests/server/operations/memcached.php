<?php

declare(strict_types=1);

// A program of OperationsTest: Memcached. Each value and id has "hunter2", "8675309" or "c0ffee" in it.

namespace Memcached;

/** One request for each of 200 books, of which each second has the author of the one before. */
function books(\Memcached $cache): void
{
    for ($book = 0; $book < 200; $book++) {
        $cache->get('author:' . (8675309 + intdiv($book, 2)) . ':name');
    }
}

function keys(\Memcached $cache): void
{
    $cache->set('user:8675309:name', 'hunter2', 60);
    $cache->add('session:c0ffee00c0ffee00c0ffee00c0ffee00', 'hunter2');
    $cache->replace('mail:hunter2@example.org', 'hunter2');
    $cache->append('user:8675309:name', 'hunter2');
    $cache->get('user:8675309:name', static fn(): bool => false, \Memcached::GET_EXTENDED);
    $cache->getMulti(['user:8675309:name', 'user:8675308:name']);
    $cache->setMulti(['user:8675309:name' => 'hunter2', 'user:8675308:name' => 'hunter2']);
    // Keys that are numbers are integers in PHP.
    $cache->setMulti(['8675309' => 'hunter2', '8675308' => 'hunter2']);
    $cache->increment('visits:8675309', 8675309);
    $cache->cas(8675309, 'user:8675309:name', 'hunter2');
    $cache->touch('user:8675309:name', 60);
    $cache->delete('user:8675309:name');
    $cache->deleteMulti(['user:8675309:name', 'hunter2']);
    $cache->getDelayed(['user:8675309:name']);
    $cache->fetchAll();
}

/** The first key chooses the server. */
function keysOfServers(\Memcached $cache): void
{
    $cache->setByKey('group-8675309', 'user:8675309:name', 'hunter2');
    $cache->getByKey('group-8675309', 'user:8675309:name');
    $cache->setMultiByKey('group-8675309', ['8675309' => 'hunter2']);
    $cache->getMultiByKey('group-8675309', ['user:8675309:name']);
    $cache->casByKey(8675309, 'group-8675309', 'user:8675309:name', 'hunter2');
    $cache->deleteByKey('group-8675309', 'user:8675309:name');
}

function local(\Memcached $cache): void
{
    $cache->setOption(\Memcached::OPT_PREFIX_KEY, 'hunter2');
    $cache->checkKey('hunter2');
    $cache->getServerByKey('hunter2');
    $cache->setOption(\Memcached::OPT_PREFIX_KEY, '');
}

/** The server ends: it closes a connection that waits only then. */
function lost(\Memcached $cache, string $socket): void
{
    $waits = stream_socket_client("unix://$socket");
    $other = stream_socket_client("unix://$socket");
    if ($waits !== false && $other !== false) {
        fwrite($other, "shutdown\r\n");
        stream_get_contents($waits);
    }
    $cache->get('user:8675309:name');
    $answers = [\Memcached::RES_SUCCESS, \Memcached::RES_NOTFOUND];
    echo in_array($cache->getResultCode(), $answers, true) ? 'it does not fail' : 'fails', "\n";
}

$socket = (string) getenv('SHOP_MEMCACHED');
$cache = new \Memcached();
$cache->setOption(\Memcached::OPT_COMPRESSION, false);
$cache->addServer($socket, 0);
books($cache);
keys($cache);
keysOfServers($cache);
local($cache);
lost($cache, $socket);
