<?php

declare(strict_types=1);

namespace XHProf\Heap\Cli;

use XHProf\Cli\Command\QuestionsCommand;

/** `xhprof heap` alone: lists the commands for a heap snapshot. */
final class HeapCommand extends QuestionsCommand
{
    public const NAME = 'heap';
    protected const USAGE = 'QUESTION [options] SNAPSHOT';
    protected const ABOUT = 'what is in the memory of a PHP process, and who keeps it there';

    protected function configure(): void
    {
        $this->addQuestion('summary')->setDescription('Ask a heap snapshot: what is in memory, who keeps it, what leaks');
    }

    protected function more(): array
    {
        return [
            '<comment>Where snapshots come from:</comment>',
            '  xhprof_heap_snapshot("/tmp/a.heap.jsonl");          in the program',
            '  xhprof.heap_on_limit=/tmp/%p.heap.jsonl             when memory_limit is hit, in php.ini',
            '  xhprof.heap_if="kept=50M, peak=256M"                on a condition, in php.ini',
            '  bin/xhprof-inspect memory -p PID -o a.heap.jsonl    from outside, of any PHP process',
            '',
            '<comment>Examples:</comment>',
            '  xhprof heap summary a.heap.jsonl',
            "  xhprof heap paths a.heap.jsonl --class='App\\Entity\\User'",
            '  xhprof heap diff a.heap.jsonl b.heap.jsonl',
            "  xhprof heap export a.heap.jsonl -f heapsnapshot         for Chrome's DevTools",
            '',
            'The first question about a snapshot writes an index to the cache folder: some seconds for a million values.',
            'Later questions are answered at once.',
        ];
    }
}
