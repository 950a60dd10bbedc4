<?php

declare(strict_types=1);

namespace XHProf\Runs\Cli;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Command\RunFolderCommand;
use XHProf\Cli\Terminal\ReportView;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Cli\UsageError;
use XHProf\Format\QuantityParser;
use XHProf\Run\RunId;
use XHProf\Run\RunRecording;
use XHProf\Runs\RunsReport;
use XHProf\Store\RunEntry;
use XHProf\Store\RunQuery;

/** Lists the runs of the folder. */
final class ListCommand extends RunFolderCommand
{
    protected function configure(): void
    {
        $this->setName('list')
            ->setDescription('List the saved runs, newest first')
            ->addValue('search', 'Only runs with these words, in any order')
            ->addValue('source', 'Only runs of this source')
            ->addValue('host', 'Only runs of this host')
            ->addValue('url', 'Only runs whose URL or command has this text')
            ->addValue('tag', 'Only runs with this tag')
            ->addFlag('pinned', 'Only pinned runs')
            ->addValue('from', 'Only runs since 2026-11-21, or "2026-11-21 14:30"')
            ->addValue('to', 'Only runs until then, inclusive')
            ->addValue('min-wall', 'Only runs that took at least 200ms, 1.5s')
            ->addValue('start', 'Only runs started by ' . implode(', ', RunRecording::STARTS))
            ->addValue('status', 'Only requests answered with 404, or 5xx')
            ->addValue('route', 'Only runs of this route or job: "GET /users/{id}"')
            ->addFlag('slowest', 'The slowest first: --sort=wt')
            ->addValue('sort', 'By ' . implode(', ', RunQuery::SORTS), 'time')
            ->addFlag('reverse', 'Reverse the order', 'r')
            ->addLimitOption('runs', 30)
            ->addFlag('json', 'Print JSON (microseconds and bytes)')
            ->addFolderOption()
            ->setHelp(
                <<<'HELP'
                Lists the runs of the folder, newest first. The first column is the shortest beginning of the id
                that is unique; `report` and `diff` accept it. A damaged run is listed with the reason.

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

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $limit = self::number($input, 'limit');
        $query = self::query($input);
        $store = $this->store($input);
        $catalog = $store->catalog();
        $isJson = $input->getOption('json') === true;
        [$listing, $windows] = SlowNotice::during("Reading {$store->directory()}", $output, static fn (): array => [
            $catalog->find($query, $limit === 0 ? PHP_INT_MAX : $limit),
            $query->single ? $catalog->find(new RunQuery(start: RunRecording::WINDOW), 1)->matches : 0,
        ]);
        $listed = array_map(static fn (RunEntry $run): RunId => $run->id, $listing->runs);
        $list = new RunsReport($store, $listing, $windows, $catalog->waiting());
        $report = $isJson
            ? $list->facts()
            : $list->report(array_map(static fn (RunId $id): string => $id->id, $catalog->alike($listed)));

        return self::show(new ReportView($report), $input, $output);
    }

    private static function query(InputInterface $input): RunQuery
    {
        $text = static fn (string $option): string => self::text($input, $option) ?? '';
        $sort = self::oneOf($input, 'sort', RunQuery::SORTS);
        $isReverse = $input->getOption('reverse') === true;
        $status = $text('status');
        if ($status !== '' && !RunQuery::isStatus($status)) {
            throw new UsageError("--status takes something like 404 or 5xx, not \"$status\"");
        }
        $start = $text('start') === '' ? '' : self::oneOf($input, 'start', RunRecording::STARTS);
        if ($input->getOption('slowest') === true) {
            if (!in_array($sort, ['time', 'wt'], true)) {
                throw new UsageError('--slowest and --sort exclude each other');
            }
            $sort = 'wt';
        }
        $minWall = $text('min-wall') === '' ? null : QuantityParser::time($text('min-wall'))
            ?? throw new UsageError("--min-wall takes something like 200ms, not \"{$text('min-wall')}\"");

        return new RunQuery(
            text: $text('search'),
            source: $text('source'),
            host: $text('host'),
            url: $text('url'),
            tag: $text('tag'),
            pinned: $input->getOption('pinned') === true ? true : null,
            from: self::moment($input, 'from', false),
            until: self::moment($input, 'to', true),
            minWall: $minWall === null ? null : (int) $minWall,
            start: $start,
            status: $status,
            route: $text('route'),
            single: true,
            sort: $sort,
            descending: in_array($sort, RunQuery::TEXTS, true) === $isReverse,
        );
    }
}
