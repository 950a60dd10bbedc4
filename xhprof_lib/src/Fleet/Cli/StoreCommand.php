<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use XHProf\Cli\CliError;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Command\RunFolderCommand;
use XHProf\Cli\UsageError;
use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\FleetAddress;
use XHProf\Fleet\Question\ReleasePair;
use XHProf\Fleet\Question\SampledClock;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\WrongAddress;

/** Common parts of the commands for the store of many hosts. */
abstract class StoreCommand extends RunFolderCommand
{
    /** Rows that are sorted, where the store has them in another order. */
    private const SORTED = 1000;

    protected function question(string $word, string $description): static
    {
        return $this->setName(FleetCommand::NAME . ":$word")->setDescription($description)->setHidden()
            ->addValue('to', 'clickhouse://HOST:8123/DATABASE, or clickhouses:// for TLS')
            ->addValue('credentials', 'File with the lines user=NAME and password=TEXT')
            ->addValue('ca-file', 'PEM file of the authorities to trust');
    }

    protected function addSelection(bool $hasRelease = true): static
    {
        return $this->addPlace($hasRelease)
            ->addValue('host', 'Only this host')
            ->addValues('label', 'Only runs with this free label: NAME=VALUE')
            ->addValue('from', 'Only windows since 2026-11-21, or "2026-11-21 14:30"')
            ->addValue('until', 'Only windows until then, inclusive');
    }

    protected function addPlace(bool $hasRelease = true): static
    {
        $this->addValue('service', 'Only this service')
            ->addValue('env', 'Only this environment')
            ->addValue('route', 'Only this route or job: "GET /users/{id}"');

        return $hasRelease ? $this->addValue('release', 'Only this release') : $this;
    }

    protected function addPair(): static
    {
        return $this->addSelection(false)
            ->addValue('release', 'The release that is looked at [default: the newest]')
            ->addValue('base', 'The one it is compared with [default: the one before]')
            ->addClock();
    }

    protected function addClock(): static
    {
        return $this->addValue('clock', 'Time that the hosts sample: wall or cpu', SampledClock::Wall->value);
    }

    /** @throws UsageError */
    protected static function client(Arguments $given): Client
    {
        $options = [
            FleetAddress::ADDRESS => 'to', FleetAddress::CREDENTIALS => 'credentials', FleetAddress::CA_FILE => 'ca-file',
        ];
        $setting = static fn (string $name): string => $given->text($options[$name]) ?? (string) getenv($name);
        try {
            return Client::fromDestination(FleetAddress::read($setting)
                ?? throw new UsageError('--to is missing: clickhouse://HOST:8123/DATABASE'));
        } catch (WrongAddress $e) {
            throw new UsageError($e->getMessage(), 0, $e);
        }
    }

    protected static function selection(Arguments $given, bool $needsService = true): Selection
    {
        $text = static fn (string $option): string => $given->has($option) ? $given->text($option) ?? '' : '';
        if ($needsService && $text('service') === '') {
            throw new UsageError('--service is missing; `xhprof fleet services` lists them');
        }
        $from = $given->moment('from', false);
        $to = $given->moment('until', true);

        return new Selection(
            $text('service'),
            $text('env'),
            $text('route'),
            $text('release'),
            $text('host'),
            $from === null ? null : (int) $from,
            $to === null ? null : (int) $to,
            self::labels($given),
        );
    }

    /** @return array<string, string> */
    private static function labels(Arguments $given): array
    {
        $labels = [];
        foreach ($given->has('label') ? $given->texts('label') : [] as $text) {
            [$name, $value] = explode('=', $text, 2) + [1 => ''];
            if ($name === '' || $value === '') {
                throw new UsageError("--label takes NAME=VALUE, not \"$text\"; `xhprof fleet labels` lists them");
            }
            $labels[$name] = $value;
        }

        return $labels;
    }

    /** @throws CliError if there are no two */
    protected static function pair(Arguments $given, Client $client, Selection $which): ReleasePair
    {
        return ReleasePair::choose($client, $which, $given->text('release') ?? '', $given->text('base') ?? '')
            ?? throw new CliError('not enough data: there are no two releases of this selection to compare');
    }

    protected static function clock(Arguments $given): SampledClock
    {
        $word = (string) $given->text('clock');

        return SampledClock::tryFrom($word) ?? throw new UsageError("--clock takes wall or cpu, not \"$word\"");
    }

    /** What --limit allows; 0 stands for all. */
    protected static function most(Arguments $given): int
    {
        return $given->number('limit') ?: PHP_INT_MAX;
    }

    /** Rows that are asked of the store: with --sort more than are printed. */
    protected static function fetched(Arguments $given): int
    {
        return max(self::most($given), $given->text('sort') === null ? 0 : self::SORTED);
    }
}
