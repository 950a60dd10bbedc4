<?php

declare(strict_types=1);

namespace XHProf\Heap\Cli;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\UsageError;

/** Prints the largest groups, nodes or call paths of a heap snapshot. */
final class TopCommand extends SnapshotCommand
{
    protected function configure(): void
    {
        $this->question('top', 'What takes the most: classes, types, single objects, arrays, strings, allocating call paths')
            ->addSnapshot()
            ->addValue('by', 'One line per ' . implode(', ', TopView::BY), 'class', 'b')
            ->addValue('sort', 'Column to sort classes, types and owners by', 'bytes', 's')
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
        $by = self::oneOf($input, 'by', TopView::BY);
        $sort = self::oneOf($input, 'sort', TopView::SORTS);
        $index = self::snapshot($input, $output);
        $group = self::group($input, $index);
        if ($group !== null && in_array($by, ['array', 'string'], true)) {
            throw new UsageError("--by=$by lists all of them; --class and --type go with --by=object or path");
        }
        // For a single class or type, list its nodes.
        if ($group !== null && in_array($by, ['class', 'type', 'owner'], true)) {
            $by = 'object';
        }
        $view = new TopView($index, $by, $sort, $limit, $group, $input->getOption('full') === true);

        return self::show($view, $input, $output);
    }
}
