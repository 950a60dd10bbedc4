<?php

declare(strict_types=1);

namespace XHProf\Cli\Command;

use Symfony\Component\Console\Command\Command;

/** `xhprof help COMMAND`. */
final class HelpCommand extends \Symfony\Component\Console\Command\HelpCommand
{
    use ProgramSynopsis;

    public function setCommand(Command $command): void
    {
        foreach ($command->getDefinition()->getOptions() as $option) {
            // Of an option that may be given without a value: it says that the option was not given, which is no default.
            if ($option->acceptValue() && $option->getDefault() === false) {
                $option->setDefault(null);
            }
        }
        parent::setCommand($command);
    }

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
