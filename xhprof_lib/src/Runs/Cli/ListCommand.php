<?php

declare(strict_types=1);

namespace XHProf\Runs\Cli;

use XHProf\Cli\Command\AnswerCommand;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\UsageError;
use XHProf\Format\Period;
use XHProf\Format\QuantityParser;
use XHProf\Report\Order;
use XHProf\Report\Report;
use XHProf\Run\RunId;
use XHProf\Run\RunRecording;
use XHProf\Runs\FirstFindings;
use XHProf\Runs\RunsReport;
use XHProf\Store\RunEntry;
use XHProf\Store\RunQuery;

/** Lists the runs of the folder. */
final class ListCommand
{
    public static function make(): AnswerCommand
    {
        return (new AnswerCommand('list', 'List the saved runs, newest first', self::answer(...)))
            ->addValue('search', 'Only runs with these words, in any order')
            ->addValue('source', 'Only runs of this source')
            ->addValue('host', 'Only runs of this host')
            ->addValue('url', 'Only runs whose URL or command has this text')
            ->addValue('tag', 'Only runs with this tag')
            ->addFlag('pinned', 'Only pinned runs')
            ->addValue('from', 'Only runs since 2026-11-21, or "2026-11-21 14:30"')
            ->addValue('to', 'Only runs until then, inclusive')
            ->addValue('last', 'Only runs of a period: ' . Period::EXAMPLES)
            ->addValue('min-wall', 'Only runs that took at least 200ms, 1.5s')
            ->addValue('start', 'Only runs started by ' . implode(', ', RunRecording::STARTS))
            ->addValue('status', 'Only requests answered with 404, or 5xx')
            ->addValue('route', 'Only runs of this route or job: "GET /users/{id}"')
            ->addFlag('slowest', 'The slowest first: --sort=wt')
            ->addOrderOptions('Column to sort by', 'time', RunQuery::SORTS)
            ->addFlag('reverse', 'Reverse the order', 'r')
            ->addRows('runs', 30)
            ->setHelp(
                <<<'HELP'
                Lists the runs of the folder, newest first. The first column is the shortest beginning of the id
                that is unique; `report` and `diff` accept it. A damaged run is listed with the reason. Behind each run is
                its first finding in a few words: `report --findings` has all of them. Findings are kept in the folder's
                index; of very many new runs, or very large ones, the rest is looked at the next time.

                  <info>xhprof list</info>
                  <info>xhprof list --source=nightly --limit=0</info>
                  <info>xhprof list --url=/checkout --min-wall=500ms --from=2026-11-01 --sort=wt</info>
                  <info>xhprof list --start=trigger</info>                  triggered by XHPROF_TRIGGER
                  <info>xhprof list --start=sampled --slowest</info>        requests of production
                  <info>xhprof list --start=aggregate</info>                windows on all requests, which are not listed else
                  <info>xhprof list --json | jq -r '.runs[].id'</info>
                HELP
            );
    }

    private static function answer(Arguments $given): Report
    {
        $limit = $given->number('limit');
        $query = self::query($given);
        $store = $given->store();
        $catalog = $store->catalog();
        $listing = $catalog->find($query, $limit === 0 ? PHP_INT_MAX : $limit);
        $windows = $query->single ? $catalog->find(new RunQuery(start: RunRecording::WINDOW), 1)->matches : 0;
        $listed = array_map(static fn (RunEntry $run): RunId => $run->id, $listing->runs);
        $findings = new FirstFindings($store);
        $findings->read($listing->runs, FirstFindings::FOR_COMMAND);
        $list = new RunsReport($store, $listing, $windows, $catalog->waiting(), $findings);

        return $given->flag('json')
            ? $list->facts()
            : $list->report(array_map(static fn (RunId $id): string => $id->id, $catalog->alike($listed)));
    }

    private static function query(Arguments $given): RunQuery
    {
        $text = static fn (string $option): string => $given->text($option) ?? '';
        $order = $given->order(RunQuery::SORTS, 'time');
        $isReverse = $given->flag('reverse');
        if ($isReverse && $order->descending !== null) {
            throw new UsageError('--reverse and --dir exclude each other');
        }
        $status = $text('status');
        if ($status !== '' && !RunQuery::isStatus($status)) {
            throw new UsageError("--status takes something like 404 or 5xx, not \"$status\"");
        }
        $start = $text('start') === '' ? '' : $given->oneOf('start', RunRecording::STARTS);
        if ($given->flag('slowest')) {
            if (!in_array($order->by, ['time', 'wt'], true)) {
                throw new UsageError('--slowest and --sort exclude each other');
            }
            $order = new Order('wt', $order->descending);
        }
        $minWall = $text('min-wall') === '' ? null : QuantityParser::time($text('min-wall'))
            ?? throw new UsageError("--min-wall takes something like 200ms, not \"{$text('min-wall')}\"");

        return new RunQuery(
            ...$given->range(),
            text: $text('search'),
            source: $text('source'),
            host: $text('host'),
            url: $text('url'),
            tag: $text('tag'),
            pinned: $given->flag('pinned') ? true : null,
            minWall: $minWall === null ? null : (int) $minWall,
            start: $start,
            status: $status,
            route: $text('route'),
            single: true,
            sort: $order->by,
            descending: $order->isDown(in_array($order->by, RunQuery::TEXTS, true)) !== $isReverse,
        );
    }
}
