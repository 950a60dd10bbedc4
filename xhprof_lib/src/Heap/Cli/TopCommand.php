<?php

declare(strict_types=1);

namespace XHProf\Heap\Cli;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\Terminal\ReportView;
use XHProf\Cli\UsageError;
use XHProf\Heap\GroupsReport;
use XHProf\Heap\HeapRows;
use XHProf\Heap\HoldersReport;
use XHProf\Heap\ValuesReport;
use XHProf\Report\Order;

/** Prints the largest groups, nodes or call paths of a heap snapshot. */
final class TopCommand extends SnapshotCommand
{
    private const BY = ['class', 'type', 'owner', 'object', 'array', 'string', 'path'];

    protected function configure(): void
    {
        $this->question('top', 'What takes the most: classes, types, single objects, arrays, strings, allocating call paths')
            ->addSnapshot()
            ->addValue('by', 'One line per ' . implode(', ', self::BY), 'class', 'b', self::BY)
            ->addOrderOptions('Column to sort classes, types and owners by', 'bytes', GroupsReport::SORTS)
            ->addValue('q', 'Only classes, types and owners with this text in their name')
            ->addValue('class', 'Only objects of this class, or who allocated them', short: 'c')
            ->addValue('type', 'Only values of this type, or who allocated them', short: 't')
            ->addFlag('full', 'Full call paths, one function per line')
            ->addLimitOption('lines', 20)
            ->addFlag('json', 'Print JSON (bytes)')
            ->setHelp(
                <<<'HELP'
                Prints classes, types or owners by bytes, retained bytes, count or size; or single objects, arrays and
                strings, the most retained bytes first, with their addresses and who keeps them; or the call paths
                that allocated them.

                  <info>xhprof heap top a.heap.jsonl</info>                        classes
                  <info>xhprof heap top a.heap.jsonl --sort=retained</info>
                  <info>xhprof heap top a.heap.jsonl --by=string</info>            the largest strings
                  <info>xhprof heap top a.heap.jsonl --by=object -c 'App\User'</info>
                  <info>xhprof heap top a.heap.jsonl --by=path -c 'App\User'</info>  who allocated them

                A snapshot has call paths if allocations were tracked when it was taken:
                xhprof_enable(XHPROF_FLAGS_ALLOC), memprof_enable(), or MEMPROF_PROFILE=1 in the environment.
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $limit = self::number($input, 'limit');
        $by = self::oneOf($input, 'by', self::BY);
        $order = self::order($input, GroupsReport::SORTS) ?? new Order('bytes');
        $index = self::snapshot($input, $output);
        $group = self::group($input, $index);
        if ($group !== null && in_array($by, ['array', 'string'], true)) {
            throw new UsageError("--by=$by lists all of them; --class and --type go with --by=object or path");
        }
        // For a single class or type, list its nodes.
        if ($group !== null && in_array($by, ['class', 'type', 'owner'], true)) {
            $by = 'object';
        }
        if ($by === 'path' && !$index->hasAllocations()) {
            throw new CliError('the snapshot has no call paths: call xhprof_enable(XHPROF_FLAGS_ALLOC) or memprof_enable()'
                . ' before it is taken');
        }
        $rows = new HeapRows($index);
        $report = match ($by) {
            'class', 'type', 'owner' => (new GroupsReport($rows))->report($by, $order, (string) self::text($input, 'q'), $limit),
            'object', 'array', 'string' => (new ValuesReport($rows))->report($by, $group, $limit),
            'path' => (new HoldersReport($rows))->allocated($group, $limit, $input->getOption('full') === true),
        };

        return self::show(new ReportView($report), $input, $output);
    }
}
