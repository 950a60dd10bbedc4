<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\JsonOutput;
use XHProf\Cli\Terminal\Screen;
use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\ClickHouse\Ddl;
use XHProf\Fleet\ClickHouse\Migrations;
use XHProf\Fleet\Question\Arrivals;
use XHProf\Fleet\Question\Volume;

/** Whether the store is of this version, how much it holds, which hosts send to it, and what never arrived. */
final class FleetStatusCommand extends StoreCommand
{
    /** µs by which a host's clock is ahead before it is said. */
    private const AHEAD = 60_000_000;

    protected function configure(): void
    {
        $this->question('status', 'Version and size of the store, and which hosts are late or lose runs')
            ->addValue('service', 'Only this service')
            ->addLimitOption('hosts', 20)
            ->addFlag('json', 'Print JSON')
            ->setHelp(
                <<<'HELP'
                A host is late by the age of the newest run that has arrived from it. The latest come first. One whose runs arrived
                just now, and that is late, sends older ones first, or its clock is behind. What waits there, and what never
                arrived, is as its shippers reported last: runs that left their folder unsent, that the store refused, that could
                not be read, and values of labels that became (other).

                Rows and bytes are those of the server that answers. A host and day is one on which requests of it arrived.
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
        $hosts = self::hosts($client, self::text($input, 'service') ?? '');
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
        $volume = self::volume($client, $notes);
        $view = new RowsView(
            [
                'late_us' => ['late', RowsView::AGE, 0],
                'arrived_us' => ['arrived', RowsView::AGE, 0],
                'ahead_us' => ['clock ahead', RowsView::AGE, 0],
                'runs' => ['runs', RowsView::COUNT, 1],
                'waiting' => ['waiting', RowsView::COUNT, 2],
                'dropped' => ['dropped', RowsView::COUNT, 0],
                'rejected' => ['refused', RowsView::COUNT, 3],
                'damaged' => ['damaged', RowsView::COUNT, 4],
                'others' => ['(other)', RowsView::COUNT, 5],
                'service' => ['service', RowsView::TEXT, 0],
                'host' => ['host', RowsView::NAME, 0],
            ],
            self::first($hosts, $input),
            'No run has arrived.',
            [],
            ['version' => $version, 'newest_version' => Migrations::newest(), 'hosts_total' => count($hosts)],
        );
        if ($input->getOption('json') === true) {
            JsonOutput::print($view->json() + ['volume' => $volume->json()['rows']], $output);
        } else {
            $view->print(Screen::of($output));
            $output->writeln('');
            $volume->print(Screen::of($output));
        }

        return self::SUCCESS;
    }

    /** @return list<array<string, string|int|null>> what is not known of a host is null: its shippers do not report it */
    private static function hosts(Client $client, string $service): array
    {
        $losses = (new Arrivals($client))->losses();
        $none = array_fill_keys(array_diff(Arrivals::LOSSES, ['sent']), null);

        return array_map(
            static fn (array $host): array => $host + array_diff_key($losses["\0{$host['host']}"] ?? [], ['sent' => 0]) + $none,
            (new Arrivals($client))->hosts($service, time()),
        );
    }

    /** @param list<string> $notes below it */
    private static function volume(Client $client, array $notes): RowsView
    {
        $rows = (new Volume($client))->tables();
        $isDenied = in_array(null, array_column($rows, 'bytes'), true);

        return new RowsView([
            'rows' => ['rows', RowsView::COUNT, 0],
            'bytes' => ['bytes', RowsView::BYTES, 0],
            'rows_per_host_day' => ['rows a host and day', RowsView::COUNT, 1],
            'bytes_per_host_day' => ['bytes', RowsView::BYTES, 1],
            'table' => ['table', RowsView::NAME, 0],
        ], $rows, 'There are no tables.', [
            ...($isDenied ? ['This user may not read system.parts, which has the bytes.'] : []),
            ...$notes,
        ]);
    }
}
