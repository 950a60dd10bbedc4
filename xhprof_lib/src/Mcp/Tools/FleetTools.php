<?php

declare(strict_types=1);

namespace XHProf\Mcp\Tools;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Question\SampledClock;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\Report\FunctionsReport;
use XHProf\Fleet\Report\HostsReport;
use XHProf\Fleet\Report\KeptReport;
use XHProf\Fleet\Report\OneFunctionReport;
use XHProf\Fleet\Report\ReleasesReport;
use XHProf\Fleet\Report\RoutesReport;
use XHProf\Fleet\Report\ServicesReport;
use XHProf\Fleet\Report\StoreReport;
use XHProf\Fleet\Report\TrendReport;
use XHProf\Fleet\Report\VerdictsReport;
use XHProf\Mcp\WrongArguments;
use XHProf\Report\Report;

/** Questions to the store of many hosts, where the environment names one. */
final class FleetTools
{
    private const QUESTIONS = [
        'services', 'routes', 'trend', 'functions', 'function', 'hosts', 'releases', 'leaks', 'regressions', 'status',
    ];

    /** Questions that are about all services. */
    private const OF_ALL = ['services', 'status', 'regressions'];

    /** Seconds for a store elsewhere. */
    private const SECONDS = 20;

    /** @return list<Tool> */
    public static function all(): array
    {
        return [new Tool(
            'fleet',
            'The store of many hosts',
            'Asks the store of many hosts (XHPROF_FLEET). Begin with "services"; the others need a service: routes, trend over'
                . ' time,'
                . ' functions, one function, hosts beside each other, releases, leaks. "regressions" lists those that were found.',
            [
                new Parameter('question', 'string', 'What to ask', 'services', self::QUESTIONS),
                new Parameter('service', 'string', 'Only this service'),
                new Parameter('env', 'string', 'Only this environment'),
                new Parameter('route', 'string', 'Only this route or job'),
                new Parameter('release', 'string', 'Only this release'),
                new Parameter('host', 'string', 'Only this host'),
                ...array_slice(Given::rangeParameters(), 0, 2),
                new Parameter('function', 'string', 'With the question "function": its name'),
                new Parameter('clock', 'string', 'Time that the hosts sample', 'wall', ['wall', 'cpu']),
                Parameter::limit('lines', 15),
            ],
            static function (Given $given, Desk $desk): Answer {
                $client = $desk->fleet ?? throw new CannotAnswer('no store is named: set XHPROF_FLEET');
                $question = $given->text('question');
                if ($given->text('service') === '' && !in_array($question, self::OF_ALL, true)) {
                    throw new CannotAnswer("the question \"$question\" needs a service", [
                        new Call('fleet', ['question' => 'services'], 'the services that there are'),
                    ]);
                }
                if ($question === 'function' && $given->text('function') === '') {
                    throw new WrongArguments('the question "function" needs the argument "function"');
                }
                $report = self::report($client, $question, $given);

                return new Answer([$report->shown(null, $given->number('limit'))], self::next($report, $question, $given));
            },
            seconds: self::SECONDS,
        )];
    }

    private static function report(Client $client, string $question, Given $given): Report
    {
        $range = $given->range();
        $which = new Selection(
            $given->text('service'),
            $given->text('env'),
            $given->text('route'),
            $given->text('release'),
            $given->text('host'),
            $range['from'] === null ? null : (int) $range['from'],
            $range['until'] === null ? null : (int) $range['until'],
        );
        [$clock, $limit] = [SampledClock::from($given->text('clock')), $given->number('limit')];

        return match ($question) {
            'routes' => (new RoutesReport($client, $which))->report(),
            'trend' => (new TrendReport($client, $which))->report($limit),
            'functions' => FunctionsReport::report($client, $which, $clock, $limit, false),
            'function' => self::function(new OneFunctionReport($client, $which, $clock, $given->text('function')), $limit),
            'hosts' => HostsReport::report($client, $which, $clock),
            'releases' => ReleasesReport::report($client, $which),
            'leaks' => KeptReport::report($client, $which),
            'regressions' => VerdictsReport::report($client, $which, $limit),
            'status' => (new StoreReport($client))->report($given->text('service')),
            default => (new ServicesReport($client, $which))->report(),
        };
    }

    private static function function(OneFunctionReport $report, int $limit): Report
    {
        return $report->figures === null ? throw new CannotAnswer('no host has sent a function of this'
            . ' name') : $report->report($limit);
    }

    /** @return list<Call> from services to routes to functions */
    private static function next(Report $report, string $question, Given $given): array
    {
        $first = $report->tables[0]->rows[0] ?? [];
        $text = static fn (string $key): ?string => is_string($first[$key] ?? null) && $first[$key] !== '' ? $first[$key] : null;
        $which = ['service' => $given->text('service') ?: $text('service'), 'env' => $given->text('env') ?: $text('env')];

        return match (true) {
            $which['service'] === null => [],
            $question === 'services' => [new Call('fleet', ['question' => 'routes'] + $which, 'the routes of the first one')],
            $question === 'routes' && $text('route') !== null => [new Call('fleet', [
                'question' => 'functions', 'route' => $text('route'),
            ] + $which, 'where the time of the first route goes')],
            $question === 'functions' && $text('function') !== null => [new Call('fleet', [
                'question' => 'function', 'function' => $text('function'),
            ] + $which, 'the first one: releases, callers, callees')],
            default => [new Call('fleet', ['question' => 'trend'] + $which, 'how it was over time')],
        };
    }
}
