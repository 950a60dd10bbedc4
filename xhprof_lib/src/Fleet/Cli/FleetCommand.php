<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use XHProf\Cli\Command\QuestionsCommand;
use XHProf\Fleet\FleetAddress;

/** `xhprof fleet` alone: lists what can be asked about many hosts. */
final class FleetCommand extends QuestionsCommand
{
    public const NAME = 'fleet';
    protected const USAGE = 'QUESTION --to=clickhouse://HOST:8123/DATABASE [options]';
    protected const ABOUT = 'what many hosts have sent to one store';

    protected function configure(): void
    {
        $this->addQuestion('regressions')
            ->setDescription('Ask the store of many hosts: what got slower, where, since which release');
    }

    protected function more(): array
    {
        return ['The environment variables ' . FleetAddress::ADDRESS . ', ' . FleetAddress::CREDENTIALS . ' and '
            . FleetAddress::CA_FILE . ' stand for --to, --credentials and --ca-file.'];
    }
}
