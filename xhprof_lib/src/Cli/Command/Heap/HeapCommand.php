<?php

declare(strict_types=1);

namespace XHProf\Cli\Command\Heap;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Command\ProgramSynopsis;
use XHProf\Cli\UsageError;

/** `xhprof heap` alone: lists the commands for a heap snapshot. */
final class HeapCommand extends Command
{
    use ProgramSynopsis;

    public const NAME = 'heap';

    protected function configure(): void
    {
        $this->setName(self::NAME)
            ->setDescription('Ask a heap snapshot: what is in memory, who keeps it, what leaks')
            ->addArgument('question', InputArgument::OPTIONAL, 'What to ask', null, fn (): array => $this->words())
            ->addArgument('rest', InputArgument::IS_ARRAY, 'Its arguments')
            ->setHelp('`xhprof heap` lists the questions, `xhprof heap summary --help` explains one.');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $question = $input->getArgument('question');
        $commands = $this->getApplication()?->all(self::NAME) ?? [];
        if (is_string($question) && $question !== '') {
            throw new UsageError("unknown question \"$question\"; take one of " . implode(', ', $this->words()));
        }
        $output->writeln([
            'xhprof heap - what is in the memory of a PHP process, and who keeps it there',
            '',
            '<comment>Usage:</comment>  xhprof heap QUESTION [options] SNAPSHOT',
            '',
            '<comment>Questions:</comment>',
        ]);
        foreach ($commands as $command) {
            $output->writeln(sprintf('  <info>%-9s</info> %s', self::word($command), $command->getDescription()));
        }
        $output->writeln([
            '',
            '<comment>Where snapshots come from:</comment>',
            '  xhprof_heap_snapshot("/tmp/a.heap.jsonl");          in the program',
            '  xhprof.heap_on_limit=/tmp/%p.heap.jsonl             when memory_limit is hit, in php.ini',
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
        ]);

        return self::SUCCESS;
    }

    /** @return list<string> */
    private function words(): array
    {
        return array_values(array_map(self::word(...), $this->getApplication()?->all(self::NAME) ?? []));
    }

    private static function word(Command $command): string
    {
        return substr((string) $command->getName(), strlen(self::NAME) + 1);
    }
}
