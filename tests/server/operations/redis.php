<?php

declare(strict_types=1);

// A program of OperationsTest: Redis. Each value, id and password has "hunter2", "8675309" or "c0ffee" in it.

namespace Redis;

function connect(): \Redis
{
    $redis = new \Redis();
    $redis->connect((string) getenv('SHOP_REDIS'));
    $redis->auth('hunter2 password');

    return $redis;
}

/** One request for each of 200 books, of which each second has the author of the one before. */
function books(\Redis $redis): void
{
    for ($book = 0; $book < 200; $book++) {
        $redis->get('author:' . (8675309 + intdiv($book, 2)) . ':name');
    }
}

function keys(\Redis $redis): void
{
    $redis->set('user:8675309:name', 'hunter2');
    $redis->set('user:8675309:name', 'hunter2', ['EX' => 60]);
    $redis->setex('session:c0ffee00c0ffee00c0ffee00c0ffee00', 60, 'hunter2');
    $redis->get('mail:hunter2@example.org');
    $redis->get('token|aB3hunter2xY7qR9sT2u');
    $redis->hSet('cart:8675309', 'hunter2', 'hunter2');
    $redis->hMSet('cart:8675309', ['hunter2' => 'hunter2', 8675309 => 'hunter2']);
    $redis->lPush('queue', 'hunter2', 'hunter2');
    $redis->publish('news', 'hunter2');
    $redis->zAdd('scores', 8675309, 'hunter2');
    $redis->mget(['user:8675309:name', 'user:8675308:name']);
    $redis->mset(['user:8675309:name' => 'hunter2', 'user:8675308:name' => 'hunter2']);
    // Keys that are numbers are integers in PHP.
    $redis->mset(['8675309' => 'hunter2', '8675308' => 'hunter2']);
    $redis->msetnx(['8675309' => 'hunter2']);
    $redis->del('user:8675309:name', 'user:8675308:name');
    $redis->del(['user:8675309:name', 'hunter2']);
    $redis->object('encoding', 'cart:8675309');
    $iterator = null;
    $redis->scan($iterator, 'hunter2:*');
}

function programs(\Redis $redis): void
{
    $script = "return {KEYS[1], 'hunter2', ARGV[1]}";
    $redis->eval($script, ['user:8675309', 'hunter2'], 1);
    $hash = $redis->script('load', $script);
    $redis->evalSha($hash, ['user:8675309', 'hunter2'], 1);
    $redis->rawCommand('SET', 'user:8675309', 'hunter2');
    $redis->echo('hunter2');
    $redis->ping('hunter2');
    $redis->config('SET', 'requirepass', 'hunter2 password');
}

/** Old names, which newer versions of the extension do not have. */
function aliases(\Redis $redis): void
{
    foreach (['evaluate', 'evaluateSha', 'sendEcho'] as $name) {
        if (method_exists($redis, $name)) {
            @$redis->$name("return 'hunter2' .. 8675309");
        }
    }
}

function pipeline(\Redis $redis): void
{
    $pipeline = $redis->pipeline();
    for ($i = 0; $i < 3; $i++) {
        $pipeline->set("user:{$i}8675309", 'hunter2');
    }
    $pipeline->exec();
    $redis->multi();
    $redis->incr('visits:8675309');
    $redis->exec();
}

function local(\Redis $redis): void
{
    $redis->setOption(\Redis::OPT_PREFIX, 'hunter2:');
    $redis->_prefix('hunter2');
    $redis->_serialize('hunter2');
    $redis->getAuth();
}

/** @param \Closure(): mixed $fails */
function failure(\Closure $fails): void
{
    try {
        $failed = $fails() === false;
    } catch (\RedisException) {
        $failed = true;
    }
    echo $failed ? "fails\n" : "it does not fail\n";
}

$redis = connect();
books($redis);
keys($redis);
programs($redis);
aliases($redis);
pipeline($redis);
local($redis);
failure(static fn() => $redis->lPush('hours', 'hunter2') && $redis->get('hours'));
failure(static fn() => $redis->auth('not the hunter2 password'));
// The server ends.
$other = connect();
failure(static fn() => @$other->rawCommand('SHUTDOWN', 'NOSAVE'));
failure(static fn() => @$redis->get('user:8675309:name'));
failure(connect(...));
