<?php

declare(strict_types=1);

namespace XHProf\Mcp\Tools;

use XHProf\Functions\FunctionPaths;
use XHProf\Functions\RunHead;
use XHProf\Paths\PathsReport;
use XHProf\Profile\CallTree;
use XHProf\Report\Column;
use XHProf\Report\Heading;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Run\Run;

/** Questions about call paths. */
final class PathTools
{
    /** @return list<Tool> */
    public static function all(): array
    {
        return [new Tool(
            'path',
            'The heaviest call paths',
            'The call tree of a run as far as it is heavy, each call path below its caller. With "function": the heaviest way from'
                . ' main() to that function, and the tree below it.',
            [
                Parameter::run(),
                new Parameter('function', 'string', 'Its name as another answer shows it'),
                new Parameter('sort', 'string', 'Time: wt, or cpu where it was recorded'),
                Parameter::limit('call paths', 25),
            ],
            static fn (Given $given, Desk $desk): Answer => self::answer($given, $desk),
            slow: ['limit' => 10],
        )];
    }

    private static function answer(Given $given, Desk $desk): Answer
    {
        $run = $desk->run($given->text('run'));
        $id = Desk::idOf($run);
        $function = $given->text('function') === '' ? null : $desk->functionOf($run, $given->text('function'));
        $tree = $run->tree() ?? throw new CannotAnswer('this run has no call tree, only calls from function to function', [
            new Call('callers_callees', ['run' => $id, 'function' => $function ?? 'main()'], 'its callers and callees'),
        ]);
        $sort = $given->text('sort') === '' ? null : $given->text('sort');
        $places = $desk->places($run);
        $reports = [];
        if ($function !== null) {
            $metric = $sort ?? $tree->metrics()[0] ?? throw new CannotAnswer('this run has no times');
            $found = FunctionPaths::find($tree, $function, $metric, 1);
            $path = $found->paths[0] ?? throw new CannotAnswer('no call path leads to this function', [
                new Call('path', ['run' => $id], 'the heaviest call paths'),
            ]);
            $way = self::way($tree, $path['node'], $metric, $found->count);
            $reports[] = new Report([$way], headings: [(new RunHead($run))->title()]);
            $tree = $tree->part(range($path['node'], $tree->end($path['node']) - 1));
        }
        $paths = (new PathsReport($run, $tree, $sort, $given->number('limit'), places: $places))->report();
        $reports[] = $function === null ? $paths : new Report($paths->tables, headings: [new Heading('Below', subject: $function)]);
        $own = self::heaviestOwn($paths);

        return new Answer($reports, $own === null || $own === $function ? [
            new Call('operations', ['run' => $id], 'what it waited for'),
        ] : [
            new Call('callers_callees', ['run' => $id, 'function' => $desk->words->name($own)], 'the path with the most time of'
                . ' its own'),
            ...($run->has(Run::OPERATIONS) ? [new Call('operations', ['run' => $id], 'what it waited for')] : []),
        ]);
    }

    /** The function of these paths that has the most time of its own. */
    private static function heaviestOwn(Report $paths): ?string
    {
        $rows = array_filter($paths->tables[0]->rows, static fn (array $row): bool => ($row['name'] ?? '') !== 'main()');
        $most = 0;
        $name = null;
        foreach ($rows as $row) {
            $own = $row['excl_wt_ns'] ?? $row['excl_cpu_ns'] ?? 0;
            if ($own > $most) {
                [$most, $name] = [$own, (string) $row['name']];
            }
        }

        return $name;
    }

    /** The functions from the outermost one down to a node. */
    private static function way(CallTree $tree, int $node, string $metric, int $ways): Table
    {
        $inclusive = $tree->inclusive($metric);
        $exclusive = $tree->exclusive($metric);
        $parents = $tree->parents();
        $rows = [];
        for ($at = $node; $at >= 0; $at = $parents[$at]) {
            $rows[] = [
                'incl' => $inclusive[$at],
                'excl' => $exclusive[$at],
                'ct' => $tree->ct[$at],
                'line' => ($tree->callLine[$at] ?? 0) ?: null,
                'depth' => $tree->depth[$at],
                'name' => $tree->names[$tree->fn[$at]],
            ];
        }

        return new Table('', [
            new Column('incl', Unit::Nanoseconds, 'incl'),
            new Column('excl', Unit::Nanoseconds, 'excl'),
            new Column('ct', Unit::Count, 'calls'),
            new Column('line', Unit::Count, 'called in line', value: static fn (array $row): ?string
                => $row['line'] === null ? null : (string) $row['line']),
            new Column('name', Unit::Nested, 'call path'),
        ], array_reverse($rows), '', title: $ways === 1 ? 'The only way to it' : "The heaviest of $ways ways to it");
    }
}
