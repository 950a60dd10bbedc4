<?php

declare(strict_types=1);

namespace XHProf\Cli\Command\Heap;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\View\Heap\StringsView;

/** Prints the contents that more than one string of a heap snapshot has. */
final class HeapStringsCommand extends SnapshotCommand
{
    protected function configure(): void
    {
        $this->question('strings', 'Which strings are in memory several times, and how much that wastes')
            ->addSnapshot()
            ->addLimitOption('contents', 20)
            ->addFlag('json', 'Print JSON (bytes)')
            ->setHelp(
                <<<'HELP'
                Prints contents that more than one string has, the most wasted bytes first: what all copies but one
                take. A string that many variables share is one string, and no copy. Strings of less than 16 bytes are
                not compared.

                  <info>xhprof heap strings a.heap.jsonl</info>
                  <info>xhprof heap paths a.heap.jsonl 0x7f12a4c01e00</info>       who keeps one of them

                Snapshots of older versions cannot be compared: take a new one.
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $limit = self::number($input, 'limit');

        return self::show(new StringsView(self::snapshot($input, $output), $limit), $input, $output);
    }
}
