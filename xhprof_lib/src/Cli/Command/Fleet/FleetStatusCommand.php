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

    protected function configure(): void
    {
        $this->question('status', 'Version of the store, and which hosts are late')
            ->addOption('service', null, InputOption::VALUE_REQUIRED, 'Only this service')
            ->addLimitOption('hosts', self::LIMIT)
            ->addJson()
            ->setHelp('A host is late by the age of the newest run that has arrived from it. The latest come first.');
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

        return self::show(new RowsView(
            [
                'late_us' => ['late', RowsView::US, 0],
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
