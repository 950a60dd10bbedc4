<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Fleet\Question\HostFigures;
use XHProf\Fleet\Question\Requests;

/** Which hosts stand out. */
final class HostsCommand extends StoreCommand
{
    protected function configure(): void
    {
        $this->question('hosts', 'Hosts: how slow each is beside the others, and which stand out')
            ->addSelection()
            ->addClock()
            ->addLimitOption('hosts', 20)
            ->addFlag('json', 'Print JSON')
            ->setHelp(
                <<<'HELP'
                1.20 is a host on which the same requests take a fifth longer than on the host in the middle: each route is
                compared with itself on other hosts. A host stands out if its modified z-score is above 3.5, and it
                is at least a twentieth slower.
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $all = (new Requests(self::client($input)))->hosts(self::selection($input), self::clock($input));
        $rows = array_map(
            static fn (array $host): array => ['time_us' => $host['time']] + array_diff_key($host, ['time' => 0]),
            $all,
        );
        $odd = array_column(array_filter($all, static fn (array $host): bool => $host['is_outlier']), 'host');
        $notes = self::tooFew($all) ?: ($all === [] ? [] : [sprintf('%d of %d hosts stand out', count($odd), count($all))]);

        return self::show(new RowsView([
            'slowness' => ['slowness', RowsView::TIMES, 0],
            'requests' => ['requests', RowsView::COUNT, 1],
            'failed' => ['failed', RowsView::COUNT, 2],
            'time_us' => ['total', RowsView::US, 3],
            'is_outlier' => ['', RowsView::MARK, 0],
            'host' => ['host', RowsView::NAME, 0],
        ], self::first($rows, $input), 'No requests of this selection have arrived.', $notes, [
            'hosts_total' => count($all), 'outliers' => $odd,
        ]), $input, $output);
    }

    /**
     * @param list<mixed> $hosts
     *
     * @return list<string> what is said where there are too few for one to stand out
     */
    public static function tooFew(array $hosts): array
    {
        $least = HostFigures::LEAST_HOSTS;

        return $hosts !== [] && count($hosts) < $least ? ["Not enough data: it takes $least hosts."] : [];
    }
}
