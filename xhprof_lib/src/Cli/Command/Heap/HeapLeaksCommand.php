<?php

declare(strict_types=1);

namespace XHProf\Cli\Command\Heap;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\View\Heap\LeaksView;

/** Prints possible leaks. */
final class HeapLeaksCommand extends SnapshotCommand
{
    protected function configure(): void
    {
        $this->question('leaks', 'What may be a leak: what accumulates, garbage cycles, blocks that nothing refers to')
            ->addSnapshot()
            ->addLimitOption('lines of each kind', 10)
            ->addFlag('json', 'Print JSON (bytes)')
            ->setHelp(
                <<<'HELP'
                Prints what may be a leak, grouped by reason:

                - arrays and objects that keep much in many small parts, and long chains: caches and lists that only grow.
                  What is below the elements of a list is shown below that list;
                - objects that nothing keeps: cycles that the garbage collector has not freed yet;
                - blocks that nothing refers to.

                  <info>xhprof heap leaks a.heap.jsonl</info>
                  <info>xhprof heap diff a.heap.jsonl b.heap.jsonl</info>      what really grows
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $limit = self::number($input, 'limit');

        return self::show(new LeaksView(self::snapshot($input, $output), $limit), $input, $output);
    }
}
