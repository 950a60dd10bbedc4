<?php

declare(strict_types=1);

namespace XHProf\Cli\Command;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Store\DefaultFolder;

/** The overview that `xhprof` alone and `xhprof --help` print. */
final class OverviewCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('overview')->setHidden()->setDescription('What xhprof can do');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $output->writeln([
            'xhprof - where the time and the memory of a PHP program go',
            '',
            '<comment>Usage:</comment>  xhprof COMMAND [options] [arguments]',
            '',
            '<comment>Commands:</comment>',
        ]);
        foreach ($this->getApplication()?->all() ?? [] as $name => $command) {
            if (!$command->isHidden() && $name === $command->getName()) {
                $output->writeln(sprintf(
                    '  <info>%-11s</info> %s',
                    (string) $command->getName(),
                    $command->getDescription(),
                ));
            }
        }
        $output->writeln([
            '',
            '<comment>Examples:</comment>',
            '  xhprof run -- script.php --its --own=options',
            '  xhprof report latest --sort=wt --limit=40',
            '  xhprof report latest --symbol=array_map',
            '  xhprof diff 4f0c 91ab',
            '  xhprof memory latest --by=type',
            '  xhprof heap summary worker.heap.jsonl',
            '  xhprof serve',
            '',
            '`xhprof COMMAND --help` explains a command. The folder of the runs is --output-dir, else',
            ...explode("\n", wordwrap(DefaultFolder::ORDER . '.', 100)),
            '',
            'Tables fit the terminal, or as many columns as the variable COLUMNS says. With --wide, and in a file or',
            'a pipe, no name is shortened and no column left out.',
        ]);

        return 0;
    }
}
