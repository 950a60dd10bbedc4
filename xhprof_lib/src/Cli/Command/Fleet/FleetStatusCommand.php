<?php

declare(strict_types=1);

namespace XHProf\Cli\Command\Fleet;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\View\Fleet\RowsView;
use XHProf\Fleet\ClickHouse\Ddl;
use XHProf\Fleet\ClickHouse\Migrations;
use XHProf\Fleet\Question\Arrivals;

/** Whether the store is of this version, and which hosts send to it. */
final class FleetStatusCommand extends StoreCommand
{
    private const LIMIT = 20;

    /** µs by which a host's clock is ahead before it is said. */
    private const AHEAD = 60_000_000;

    protected function configure(): void
    {
        $this->question('status', 'Version of the store, and which hosts are late')
            ->addOption('service', null, InputOption::VALUE_REQUIRED, 'Only this service')
            ->addLimitOption('hosts', self::LIMIT)
            ->addJson()
            ->setHelp(
                <<<'HELP'
                A host is late by the age of the newest run that has arrived from it. The latest come first. One whose runs arrived
                just now, and that is late, sends older ones first, or its clock is behind.
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $client = self::client($input);
        $version = (new Migrations($client, new Ddl()))->version();
        if ($version === 0) {
            throw new CliError("{$client->name()} is no store yet: xhprof fleet init");
        }
        $hosts = (new Arrivals($client))->hosts(self::text($input, 'service') ?? '', time());
        $notes = [sprintf('%s has version %d%s', $client->name(), $version, match ($version <=> Migrations::newest()) {
            -1 => ', this is version ' . Migrations::newest() . ': xhprof fleet upgrade',
            1 => ', this program knows version ' . Migrations::newest() . ' only',
            default => '',
        })];

        $ahead = count(array_filter($hosts, static fn (array $host): bool => $host['ahead_us'] >= self::AHEAD));
        if ($ahead > 0) {
            $notes[] = ($ahead === 1 ? '1 host has a clock that is' : "$ahead hosts have clocks that are")
                . ' ahead of the store\'s: their runs count at times that are yet to come';
        }

        return self::show(new RowsView(
            [
                'late_us' => ['late', RowsView::US, 0],
                'arrived_us' => ['arrived', RowsView::US, 0],
                'ahead_us' => ['clock ahead', RowsView::US, 0],
                'runs' => ['runs', RowsView::COUNT, 1],
                'service' => ['service', RowsView::TEXT, 0],
                'host' => ['host', RowsView::NAME, 0],
            ],
            self::first($hosts, $input),
            'No run has arrived.',
            $notes,
            ['version' => $version, 'newest_version' => Migrations::newest(), 'hosts_total' => count($hosts)],
        ), $input, $output);
    }
}
