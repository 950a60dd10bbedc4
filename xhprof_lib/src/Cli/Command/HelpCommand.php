<?php

declare(strict_types=1);

namespace XHProf\Cli\Command;

/** `xhprof help COMMAND`. */
final class HelpCommand extends \Symfony\Component\Console\Command\HelpCommand
{
    use ProgramSynopsis;

    protected function configure(): void
    {
        parent::configure();
        $this->setHelp(
            <<<'HELP'
            Shows what a command does and which options it takes, as <info>--help</info> does. <info>xhprof</info> alone lists
            the commands.

              <info>xhprof help report</info>
              <info>xhprof help heap summary</info>
            HELP
        );
    }
}
