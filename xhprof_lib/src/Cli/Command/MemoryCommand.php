<?php

declare(strict_types=1);

namespace XHProf\Cli\Command;

use Symfony\Component\Console\Input\InputInterface;
use XHProf\Memory\MarkRange;

/** Prints the live memory of a run by call path, function or type. */
final class MemoryCommand extends LiveMemoryCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->setName('memory')
            ->setDescription('Print who holds the memory of a run: live blocks by call path, function or type')
            ->setHelp(
                <<<'HELP'
                Prints which call paths allocated the memory that was still in use when the profile stopped, the
                heaviest first: the function that allocated comes first, then its caller, and so on. The levels of a
                recursion are merged.

                Columns to sort by: live (bytes still in use), blocks (their number), allocated and freed (total bytes,
                not by type); by function also incl (live, with its callees).

                A run has these figures if allocations were recorded:

                  <info>xhprof run --alloc -- script.php</info>

                or with xhprof_enable(XHPROF_FLAGS_ALLOC) … xhprof_disable(), xhprof_save() in the program.

                  <info>xhprof memory</info>                                 the newest run
                  <info>xhprof memory 4f0c --by=function --sort=incl</info>  functions, with their callees
                  <info>xhprof memory 4f0c --by=type</info>                  strings, arrays, objects of which class
                  <info>xhprof memory 4f0c --sort=allocated</info>           who makes the most garbage
                  <info>xhprof memory 4f0c --full --limit=3</info>           full call paths
                  <info>xhprof memory 4f0c --json | jq '.rows[0].path'</info>
                HELP
            );
    }

    protected function range(InputInterface $input, int $marks): ?MarkRange
    {
        return null;
    }
}
