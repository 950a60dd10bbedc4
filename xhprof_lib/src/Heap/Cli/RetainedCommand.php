<?php

declare(strict_types=1);

namespace XHProf\Heap\Cli;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Terminal\ReportView;
use XHProf\Heap\HeapRows;
use XHProf\Heap\RetainedReport;

/** Prints the dominator tree. */
final class RetainedCommand extends SnapshotCommand
{
    private const DEPTH = 7;
    private const MAX_DEPTH = 200;

    protected function configure(): void
    {
        $this->question('retained', 'What would be freed with what: the tree of dominators')
            ->addSnapshot()
            ->addArgument('address', InputArgument::OPTIONAL, 'Address to begin at: 0x7f12a4c01e00')
            ->addValue('depth', 'Levels', self::DEPTH, 'd')
            ->addLimitOption('branches of each', 5)
            ->addFlag('json', 'Print JSON (bytes)')
            ->setHelp(
                <<<'HELP'
                Prints below each thing what would be freed with it, the most first. A thing that two others keep is
                below what keeps both of them; its line begins with "...", as what refers to it is not the line above.
                Branches of less than 0.5 % are left out, unless --limit=0.

                  <info>xhprof heap retained a.heap.jsonl</info>
                  <info>xhprof heap retained a.heap.jsonl --depth=8 --limit=3</info>
                  <info>xhprof heap retained a.heap.jsonl 0x7f12a4c01e00</info>
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $limit = self::number($input, 'limit');
        $depth = self::number($input, 'depth', self::MAX_DEPTH);
        $index = self::snapshot($input, $output);
        $address = self::argument($input, 'address');
        $top = $address === '' ? null : self::node($address, $index);
        $report = (new RetainedReport(new HeapRows($index), $top, $depth, $limit))->report();

        return self::show(new ReportView($report), $input, $output);
    }
}
