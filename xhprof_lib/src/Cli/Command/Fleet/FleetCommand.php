<?php

declare(strict_types=1);

namespace XHProf\Cli\Command\Fleet;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Command\ProgramSynopsis;
use XHProf\Cli\UsageError;
use XHProf\Fleet\FleetAddress;

/** `xhprof fleet` alone: lists what can be asked about many hosts. */
final class FleetCommand extends Command
{
    use ProgramSynopsis;

    public const NAME = 'fleet';

    protected function configure(): void
    {
        $this->setName(self::NAME)
            ->setDescription('Ask the store of many hosts: what got slower, where, since which release')
            ->addArgument('question', InputArgument::OPTIONAL, 'What to ask or do', null, fn (): array => $this->words())
            ->addArgument('rest', InputArgument::IS_ARRAY, 'Its arguments')
            ->setHelp('`xhprof fleet` lists the questions, `xhprof fleet regressions --help` explains one.');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $question = $input->getArgument('question');
        if (is_string($question) && $question !== '') {
            throw new UsageError("unknown question \"$question\"; take one of " . implode(', ', $this->words()));
        }
        $output->writeln([
            'xhprof fleet - what many hosts have sent to one store',
            '',
            '<comment>Usage:</comment>  xhprof fleet QUESTION --to=clickhouse://HOST:8123/DATABASE [options]',
            '',
            '<comment>Questions:</comment>',
        ]);
        foreach ($this->getApplication()?->all(self::NAME) ?? [] as $command) {
            $output->writeln(sprintf('  <info>%-12s</info> %s', self::word($command), $command->getDescription()));
        }
        $output->writeln([
            '',
            'The environment variables ' . FleetAddress::ADDRESS . ', ' . FleetAddress::CREDENTIALS . ' and '
                . FleetAddress::CA_FILE . ' stand for --to, --credentials and --ca-file.',
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
