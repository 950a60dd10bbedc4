<?php

declare(strict_types=1);

namespace XHProf\Heap\Cli;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Terminal\ReportView;
use XHProf\Heap\HeapDiffReport;

/** Prints the growth from one heap snapshot to another. */
final class HeapDiffCommand extends SnapshotCommand
{
    protected function configure(): void
    {
        $this->question('diff', 'What has grown from one snapshot to another, by class, type and owner')
            ->addSnapshot('a', 'The snapshot before')
            ->addSnapshot('b', 'The snapshot after')
            ->addOrderOptions('Column to sort by [default: the largest change of bytes first]', null, HeapDiffReport::SORTS)
            ->addLimitOption('rows of each table', 20)
            ->addFlag('json', 'Print JSON (bytes)')
            ->setHelp(
                <<<'HELP'
                Prints how much more (+) or less (-) snapshot B has than A, the largest change of bytes first. If one
                process made both, "new" and "gone" count the objects that only one of them has at their address:
                +10 may be 10 more, or 1 010 new ones and 1 000 gone.

                  <info>xhprof heap diff before.heap.jsonl after.heap.jsonl</info>
                  <info>xhprof heap diff before.heap.jsonl after.heap.jsonl --json | jq '.classes[0]'</info>
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $limit = self::number($input, 'limit');
        $order = self::order($input, HeapDiffReport::SORTS);
        $a = self::snapshot($input, $output, 'a');
        $b = self::snapshot($input, $output, 'b');
        $report = (new HeapDiffReport($a, $b))->report(self::argument($input, 'a'), self::argument($input, 'b'), $order, $limit);

        return self::show(new ReportView($report), $input, $output);
    }
}
