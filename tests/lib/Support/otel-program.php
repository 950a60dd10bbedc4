<?php

/*
 * otel-program.php VENDOR MODE: a program with OpenTelemetry's packages, profiled. MODE: "sample" or "exact". Writes the id of the
 * run and the ids of its spans as JSON. Each of its functions runs in one span: spans within each other, siblings, in fibers
 * that take turns, one that ends by an exception, and one of a remote parent.
 */

declare(strict_types=1);

use OpenTelemetry\API\Trace\Span;
use OpenTelemetry\API\Trace\SpanContext;
use OpenTelemetry\API\Trace\SpanInterface;
use OpenTelemetry\Context\Context;
use OpenTelemetry\SDK\Trace\TracerProvider;

require "$argv[1]/autoload.php";

$tracer = (new TracerProvider())->getTracer('test');
$spans = [];
/** @param non-empty-string $name */
function otel_span(string $name): SpanInterface
{
    global $tracer, $spans;
    $span = $tracer->spanBuilder($name)->startSpan();
    $spans[$name] = ['trace_id' => $span->getContext()->getTraceId(), 'span_id' => $span->getContext()->getSpanId()];

    return $span;
}

function otel_work(): void
{
    global $argv;
    if ($argv[2] === 'sample') {
        usleep(30_000);
    } else {
        file_get_contents(__FILE__);
    }
}

function in_none(): void
{
    otel_work();
}

function in_root(): void
{
    otel_work();
}

function in_child(): void
{
    otel_work();
}

function in_sibling(): void
{
    otel_work();
}

function in_first(): void
{
    otel_work();
}

function in_second(): void
{
    otel_work();
}

function in_failed(): void
{
    otel_work();
}

function in_remote(): void
{
    otel_work();
}

function in_after(): void
{
    otel_work();
}

/** @param \Closure(): void $code */
function within(SpanInterface $span, \Closure $code): void
{
    $scope = $span->activate();
    try {
        $code();
    } finally {
        $scope->detach();
        $span->end();
    }
}

$argv[2] === 'sample' ? xhprof_sample_enable(['interval' => 1000]) : xhprof_enable();
in_none();
within(otel_span('root'), static function (): void {
    in_root();
    within(otel_span('child'), in_child(...));
    within(otel_span('sibling'), in_sibling(...));
    $fibers = [];
    foreach (['first' => in_first(...), 'second' => in_second(...)] as $name => $works) {
        $fibers[$name] = new Fiber(static function () use ($name, $works): void {
            $root = Context::getRoot();
            $scope = $root->activate();
            within(otel_span($name), static function () use ($works): void {
                $works();
                Fiber::suspend();
                $works();
            });
            $scope->detach();
        });
        $fibers[$name]->start();
    }
    in_root();
    array_walk($fibers, static fn (Fiber $fiber): mixed => $fiber->resume());
    try {
        within(otel_span('failed'), static function (): void {
            in_failed();
            throw new RuntimeException();
        });
    } catch (RuntimeException) {
        in_root();
    }
});
$remote = ['trace_id' => '4bf92f3577b34da6a3ce929d0e0e4736', 'span_id' => '00f067aa0ba902b7'];
$spans['remote'] = $remote;
within(Span::wrap(SpanContext::createFromRemoteParent($remote['trace_id'], $remote['span_id'])), in_remote(...));
in_after();
$argv[2] === 'sample' ? xhprof_sample_disable() : xhprof_disable();
echo json_encode(['id' => xhprof_save(), 'spans' => $spans]);
