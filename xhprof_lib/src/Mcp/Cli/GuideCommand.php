<?php

declare(strict_types=1);

namespace XHProf\Mcp\Cli;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Command\ProgramSynopsis;
use XHProf\Mcp\Guide;

/** `xhprof guide`: one page for coding assistants. */
final class GuideCommand extends Command
{
    use ProgramSynopsis;

    protected function configure(): void
    {
        $this->setName('guide')
            ->setDescription('Print one page for coding assistants: which commands, in which order, what figures mean')
            ->setHelp(
                <<<'HELP'
                Prints a page in Markdown for assistants that work with this command line: the order of the questions, how to
                profile, what the figures mean, and the limits. The folder skills/ has the same text as a skill, and
                <info>xhprof mcp</info> hands it out as a resource.

                  <info>xhprof guide</info>
                  <info>xhprof guide >> AGENTS.md</info>
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $output->write(Guide::text(), false, OutputInterface::OUTPUT_RAW);

        return self::SUCCESS;
    }
}
