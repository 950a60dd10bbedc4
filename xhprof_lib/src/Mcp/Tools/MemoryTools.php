<?php

declare(strict_types=1);

namespace XHProf\Mcp\Tools;

use XHProf\Functions\RunHead;
use XHProf\Memory\GrowthReport;
use XHProf\Memory\LiveReport;
use XHProf\Memory\MarkRange;
use XHProf\Memory\MemoryReport;
use XHProf\Report\Order;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Requests\KeptWindows;
use XHProf\Run\Run;
use XHProf\Store\RunQuery;

/** Questions about the live memory of a run, and about what requests keep. */
final class MemoryTools
{
    /** Seconds in which windows are read: the newest come first. */
    private const READING = 1.5;

    /** @return list<Tool> */
    public static function all(): array
    {
        $by = new Parameter('by', 'string', 'One line per', 'path', MemoryReport::BY);

        return [
            new Tool(
                'memory',
                'Who holds the memory of a run',
                'The memory that was still in use when a run ended, by the call path, function or type that allocated it, the most'
                    . ' first. A run has it if allocations were recorded (xhprof run --alloc).',
                [
                    Parameter::run(),
                    $by,
                    new Parameter('sort', 'string', 'Column: live, blocks, allocated, freed; by function also'
                        . ' incl', LiveReport::USUAL),
                    new Parameter('when', 'string', 'At the end, or when PHP\'s heap was largest', 'end', ['end', 'peak']),
                    Parameter::limit('lines', 12),
                ],
                static fn (Given $given, Desk $desk): Answer => self::held($given, $desk, false),
            ),
            new Tool(
                'leaks',
                'What is allocated and never freed',
                'What a worker leaves from job to job: call paths that hold memory allocated after the first mark of a run and'
                    . ' before'
                    . ' the last, and in how many of the intervals between marks. A leak grows in most of them, a cache in few.'
                    . ' With'
                    . ' from, to, last or route: what the requests of windows keep, and whether that goes on.',
                [
                    Parameter::run(),
                    $by,
                    new Parameter('after', 'integer', 'Only what was allocated after this mark', range: [0, 1 << 31]),
                    new Parameter('before', 'integer', 'Only what was allocated before this mark', range: [0, 1 << 31]),
                    new Parameter('route', 'string', 'Of the requests of this route or job in windows'),
                    ...Given::rangeParameters(),
                    Parameter::limit('lines', 12),
                ],
                static fn (Given $given, Desk $desk): Answer => self::leaks($given, $desk),
            ),
        ];
    }

    private static function leaks(Given $given, Desk $desk): Answer
    {
        $isOfWindows = array_filter(array_map($given->text(...), ['from', 'to', 'last', 'route'])) !== [];
        if (!$isOfWindows && ($desk->run($given->text('run'))->meta()->window->sampled ?? 0) === 0) {
            return self::held($given, $desk, true);
        }
        $windows = KeptWindows::read($desk->store(), new RunQuery(...$given->range()), seconds: self::READING);
        $report = GrowthReport::of($windows, $given->text('route') === '' ? null : $given->text('route'))->report();

        return new Answer([$report->shown(null, $given->number('limit'))], [
            new Call('requests', $given->text('route') === '' ? [] : ['route' => $given->text('route')], 'what these requests'
                . ' took'),
        ]);
    }

    private static function held(Given $given, Desk $desk, bool $hasMarks): Answer
    {
        $run = $desk->run($given->text('run'));
        $memory = $run->memory() ?? throw new CannotAnswer('this run has no allocations: ' . LiveReport::HOW_TO_RECORD, [
            new Call('top', ['run' => Desk::idOf($run), 'sort' => 'excl_mu'], 'functions by the memory that they leave allocated'),
        ]);
        $isPeak = $given->text('when') === 'peak';
        if ($isPeak) {
            $memory = $memory->atPeak() ?? throw new CannotAnswer('who held the memory at its peak was not recorded');
        }
        $range = $hasMarks ? MarkRange::choose($memory->marks, $given->maybe('after'), $given->maybe('before')) : null;
        $by = MemoryReport::BY[(int) array_search($given->text('by'), MemoryReport::BY, true)];
        $sort = $given->text('sort') === '' ? LiveReport::USUAL : $given->text('sort');
        $report = (new LiveReport($memory, $by, $range, $isPeak))->report(new Order($sort), $given->number('limit'));
        $function = self::allocator($report, $run, $desk);

        return new Answer(
            [new Report([], headings: [(new RunHead($run))->title()]), $report],
            array_values(array_filter([
                $function === null ? null : new Call('callers_callees', [
                    'run' => Desk::idOf($run), 'function' => $desk->words->name($function),
                ], 'the function that allocates most of it: its file, lines and callers'),
                $memory->marks > 1 && !$hasMarks ? new Call('leaks', ['run' => Desk::idOf($run)], 'what each job leaves') : null,
                $by === 'type' ? null : new Call($hasMarks ? 'leaks' : 'memory', [
                    'run' => Desk::idOf($run), 'by' => 'type',
                ], 'what it is: strings, arrays, objects of which class'),
            ])),
        );
    }

    /** The function of the program that is nearest to the allocation, on the call path that is worth a look. */
    private static function allocator(Report $report, Run $run, Desk $desk): ?string
    {
        $places = $desk->places($run);
        foreach ($report->tables as $table) {
            $path = $table->key === 'rows' ? self::growing($table)['path'] ?? [] : [];
            foreach (array_reverse(is_array($path) ? $path : []) as $function) {
                if (is_string($function) && $places?->find($function)?->extension() === null && !function_exists($function)) {
                    return $function === 'main()' ? null : $function;
                }
            }
        }

        return null;
    }

    /**
     * The first row whose blocks were allocated in the most intervals between marks: a leak before a cache.
     *
     * @return array<string, mixed> the first one where there are no marks
     */
    private static function growing(Table $table): array
    {
        $rows = $table->rows;
        usort($rows, static fn (array $a, array $b): int => ($b['intervals'] ?? 0) <=> ($a['intervals'] ?? 0));

        return $rows[0] ?? [];
    }
}
