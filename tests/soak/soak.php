<?php

/*
 * Many requests through nginx and PHP-FPM with every request in a window, with reloads, workers that are replaced, kill -9 and
 * a full disk; then the sums of all windows are compared with nginx's log, route by route: `make soak`. `php tests/soak/soak.php
 * --help` lists the options. The exit code is 1 where something is not as it has to be.
 */

declare(strict_types=1);

namespace XHProf\Tests\Soak;

use XHProf\Bench\Machine;
use XHProf\Bench\Progress;
use XHProf\Tools\Servers\Programs;
use XHProf\Tools\Servers\ServerFailure;

require __DIR__ . '/autoload.php';

// An end by a signal runs destructors too: they end the servers and take the small disk away.
if (function_exists('pcntl_async_signals')) {
    pcntl_async_signals(true);
    foreach ([SIGINT, SIGTERM, SIGHUP] as $signal) {
        pcntl_signal($signal, static fn(int $signal): never => exit(128 + $signal));
    }
}
try {
    $options = Options::parse(array_slice($argv, 1));
    if ($options->help) {
        echo Options::USAGE;
        exit(0);
    }
    if (Programs::missing() !== null) {
        throw new ServerFailure(Programs::missing());
    }
    $progress = new Progress(STDERR, $options->steps());
    try {
        $report = (new Soak($options))->run($progress->step(...));
    } finally {
        $progress->end();
    }
    echo Machine::line(), ".\n", $report->text();
    exit($report->problems() === [] ? 0 : 1);
} catch (\InvalidArgumentException $mistake) {
    fwrite(STDERR, "tests/soak/soak.php: {$mistake->getMessage()}\n");
    exit(2);
} catch (ServerFailure $failure) {
    fwrite(STDERR, "tests/soak/soak.php: {$failure->getMessage()}\n");
    exit(1);
}
