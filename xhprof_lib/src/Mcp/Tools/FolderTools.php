<?php

declare(strict_types=1);

namespace XHProf\Mcp\Tools;

use XHProf\Compare\DiffReport;
use XHProf\Compare\DiffTables;
use XHProf\Compare\DiffTicket;
use XHProf\Compare\TreeDiff;
use XHProf\Functions\MetricOrder;
use XHProf\Mcp\WrongArguments;
use XHProf\Profile\NameRules;
use XHProf\Report\Report;
use XHProf\Run\Run;
use XHProf\Run\RunId;
use XHProf\Run\RunRecording;
use XHProf\Runs\FirstFindings;
use XHProf\Runs\RunsReport;
use XHProf\Store\RunEntry;
use XHProf\Store\RunQuery;

/** Questions about the runs of a folder: which there are, and what changed from one to another. */
final class FolderTools
{
    /** How much longer than the run before it a run takes that is to be compared with that. */
    private const SLOWER = 1.2;

    /** @return list<Tool> */
    public static function all(): array
    {
        return [self::listing(), self::diff()];
    }

    private static function listing(): Tool
    {
        return new Tool(
            'list_runs',
            'The saved runs',
            'Lists the saved runs (profiles), newest first: id, when, source, wall time, CPU time, memory, calls, what was'
                . ' profiled and'
                . ' the first finding of each. Begin here. Windows on all requests are not listed unless "start" is "aggregate":'
                . ' ask'
                . ' the tool requests.',
            [
                new Parameter('search', 'string', 'Only runs with these words, in any order'),
                new Parameter('route', 'string', 'Only runs of this route or job: "GET /users/{id}"'),
                new Parameter('url', 'string', 'Only runs whose URL or command has this text'),
                new Parameter('source', 'string', 'Only runs of this source (application)'),
                new Parameter('status', 'string', 'Only requests answered with 404, or 5xx'),
                new Parameter('start', 'string', 'Only runs started by this', oneOf: RunRecording::STARTS),
                ...Given::rangeParameters(),
                new Parameter('sort', 'string', 'Order', 'time', RunQuery::SORTS),
                Parameter::limit('runs', 15),
            ],
            static function (Given $given, Desk $desk): Answer {
                $status = $given->text('status');
                if ($status !== '' && !RunQuery::isStatus($status)) {
                    throw new WrongArguments('"status" is like 404 or 5xx');
                }
                $texts = array_combine(
                    ['text', 'route', 'url', 'source', 'status', 'start'],
                    array_map($given->text(...), ['search', 'route', 'url', 'source', 'status', 'start']),
                );
                $sort = $given->text('sort');
                $query = new RunQuery(
                    ...$given->range() + $texts,
                    single: true,
                    sort: $sort,
                    descending: !in_array($sort, RunQuery::TEXTS, true),
                );
                $catalog = $desk->store()->catalog();
                $listing = $catalog->find($query, $given->number('limit'));
                $windows = $query->single ? $catalog->find(new RunQuery(start: RunRecording::WINDOW), 1)->matches : 0;
                $findings = new FirstFindings($desk->store());
                $findings->read($listing->runs, FirstFindings::FOR_PAGE);
                $list = new RunsReport($desk->store(), $listing, $windows, $catalog->waiting(), $findings);
                $ids = $catalog->alike(array_map(static fn (RunEntry $run): RunId => $run->id, $listing->runs));

                $none = $listing->total === 0 ? [new Report([], [Desk::HOW_TO_RECORD])] : [];

                return new Answer(
                    [$list->report(array_map(static fn (RunId $id): string => $id->id, $ids)), ...$none],
                    self::afterList($listing->runs, $findings, $windows),
                );
            },
        );
    }

    /**
     * @param list<RunEntry> $runs
     *
     * @return list<Call>
     */
    private static function afterList(array $runs, FirstFindings $findings, int $windows): array
    {
        $runs = array_values(array_filter($runs, static fn (RunEntry $run): bool => $run->error === null));
        $next = [];
        $newest = $runs[0] ?? null;
        foreach (array_slice($runs, 1) as $before) {
            if ($newest !== null && $before->title === $newest->title && $before->id->source === $newest->id->source) {
                $isSlower = $newest->figure('wt') >= self::SLOWER * $before->figure('wt') && $before->figure('wt') > 0;
                $next = !$isSlower ? [] : [new Call('diff', [
                    'before' => (string) $before->id, 'after' => (string) $newest->id,
                ], 'the newest run took longer than the one before of the same kind: what changed')];
                break;
            }
        }
        $found = array_values(array_filter($runs, static fn (RunEntry $run): bool => $findings->of($run) !== null))[0] ?? $newest;
        if ($found !== null) {
            $next[] = new Call('findings', ['run' => (string) $found->id], 'what to look at first');
        }
        if ($windows > 0) {
            $next[] = new Call('requests', [], 'what all requests took, by route');
        }

        return $next;
    }

    private static function diff(): Tool
    {
        return new Tool(
            'diff',
            'What changed from one run to another',
            'Compares two runs: how much more (+) or less (-) the second takes, by function, the largest change first, and which'
                . ' operations are new or done more often. "what" asks for the call paths, operations or memory alone;'
                . ' "function" for'
                . ' one function with its callers and callees.',
            [
                new Parameter('before', 'string', 'The run before: an id, its beginning, or "latest"', isRequired: true),
                new Parameter('after', 'string', 'The run after', 'latest'),
                new Parameter('what', 'string', 'What to compare', 'functions', ['functions', 'paths', 'operations', 'memory']),
                new Parameter('function', 'string', 'Compare this function, its callers and callees'),
                new Parameter('sort', 'string', 'Column: excl_wt, wt, excl_cpu, cpu, ct ...'),
                new Parameter('query', 'string', 'Only functions with this text in their name'),
                Parameter::limit('rows', 15),
            ],
            static function (Given $given, Desk $desk): Answer {
                $before = $desk->run($given->text('before'));
                $after = $desk->run($given->text('after'));
                $both = DiffReport::between($before, $after, false, NameRules::ofFile((string) getenv(NameRules::FILE)));

                return match ($given->text('what')) {
                    'paths' => new Answer([self::paths($both, $given)]),
                    'operations' => new Answer([DiffTables::of('operations', $both->a, $both->b, $given->number('limit'))]),
                    'memory' => new Answer([DiffTables::of('memory', $both->a, $both->b, $given->number('limit'))]),
                    default => self::functions($both, $after, $given, $desk),
                };
            },
        );
    }

    private static function functions(DiffReport $both, Run $after, Given $given, Desk $desk): Answer
    {
        $sort = MetricOrder::sort($given->text('sort') === '' ? null : $given->text('sort'), $both->metrics());
        $function = $given->text('function');
        if ($function !== '') {
            $name = $desk->functionOf($after, $both->nameOf($function));
            $report = DiffTicket::ofSymbol($both, $both->figures()->symbol($name), $given->number('limit'), $both->notes());

            return new Answer([$report], [self::look($after, $name, $desk)]);
        }
        $report = DiffTicket::of($both, $sort, $given->number('limit'), $given->text('query'), $both->notes());
        $column = $both->leading($sort);
        $grown = array_values(array_filter(
            $both->names($sort, 20, $given->text('query'), true),
            static fn (string $name): bool => $name !== 'main()' && ($both->figures()->rows()[$name][$column] ?? 0) > 0
                && $both->noiseOf($name, $column) === null && $after->profile()->hasSymbol($name),
        ));
        $next = $grown === [] ? [] : [self::look($after, $grown[0], $desk)];
        $pair = ['before' => $given->text('before'), 'after' => $given->text('after')];

        return new Answer([$report], [
            ...$next,
            ...($grown === [] ? [] : [new Call('diff', $pair + ['function' => $desk->words->name($grown[0])], 'its callers on'
                . ' both sides')]),
            ...(!$both->a->has(Run::TREE) || !$both->b->has(Run::TREE) ? []
                : [new Call('diff', $pair + ['what' => 'paths'], 'the call paths that changed most')]),
        ]);
    }

    private static function look(Run $after, string $function, Desk $desk): Call
    {
        $arguments = ['run' => Desk::idOf($after), 'function' => $desk->words->name($function)];

        return new Call('callers_callees', $arguments, 'the function that grew most, in the run after: its callers, file and line');
    }

    private static function paths(DiffReport $both, Given $given): Report
    {
        [$before, $after] = array_map(
            static fn (Run $run): mixed => $run->has(Run::TREE) ? $run->tree() : null,
            [$both->a, $both->b],
        );
        if ($before === null || $after === null) {
            throw new CannotAnswer('one of these runs has no call tree', [
                new Call('diff', ['before' => $given->text('before'), 'after' => $given->text('after')], 'by function'),
            ]);
        }
        $sort = $given->text('sort') === '' ? null : $given->text('sort');

        return (new TreeDiff($both->a, $both->b, $before, $after, $sort, $given->number('limit')))->report();
    }
}
