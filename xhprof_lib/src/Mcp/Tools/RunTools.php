<?php

declare(strict_types=1);

namespace XHProf\Mcp\Tools;

use XHProf\Findings\Findings;
use XHProf\Functions\CallersReport;
use XHProf\Functions\FunctionPlaces;
use XHProf\Functions\FunctionsReport;
use XHProf\Functions\RunHead;
use XHProf\Functions\SymbolReport;
use XHProf\Operations\OperationReport;
use XHProf\Operations\OperationRow;
use XHProf\Operations\WaitReport;
use XHProf\Report\Column;
use XHProf\Report\Heading;
use XHProf\Report\Order;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Run\Run;

/** Questions about one run: its findings, its functions, what it waited for. */
final class RunTools
{
    /** Share of a function's time that is its own from which it is the place to look at. */
    private const ITS_OWN = 0.5;

    /** @return list<Tool> */
    public static function all(): array
    {
        return [self::findings(), self::top(), self::neighbours(), self::operations()];
    }

    private static function findings(): Tool
    {
        return new Tool(
            'findings',
            'What to look at first',
            'What is worth a look in a run, at most five things, the heaviest first: repeated queries (N+1), slow operations,'
                . ' functions'
                . ' with much time of their own, memory that is kept, exceptions, waiting. Ask this first about any run. Each'
                . ' has its'
                . ' figure, the function, file and line, and the question that leads further.',
            [Parameter::run()],
            static function (Given $given, Desk $desk): Answer {
                $run = $desk->run($given->text('run'));
                $found = Findings::of($run);
                $places = $desk->places($run);
                $rows = [];
                $source = [];
                foreach ($found as $finding) {
                    $rows[] = ['function' => $finding->symbol, 'rule' => $finding->rule]
                        + ['place' => $places?->find($finding->symbol)?->text()];
                    $source[$finding->symbol] = $desk->excerpt($places, $finding->symbol);
                }
                $where = new Table('', [
                    new Column('rule', Unit::Text, 'finding'),
                    new Column('function', Unit::Symbol, 'function'),
                    new Column('place', Unit::Symbol, 'its code'),
                ], $places === null ? [] : $rows, '', title: 'Where');
                $heads = new Report([], headings: [(new RunHead($run))->heading(self::functionsOf($run))]);
                $next = (new NextQuestions($run, $desk->words))->after($found);

                return new Answer(
                    [$heads, new Report([$where], findings: [Findings::list($found)])],
                    $next,
                    array_slice(array_values(array_filter($source)), 0, 2),
                );
            },
        );
    }

    private static function functionsOf(Run $run): int
    {
        return count((new FunctionsReport($run, limit: 1))->flat->rows());
    }

    private static function top(): Tool
    {
        return new Tool(
            'top',
            'Functions by their time',
            'The functions of a run with their figures: time, CPU time and memory of their own (excl) and with what they call'
                . ' (incl),'
                . ' and calls. Sorted by own wall time unless another column is named.',
            [
                Parameter::run(),
                new Parameter('sort', 'string', 'Column: excl_wt, wt, excl_cpu, cpu, excl_mu, mu, ct (calls), fn (name); a run'
                    . ' has the'
                    . ' metrics that were recorded'),
                new Parameter('query', 'string', 'Only functions with this text in their name, or that match this /pattern/'),
                Parameter::limit('functions', 20),
            ],
            static function (Given $given, Desk $desk): Answer {
                $run = $desk->run($given->text('run'));
                $functions = new FunctionsReport(
                    $run,
                    $given->text('sort') === '' ? null : $given->text('sort'),
                    $given->number('limit'),
                    places: $desk->places($run),
                    query: $given->text('query'),
                );
                $names = array_map(strval(...), array_keys($functions->rows));
                $first = array_values(array_filter($names, static fn (string $name): bool => $name !== 'main()'))[0] ?? null;

                return new Answer([$functions->report()], $first === null ? [] : [
                    new Call('callers_callees', [
                        'run' => Desk::idOf($run), 'function' => $desk->words->name($first),
                    ], 'who calls the first one, and what it calls'),
                    new Call('path', ['run' => Desk::idOf($run)], 'the heaviest call paths'),
                ]);
            },
        );
    }

    private static function neighbours(): Tool
    {
        return new Tool(
            'callers_callees',
            'One function: its callers and callees',
            'One function of a run: its own figures, who calls it and with how much of its time, what it calls, where its code'
                . ' is and'
                . ' from which lines it is called, and its time by line where the run was sampled with lines.',
            [
                Parameter::run(),
                new Parameter('function', 'string', 'Its name as another answer shows it: App\Kernel::boot', isRequired: true),
                Parameter::limit('callers and callees', 12),
            ],
            static function (Given $given, Desk $desk): Answer {
                $run = $desk->run($given->text('run'));
                $function = $desk->functionOf($run, $given->text('function'));
                $places = $desk->places($run, true);
                $symbol = SymbolReport::compute($run->profile(), $function, true);
                $report = new CallersReport($run, $symbol, null, $given->number('limit'), places: $places);
                $callers = array_map(strval(...), array_keys($report->callers()));
                $callees = array_map(strval(...), array_keys($report->callees()));
                $calls = self::callLines($places, $function, $callers, $callees);
                $source = [$desk->excerpt($places, $function)];
                foreach (array_slice($calls, 0, 2) as $call) {
                    $source[] = $desk->excerpt($places, $call['in'], $call['line']);
                }

                return new Answer(
                    [self::named($report->report(), $function), new Report([self::callsTable($calls)])],
                    self::around($run, $report, $places, $desk->words),
                    array_values(array_filter($source)),
                );
            },
        );
    }

    /** The same with the function's name where it is shown as one: words of the program are no heading. */
    private static function named(Report $report, string $function): Report
    {
        $headings = array_map(static fn (Heading $head): Heading => $head->title !== $function ? $head
            : new Heading('Function', $head->lines, $head->warnings, $function, $head->parts, $head->bar), $report->headings);

        return new Report($report->tables, $report->notes, headings: $headings, findings: $report->findings);
    }

    /**
     * @param list<string> $callers
     * @param list<string> $callees
     *
     * @return list<array{in: string, calls: string, place: string, line: int}>
     */
    private static function callLines(?FunctionPlaces $places, string $function, array $callers, array $callees): array
    {
        $pairs = [
            ...array_map(static fn (string $callee): array => [$function, $callee], array_slice($callees, 0, 5)),
            ...array_map(static fn (string $caller): array => [$caller, $function], array_slice($callers, 0, 5)),
        ];
        $lines = [];
        foreach ($pairs as [$in, $calls]) {
            $line = $places?->callLine($in, $calls) ?? 0;
            if ($line > 0) {
                $file = $places->find($in)->file ?? '';
                $lines[] = ['in' => $in, 'calls' => $calls, 'place' => "$file:$line", 'line' => $line];
            }
        }

        return $lines;
    }

    /** @param list<array{in: string, calls: string, place: string, line: int}> $calls */
    private static function callsTable(array $calls): Table
    {
        return new Table('', [
            new Column('in', Unit::Symbol, 'caller'),
            new Column('calls', Unit::Symbol, 'calls'),
            new Column('place', Unit::Symbol, 'in line'),
        ], $calls, '', title: 'Lines of the calls');
    }

    /** @return list<Call> down to where the time is, or up to who asks for it */
    private static function around(Run $run, CallersReport $report, ?FunctionPlaces $places, Words $words): array
    {
        $own = $report->own()[0] ?? ['exclusive' => 0, 'inclusive' => 0];
        $arguments = static fn (string $function): array => ['run' => Desk::idOf($run), 'function' => $words->name($function)];
        $isOwn = $own['exclusive'] >= self::ITS_OWN * $own['inclusive'];
        $callee = (string) array_key_first($report->callees());
        $caller = (string) array_key_first($report->callers());
        // One of PHP's own functions calls nothing that could be changed.
        $isInternal = $places?->find($callee)?->extension() !== null;
        $down = $callee === '' || $isInternal ? null
            : new Call('callers_callees', $arguments($callee), 'what it calls and spends most time in');
        $up = $caller === '' || $caller === 'main()' ? null
            : new Call('callers_callees', $arguments($caller), 'who asks for most of it');
        $path = !$run->has(Run::TREE) ? null
            : new Call('path', $arguments($report->symbol->symbol), 'the heaviest way to it, and the tree below it');

        return array_values(array_filter($isOwn ? [$path, $up, $down] : [$down, $path, $up]));
    }

    private static function operations(): Tool
    {
        return new Tool(
            'operations',
            'What the program waited for',
            'What a run waited for, by text: SQL, HTTP requests, caches, files, processes; the slowest first, with calls,'
                . ' duplicates and'
                . ' what is repeated in the loop of which function. A text has no values. With "callers" also who does each,'
                . ' with its'
                . ' call path.',
            [
                Parameter::run(),
                new Parameter('kind', 'string', 'Only this kind: sql, http, cache, file ...'),
                new Parameter('sort', 'string', 'Order', WaitReport::USUAL, OperationReport::SORTS),
                new Parameter('callers', 'boolean', 'Also print who does each', false),
                Parameter::limit('texts', 15),
            ],
            static function (Given $given, Desk $desk): Answer {
                $run = $desk->run($given->text('run'));
                $id = Desk::idOf($run);
                $operations = $run->operations() ?? throw new CannotAnswer(WaitReport::NONE, [
                    new Call('top', ['run' => $id], 'the functions with the most time of their own'),
                ]);
                $kind = $given->text('kind');
                $kinds = array_map(strval(...), array_keys($operations->kinds()));
                if ($kind !== '' && !in_array($kind, $kinds, true)) {
                    throw new CannotAnswer('this run has no operations of this kind'
                        . ($kinds === [] ? '' : ', but of ' . implode(', ', $kinds)));
                }
                $order = new Order($given->text('sort'));
                $wait = new WaitReport($operations, $kind === '' ? null : $kind, $order, $run->total('wt'));
                $report = $wait->report($given->number('limit'), $given->flag('callers'));

                return new Answer(
                    [new Report([], headings: [(new RunHead($run))->title()]), $report],
                    self::afterOperations($run, $wait, $given->flag('callers'), $desk->words),
                );
            },
        );
    }

    /** @return list<Call> to the function that repeats most, else to who makes the slowest */
    private static function afterOperations(Run $run, WaitReport $wait, bool $hasCallers, Words $words): array
    {
        $next = [];
        $propose = static function (?string $function, string $why) use (&$next, $run, $words): void {
            // main() is no function to look at.
            if ($function !== null && $function !== 'main()' && count($next) < 2) {
                $arguments = ['run' => Desk::idOf($run), 'function' => $words->name($function)];
                $next[$function] ??= new Call('callers_callees', $arguments, $why);
            }
        };
        $repeated = array_filter($wait->all, static fn (OperationRow $row): bool => $row->repeated() !== null);
        usort($repeated, static fn (OperationRow $a, OperationRow $b): int => $b->ct <=> $a->ct);
        foreach ($repeated as $row) {
            $propose($row->repeated()?->loop, 'the function whose loop repeats it, and its lines');
        }
        foreach ($wait->all as $row) {
            $path = $row->callers[0]->path ?? [];
            $propose($path[1] ?? $path[0] ?? null, 'the function that does the slowest');
        }
        if (!$hasCallers && $wait->all !== []) {
            $next[] = new Call('operations', ['run' => Desk::idOf($run), 'callers' => true, 'limit' => 5], 'who does each');
        }

        return array_values($next);
    }
}
