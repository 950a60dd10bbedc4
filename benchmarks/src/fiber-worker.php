<?php

/*
 * One measurement of benchmarks/fibers.php, as JSON: ns of one step, the least of many stretches; or bytes.
 */

declare(strict_types=1);

namespace XHProf\Bench\Fibers;

const FIBERS = 20;
const STRETCHES = 2_000;
const OPEN = 9_900;

/** @return list<\Fiber<null, null, null, null>> that wait, each with a span where that is wanted */
function waiting(int $count, bool $spans): array
{
    $fibers = [];
    for ($i = 0; $i < $count; $i++) {
        $fibers[] = $fiber = new \Fiber(static function () use ($i, $spans): void {
            $span = $spans ? xhprof_span('job ' . $i % 10) : null;
            while (true) { // @phpstan-ignore while.alwaysTrue
                \Fiber::suspend($span);
            }
        });
        $fiber->start();
    }

    return $fibers;
}

/**
 * The least time of a step.
 *
 * @param \Closure(): void $stretch
 * @param int $steps of a stretch
 */
function least(\Closure $stretch, int $steps): float
{
    $least = INF;
    for ($i = 0; $i < STRETCHES; $i++) {
        $began = hrtime(true);
        $stretch();
        $least = min($least, hrtime(true) - $began);
    }

    return round($least / $steps, 1);
}

function switches(bool $spans): float
{
    $fibers = waiting(FIBERS, $spans);

    return least(static function () use ($fibers): void {
        foreach ($fibers as $fiber) {
            $fiber->resume();
        }
    }, 2 * FIBERS);
}

function enters(): float
{
    $fiber = new \Fiber(static fn() => \Fiber::suspend(xhprof_span('a')));
    $span = $fiber->start();
    $other = waiting(1, true);
    if (!$span instanceof \XHProfSpan) {
        throw new \LogicException('there is no span');
    }

    return least(static function () use ($span): void {
        for ($i = 0; $i < 100; $i++) {
            $span->enter();
            $span->leave();
        }
    }, 100);
}

function spans(): float
{
    return least(static function (): void {
        for ($i = 0; $i < 10; $i++) {
            $span = xhprof_span('job');
            $span->end();
        }
    }, 10);
}

function resident(): int
{
    preg_match('/^RssAnon:\s*(\d+) kB/m', (string) file_get_contents('/proc/self/status'), $match);

    return 1024 * (int) ($match[1] ?? 0);
}

/** Bytes of an open span: each fiber had one before, so that its stack has the pages that a begin needs. */
function memory(): float
{
    $fibers = [];
    for ($i = 0; $i < OPEN; $i++) {
        $fibers[] = $fiber = new \Fiber(static function () use ($i): void {
            $span = xhprof_span('job ' . $i % 10);
            $span->end();
            \Fiber::suspend();
            $span = xhprof_span('job ' . $i % 10);
            \Fiber::suspend($span);
        });
        $fiber->start();
    }
    $before = resident();
    foreach ($fibers as $fiber) {
        $fiber->resume();
    }

    return round((resident() - $before) / OPEN);
}

echo json_encode(match ($argv[1]) {
    'switch' => switches(false),
    'switch spans' => switches(true),
    'switch exact' => (static function (): float {
        xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
        $least = switches(false);
        xhprof_disable();

        return $least;
    })(),
    'enter' => enters(),
    'span' => spans(),
    'span beside' => (static function (): float {
        $others = waiting(FIBERS, true);

        return spans();
    })(),
    'memory' => memory(),
    default => throw new \LogicException("there is no $argv[1]"),
}), "\n";
