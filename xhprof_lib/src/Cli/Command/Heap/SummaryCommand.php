<?php

declare(strict_types=1);

namespace XHProf\Cli\Command\Heap;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\View\Heap\SummaryView;

/** Prints the summary of a heap snapshot. */
final class SummaryCommand extends SnapshotCommand
{
    protected function configure(): void
    {
        $this->question('summary', 'What is in memory: types, classes, how much is known, what keeps the most')
            ->addSnapshot()
            ->addLimitOption('rows of each table', 10)
            ->addFlag('json', 'Print JSON (bytes)')
            ->setHelp(
                <<<'HELP'
                Prints how much of PHP's heap is known by type, how much belongs to extensions, and how much nothing
                refers to; then types, classes and owners, the most bytes first, and what keeps the most.

                Columns: bytes (blocks of the heap), retained (what would be free without them: their own blocks and
                all that only they keep), count, size (what is used of the blocks).

                  <info>xhprof heap summary a.heap.jsonl</info>
                  <info>xhprof heap summary a.heap.jsonl --limit=0</info>     all classes
                  <info>xhprof heap summary a.heap.jsonl --json | jq '.summary.typed_percent'</info>
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $limit = self::number($input, 'limit');
        $index = self::snapshot($input, $output);

        return self::show(new SummaryView(self::argument($input, 'snapshot'), $index, $limit), $input, $output);
    }
}
