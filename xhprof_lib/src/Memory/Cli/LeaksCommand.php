<?php

declare(strict_types=1);

namespace XHProf\Memory\Cli;

/** `memory` between two marks, of which each has a default. */
final class LeaksCommand extends MemoryCommand
{
    protected const MARKS = [' [default: 1]', ' [default: the last one]'];

    protected function configure(): void
    {
        parent::configure();
        $this->setName('leaks')
            ->setDescription('Print what a run allocated between two marks and never freed')
            ->setHelp(
                <<<'HELP'
                Prints which call paths hold memory that was allocated after one mark and before another and is
                still in use: what a worker leaks from job to job. Where its jobs are spans (xhprof_span()), each ends with
                a mark, and nothing is changed in the program:

                  <info>xhprof run --alloc -- worker.php</info>

                xhprof_alloc_mark() makes one too, the first is 1:

                  xhprof_enable(XHPROF_FLAGS_ALLOC);
                  foreach ($queue->take(100) as $job) {
                      $job->run();
                      xhprof_alloc_mark();
                  }
                  xhprof_disable();
                  xhprof_save('worker');

                Caches fill before mark 1, and a job may still run after the last mark. Both parts are left out unless
                --after or --before names them. The column "marks" shows in how many intervals between marks the blocks
                of a line were allocated: a leak grows in most of them, a cache in few.

                  <info>xhprof leaks</info>                             the newest run
                  <info>xhprof leaks 4f0c --after=10 --before=20</info> between these marks
                  <info>xhprof leaks 4f0c --by=type</info>              strings, arrays, objects of which class
                  <info>xhprof leaks 4f0c --full --limit=3</info>       full call paths
                HELP
            );
    }
}
