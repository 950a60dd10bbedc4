<?php

declare(strict_types=1);

namespace XHProf\Cli\Command;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** `xhprof help COMMAND`. */
final class HelpCommand extends \Symfony\Component\Console\Command\HelpCommand
{
    use ProgramSynopsis;

    public function setCommand(Command $command): void
    {
        self::describeNoFalse($command);
        parent::setCommand($command);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $name = $input->getArgument('command_name');
        if (is_string($name) && $this->getApplication()?->has($name) === true) {
            self::describeNoFalse($this->getApplication()->get($name));
        }

        return parent::execute($input, $output);
    }

    private static function describeNoFalse(Command $command): void
    {
        foreach ($command->getDefinition()->getOptions() as $option) {
            // Of an option that may be given without a value: it says that the option was not given, which is no default.
            if ($option->acceptValue() && $option->getDefault() === false) {
                $option->setDefault(null);
            }
        }
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
