<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\UsageError;
use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\ClickHouse\Ddl;
use XHProf\Fleet\ClickHouse\Migrations;
use XHProf\Fleet\ClickHouse\TableRetention;

/** Makes the tables of a store, or brings them up to this version. */
final class InitCommand extends StoreCommand
{
    private const MAX_DAYS = 36500;

    /** @param bool $isUpgrade whether the database has to be there */
    public function __construct(private readonly bool $isUpgrade)
    {
        parent::__construct();
    }

    protected function configure(): void
    {
        $kinds = [];
        foreach (TableRetention::cases() as $keep) {
            $kinds[] = sprintf('%s (%s, %s)', $keep->value, $keep->about(), self::days($keep->days()));
        }
        $about = 'KIND=DAYS, 0 for good: ' . implode(', ', $kinds);
        $this->question(...$this->isUpgrade
            ? ['upgrade', 'Bring the tables of the store up to this version']
            : ['init', 'Make the database and the tables of the store'])
            ->addValue('cluster', 'Replicated and distributed tables on this cluster')
            ->addValues('keep', $about)
            ->addFlag('sql', 'Print the statements and run none')
            ->setHelp(
                <<<'HELP'
                What is there stays as it is; both may be run again at any time. They take a user who may make tables, others
                do not: docs/fleet.md has the grants.

                  <info>xhprof fleet init --to=clickhouse://db:8123/fleet</info>
                  <info>xhprof fleet init --to=clickhouse://db:8123/fleet --cluster=main --keep=raw=3</info>
                  <info>xhprof fleet upgrade --to=clickhouse://db:8123/fleet --keep=1h=800</info>    changes what is kept
                HELP
            );
    }

    protected function perform(Arguments $given, OutputInterface $output): int
    {
        $client = self::client($given);
        $keep = self::keep($given);
        try {
            $ddl = new Ddl($given->text('cluster') ?? '', $keep);
        } catch (\InvalidArgumentException $e) {
            throw new UsageError($e->getMessage(), 0, $e);
        }
        if ($given->flag('sql')) {
            $statements = [$ddl->database($client->database), ...array_merge(...Migrations::steps($ddl))];
            $output->writeln(implode(";\n\n", $statements) . ';', OutputInterface::OUTPUT_RAW);

            return self::SUCCESS;
        }
        $this->migrate($client, $ddl, array_keys($keep), $output);

        return self::SUCCESS;
    }

    /** @param list<value-of<TableRetention>> $kept kinds that were named */
    private function migrate(Client $client, Ddl $ddl, array $kept, OutputInterface $output): void
    {
        $migrations = new Migrations($client, $ddl);
        $done = $this->isUpgrade ? $migrations->upgrade() : $migrations->init();
        if ($kept !== []) {
            $migrations->keep(array_map(TableRetention::from(...), $kept));
        }
        $output->writeln($done === []
            ? "{$client->name()} has version {$migrations->version()} already"
            : "{$client->name()} has version {$migrations->version()} now", OutputInterface::OUTPUT_RAW);
    }

    /** @return array<value-of<TableRetention>, int> */
    private static function keep(Arguments $given): array
    {
        $keep = [];
        foreach ($given->texts('keep') as $text) {
            [$kind, $days] = explode('=', $text, 2) + [1 => ''];
            $case = TableRetention::tryFrom($kind);
            if ($case === null || !ctype_digit($days) || strlen($days) > 5 || (int) $days > self::MAX_DAYS) {
                $kinds = implode(', ', array_column(TableRetention::cases(), 'value'));
                throw new UsageError("--keep takes KIND=DAYS, not \"$text\"; kinds are $kinds");
            }
            $keep[$case->value] = (int) $days;
        }

        return $keep;
    }

    private static function days(int $days): string
    {
        return $days === 0 ? 'for good' : "$days days";
    }
}
