<?php

declare(strict_types=1);

namespace XHProf\Cli\Command;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Json;
use XHProf\Cli\RunOpener;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Cli\View\DiffView;

/** Compares two saved runs. */
final class DiffCommand extends RunFolderCommand
{
    private const LIMIT = 30;

    protected function configure(): void
    {
        $this->setName('diff')
            ->setDescription('Compare two runs, function by function')
            ->addArgument('a', InputArgument::REQUIRED, 'The run before. ' . RunOpener::HELP)
            ->addArgument('b', InputArgument::REQUIRED, 'The run after')
            ->addOption('sort', 's', InputOption::VALUE_REQUIRED, 'Column to sort by [default: "excl_wt"]')
            ->addOption('symbol', null, InputOption::VALUE_REQUIRED, 'Compare this function, its callers and callees')
            ->addOption('levels', null, InputOption::VALUE_NONE, 'Keep the levels of a recursion (f, f@1...) apart')
            ->addOption('source', null, InputOption::VALUE_REQUIRED, 'Only look at runs of this source')
            ->addLimitOption('functions', self::LIMIT)
            ->addOption('json', null, InputOption::VALUE_NONE, 'Print JSON (microseconds and bytes)')
            ->addFolderOption()
            ->setHelp(
                <<<'HELP'
                Prints what run B takes more (+) or less (-) than run A, the largest change first. Functions that
                only one of them has are marked <info>new</info> or <info>gone</info>.

                  <info>xhprof diff 4f0c 91ab</info>
                  <info>xhprof diff 4f0c latest --sort=mu</info>
                  <info>xhprof diff 4f0c latest --symbol=array_map</info>
                  <info>xhprof diff before.cli.xhprof after.cli.xhprof --json</info>
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $limit = self::number($input, 'limit');
        $sort = self::text($input, 'sort');
        $symbol = self::text($input, 'symbol');
        $source = self::text($input, 'source');
        $opener = new RunOpener($this->store($input));
        $view = SlowNotice::during('Reading the runs', $output, static fn (): DiffView => new DiffView(
            self::open($opener, self::argument($input, 'a'), $source, $output),
            self::open($opener, self::argument($input, 'b'), $source, $output),
            $sort,
            $limit,
            $input->getOption('levels') === true,
        ));
        $json = $input->getOption('json') === true;
        match (true) {
            $json => Json::print($symbol === null ? $view->json() : $view->symbolJson($symbol), $output),
            $symbol !== null => $view->printSymbol($symbol, $output, Screen::of($output)),
            default => $view->print($output, Screen::of($output)),
        };

        return self::SUCCESS;
    }
}
