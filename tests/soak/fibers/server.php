<?php

/*
 * An HTTP server on amphp/socket, with a fiber for each connection and a span for each request. Its handlers spend CPU
 * time in loops of known length, and wait. `server.php AUTOLOAD` prints its port and process. It ends after a request for
 * /end, whose answer has the number of requests of each route, the CPU time of its loops, and that of all since the first
 * one without the sampler's.
 */

declare(strict_types=1);

namespace XHProf\Tests\Soak;

use Amp\Future;
use Amp\Socket\Socket;
use Amp\TimeoutCancellation;

use function Amp\async;
use function Amp\delay;
use function Amp\Socket\listen;

require $argv[1];
require __DIR__ . '/../FiberRoutes.php';

/** @return array<string, int> µs of CPU time that the loops of each route took until now, and these ones do */
function spin(int $loops, string $route = ''): array
{
    static $worked = [];
    $began = cpu();
    for ($i = 0, $x = 0; $i < $loops; $i++) {
        $x ^= $i;
    }
    $worked[$route] = ($worked[$route] ?? 0) + cpu() - $began;

    return $worked;
}

/** Works, waits, and works. */
function in_turns(int $loops, string $route): void
{
    spin(intdiv($loops, 2), $route);
    delay(0.002);
    spin(intdiv($loops, 2), $route);
}

/** Has three fibers of its own, which the event loop starts: they work for the span in which they were asked for. */
function in_parts(int $loops, string $route): void
{
    $parts = [];
    for ($i = 0; $i < 3; $i++) {
        $parts[] = async(static function () use ($loops, $route): void {
            spin(intdiv($loops, 3), $route);
            delay(0.001);
        });
    }
    Future\await($parts);
}

/** Has an exception after its work. */
function with_failure(int $loops, string $route): never
{
    in_turns($loops, $route);

    throw new \RuntimeException('as it has to be');
}

/** Gives up what it waits for, which goes on when the request has ended, and leaves a fiber that is never resumed. */
function without_patience(int $loops, string $route): void
{
    (new \Fiber(static function () use ($loops, $route): void {
        spin($loops, $route);
        \Fiber::suspend();
    }))->start();
    try {
        async(static fn() => delay(0.01))->await(new TimeoutCancellation(0.002));
    } catch (\Amp\CancelledException) {
    }
}

/** CPU time of the process in µs. */
function cpu(): int
{
    $used = getrusage();
    $seconds = $used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec'];

    return 1_000_000 * $seconds + $used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec'];
}

/** CPU time of the sampler's thread, in µs, which is the profiler's own; 0 where the system does not say it. */
function cpu_of_sampler(): int
{
    $used = 0;
    foreach (glob('/proc/self/task/*/schedstat') ?: [] as $file) {
        $used += basename(dirname($file)) === (string) getmypid() ? 0 : intdiv((int) file_get_contents($file), 1000);
    }

    return $used;
}

/** @return int the status of the answer */
function answer(string $route): int
{
    $span = xhprof_span($route);
    try {
        (FiberRoutes::HANDLERS[$route])(FiberRoutes::LOOPS[$route], $route);

        return 200;
    } catch (\RuntimeException) {
        return 500;
    } finally {
        $span->end();
    }
}

/** The requests of a connection, one after the other. */
function serve(Socket $connection, \Closure $end): void
{
    static $counts = [], $began = null;
    $began ??= cpu();
    $received = '';
    while (($bytes = $connection->read()) !== null) {
        $received .= $bytes;
        while (($length = strpos($received, "\r\n\r\n")) !== false) {
            $route = implode(' ', array_slice(explode(' ', substr($received, 0, $length), 3), 0, 2));
            $received = substr($received, $length + 4);
            [$status, $body] = [200, $route];
            if ($route === FiberRoutes::END) {
                $cpu = cpu() - cpu_of_sampler() - $began;
                $body = (string) json_encode(['requests' => $counts, 'worked' => spin(0), 'cpu' => $cpu]);
            } else {
                $counts[$route] = ($counts[$route] ?? 0) + 1;
                $status = answer($route);
            }
            $connection->write("HTTP/1.1 $status \r\nContent-Length: " . strlen($body) . "\r\n\r\n$body");
            if ($route === FiberRoutes::END) {
                $end();

                return;
            }
        }
    }
}

$server = listen('127.0.0.1:0');
echo substr((string) strrchr((string) $server->getAddress(), ':'), 1), ' ', getmypid(), "\n";
while ($connection = $server->accept()) {
    async(serve(...), $connection, $server->close(...))->ignore();
}
