<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Fleet\Question\Requests;

/** Which releases a service had, and when. */
final class ReleasesCommand extends StoreCommand
{
    protected function configure(): void
    {
        $this->question('releases', 'Releases of a service, and when each was seen')
            ->addSelection(false)
            ->addLimitOption('releases', 20)
            ->addFlag('json', 'Print JSON');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $all = (new Requests(self::client($input)))->releases(self::selection($input));
        $rows = array_map(static fn (array $one): array => [
            'release' => $one['release'],
            'env' => $one['env'],
            'first' => date('Y-m-d H:i', $one['first']),
            'last' => date('Y-m-d H:i', $one['last']),
            'requests' => $one['requests'],
        ], self::first($all, $input));

        return self::show(new RowsView([
            'first' => ['first', RowsView::TEXT, 0],
            'last' => ['last', RowsView::TEXT, 0],
            'requests' => ['requests', RowsView::COUNT, 1],
            'env' => ['env', RowsView::TEXT, 2],
            'release' => ['release', RowsView::NAME, 0],
        ], $rows, 'No release of this selection was seen.', [], ['releases_total' => count($all)]), $input, $output);
    }
}
