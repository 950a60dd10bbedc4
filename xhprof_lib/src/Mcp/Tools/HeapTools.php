<?php

declare(strict_types=1);

namespace XHProf\Mcp\Tools;

use XHProf\Format\ClosestWord;
use XHProf\Heap\HeapDiffReport;
use XHProf\Heap\HeapGroup;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\HeapNode;
use XHProf\Heap\HeapRows;
use XHProf\Heap\HoldersReport;
use XHProf\Heap\LeaksReport;
use XHProf\Heap\NodeReport;
use XHProf\Heap\RetainedReport;
use XHProf\Heap\Snapshots;
use XHProf\Heap\SnapshotsReport;
use XHProf\Heap\StringsReport;
use XHProf\Heap\SummaryReport;
use XHProf\Heap\ValuesReport;
use XHProf\Mcp\WrongArguments;
use XHProf\Report\Order;
use XHProf\Report\Report;

/** Questions about the heap snapshots of the folder. */
final class HeapTools
{
    private const QUESTIONS = ['list', 'summary', 'leaks', 'holders', 'paths', 'retained', 'objects', 'strings', 'diff'];

    /** @return list<Tool> */
    public static function all(): array
    {
        return [new Tool(
            'heap',
            'What is in the memory of a process, and who keeps it',
            'Asks a heap snapshot of the run folder. "list": which there are; "summary": types, classes, what keeps the most;'
                . ' "leaks":'
                . ' what may be a leak; "holders": who keeps all objects of a class or type; "paths": who keeps the value at an'
                . ' address; "retained": what would be freed with it; "objects": the largest ones; "strings": which are there'
                . ' several'
                . ' times; "diff": what has grown since the snapshot "before".',
            [
                new Parameter('question', 'string', 'What to ask', 'summary', self::QUESTIONS),
                new Parameter('snapshot', 'string', 'Its name, as "list" shows it; the newest unless named'),
                new Parameter('before', 'string', 'With "diff": the earlier snapshot'),
                new Parameter('class', 'string', 'With "holders" or "objects": a class, App\User'),
                new Parameter('type', 'string', 'With "holders" or "objects": a type, like array or string'),
                new Parameter('address', 'string', 'With "paths" or "retained": as another answer shows it, 0x7f12a4c01e00'),
                new Parameter('depth', 'integer', 'With "retained": levels', 6, range: [1, 50]),
                Parameter::limit('rows of each table', 10),
            ],
            static fn (Given $given, Desk $desk): Answer => self::answer($given, $desk),
        )];
    }

    private static function answer(Given $given, Desk $desk): Answer
    {
        $snapshots = new Snapshots($desk->store());
        $question = $given->text('question');
        $limit = $given->number('limit');
        $names = array_column($snapshots->all(), 'name');
        if ($question === 'list' || $names === []) {
            $report = (new SnapshotsReport($snapshots))->report(new Order('time'), '', $limit);
            $named = array_slice($names, 0, $limit);
            $list = $named === [] ? 'There are no snapshots: xhprof_heap_snapshot() in the program, or bin/xhprof-inspect memory.'
                : 'Names, in this order: ' . implode(', ', $named);

            return new Answer(
                [new Report($named === [] ? [] : $report->tables, [$list])],
                $named === [] ? [] : [new Call('heap', ['question' => 'summary', 'snapshot' => $named[0]], 'the newest one')],
            );
        }
        $name = self::named($given->text('snapshot'), $names);
        $index = HeapIndex::open($snapshots->open($name));
        $rows = new HeapRows($index);
        $report = match ($question) {
            'leaks' => (new LeaksReport($rows))->report($name, $limit),
            'holders' => (new HoldersReport($rows))->report(self::group($given, $index)
                ?? throw new WrongArguments('"holders" needs a class or a type'), $limit, false),
            'paths' => (new NodeReport($rows, self::node($given, $index)
                ?? throw new WrongArguments('"paths" needs an address')))->report($limit, false),
            'retained' => (new RetainedReport(
                $rows,
                self::node($given, $index),
                $given->number('depth'),
                min(10, $limit),
            ))->report(),
            'objects' => (new ValuesReport($rows))->report('object', self::group($given, $index), $limit),
            'strings' => $index->hasStringHashes() ? (new StringsReport($rows))->report(0, $limit)
                : throw new CannotAnswer('this snapshot does not show which strings are equal: take a new one'),
            'diff' => (new HeapDiffReport(
                HeapIndex::open($snapshots->open(self::named(self::before($given, $names, $name), $names))),
                $index,
            ))->report(self::before($given, $names, $name), $name, null, $limit),
            default => (new SummaryReport($rows))->report($name, $limit),
        };

        return new Answer([$report], self::next($question, $name, $index, $desk->words));
    }

    /**
     * @param list<string> $names
     *
     * @throws CannotAnswer naming those that there are
     */
    private static function named(string $given, array $names): string
    {
        if ($given === '') {
            return $names[0];
        }
        // Only a name of the list becomes part of a path.
        $at = array_search($given, $names, true);
        if ($at !== false) {
            return $names[$at];
        }
        $meant = ClosestWord::of($given, $names);
        $near = $meant === null ? array_slice($names, 0, 5) : [$meant];

        throw new CannotAnswer('there is no such snapshot in the run folder; there are ' . implode(', ', $near), [
            new Call('heap', ['question' => 'list'], 'the snapshots that there are'),
        ]);
    }

    /** @param list<string> $names */
    private static function before(Given $given, array $names, string $after): string
    {
        $before = $given->text('before');
        $at = (int) array_search($after, $names, true);

        return $before !== '' ? $before
            : $names[$at + 1] ?? throw new CannotAnswer('there is no earlier snapshot to compare with: name one as "before"');
    }

    private static function group(Given $given, HeapIndex $index): ?HeapGroup
    {
        $class = $given->text('class');
        if ($class !== '') {
            $near = array_map(static fn (HeapGroup $group): string => $group->name, $index->search($class, 3));

            return $index->group($class) ?? throw new CannotAnswer('the snapshot has no objects of this class'
                . ($near === [] ? '' : '; it has ' . implode(', ', array_filter($near))));
        }
        $type = $given->text('type');
        $types = array_column($index->types(), 'type');

        return $type === '' ? null
            : $index->type($type) ?? throw new CannotAnswer('the snapshot has no such type; it has ' . implode(', ', $types));
    }

    private static function node(Given $given, HeapIndex $index): ?HeapNode
    {
        $address = $given->text('address');
        if ($address === '') {
            return null;
        }
        if (preg_match('/\A0x([0-9a-f]{1,15})\z/i', $address, $match) !== 1) {
            throw new WrongArguments('"address" is a number like 0x7f12a4c01e00');
        }

        return $index->node((int) hexdec($match[1])) ?? throw new CannotAnswer('nothing in the snapshot begins at this address');
    }

    /** @return list<Call> */
    private static function next(string $question, string $name, HeapIndex $index, Words $words): array
    {
        $ask = static fn (string $what, array $more, string $why): Call
            => new Call('heap', ['question' => $what, 'snapshot' => $name] + $more, $why);
        if ($question === 'leaks') {
            $suspect = $index->suspects(1)[0] ?? null;

            return $suspect === null ? [] : [
                $ask('paths', ['address' => $suspect['node']->hex()], 'who keeps the first one'),
                $ask('retained', ['address' => $suspect['node']->hex()], 'what would be freed with it'),
            ];
        }
        $class = $index->classes()[0] ?? null;
        $holders = $class === null ? [] : [$ask('holders', ['class' => $words->name($class->name)], 'who keeps the largest class')];

        return $question === 'holders' ? [$ask('leaks', [], 'what may be a leak')] : [$ask('leaks', [], 'what may be a'
            . ' leak'), ...$holders];
    }
}
