<?php

declare(strict_types=1);

namespace XHProf\Cli\Command;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Json;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Cli\View\ListView;
use XHProf\Store\RunSummary;

/** Lists the runs of the folder. */
final class ListCommand extends RunFolderCommand
{
    private const LIMIT = 30;

    protected function configure(): void
    {
        $this->setName('list')
            ->setDescription('List the saved runs, newest first')
            ->addOption('source', null, InputOption::VALUE_REQUIRED, 'Only runs of this source')
            ->addLimitOption('runs', self::LIMIT)
            ->addOption('json', null, InputOption::VALUE_NONE, 'Print JSON (microseconds and bytes)')
            ->addFolderOption()
            ->setHelp(
                <<<'HELP'
                Lists the runs of the folder, newest first. The first column is as much of the id as tells the
                runs apart; `report` and `diff` take it. A damaged run is listed with what is wrong with it.

                  <info>xhprof list</info>
                  <info>xhprof list --source=nightly --limit=0</info>
                  <info>xhprof list --json | jq -r '.runs[].id'</info>
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $limit = self::number($input, 'limit');
        $source = self::text($input, 'source');
        $store = $this->store($input);
        $all = SlowNotice::during("Reading {$store->directory()}", $output, $store->list(...));
        $runs = array_values(array_filter(
            $all,
            static fn (RunSummary $run): bool => $source === null || $run->id->source === $source,
        ));
        $view = new ListView($store->directory(), $all, $runs, $limit);
        if ($input->getOption('json') === true) {
            Json::print($view->json(), $output);
        } else {
            $view->print($output, Screen::of($output));
        }

        return self::SUCCESS;
    }
}
