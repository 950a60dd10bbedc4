<?php

/*
 * Many requests to a server on amphp/socket with a fiber for each connection and a span for each request, twenty at a time; then
 * what the windows say of each route is compared with what its requests did: `make soak`. `php tests/soak/fibers.php --help` lists
 * the options. The exit code is 1 where something is not as it has to be.
 */

declare(strict_types=1);

namespace XHProf\Tests\Soak;

use XHProf\Bench\Machine;
use XHProf\Bench\Progress;
use XHProf\Tools\Servers\ServerFailure;

require __DIR__ . '/autoload.php';

// An end by a signal runs destructors too: they end the server and take its folder away.
if (function_exists('pcntl_async_signals')) {
    pcntl_async_signals(true);
    foreach ([SIGINT, SIGTERM, SIGHUP] as $signal) {
        pcntl_signal($signal, static fn(int $signal): never => exit(128 + $signal));
    }
}
try {
    $options = FiberOptions::parse(array_slice($argv, 1));
    if ($options->help) {
        echo FiberOptions::USAGE;
        exit(0);
    }
    if (FiberSoak::missing() !== null) {
        throw new ServerFailure(FiberSoak::missing());
    }
    $progress = new Progress(STDERR, FiberSoak::READINGS);
    try {
        $report = (new FiberSoak($options))->run($progress->step(...));
    } finally {
        $progress->end();
    }
    echo Machine::line(), ".\n", $report->text();
    exit($report->problems() === [] ? 0 : 1);
} catch (\InvalidArgumentException $mistake) {
    fwrite(STDERR, "tests/soak/fibers.php: {$mistake->getMessage()}\n");
    exit(2);
} catch (ServerFailure $failure) {
    fwrite(STDERR, "tests/soak/fibers.php: {$failure->getMessage()}\n");
    exit(1);
}
