<?php

declare(strict_types=1);

namespace XHProf\Compare\Cli;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Command\RunFolderCommand;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Stats\Distribution;

/** Prints the mean of several saved runs and their spread. */
final class MeanCommand extends RunFolderCommand
{
    /** Its name in older versions. */
    public const ALIAS = 'aggregate';

    protected function configure(): void
    {
        $this->setName('mean')
            ->setAliases([self::ALIAS])
            ->setDescription('Mean, median, spread of several runs, function by function')
            ->addArgument('runs', InputArgument::REQUIRED | InputArgument::IS_ARRAY, 'The runs, two or more. ' . self::RUN)
            ->addValue('sort', 'Column to show and sort by [default: "excl_wt"]', short: 's')
            ->addValue('agg', 'Sort by: ' . implode(', ', Distribution::KINDS), 'mean', 'a')
            ->addFlag('levels', 'Keep the levels of a recursion (f, f@1...) apart')
            ->addValue('source', 'Only look at runs of this source')
            ->addLimitOption('functions', 30)
            ->addFlag('json', 'Print JSON (microseconds and bytes), all columns')
            ->addFolderOption()
            ->setHelp(
                <<<'HELP'
                Prints the mean, median, 95th percentile, least, most and standard deviation of one column (--sort)
                over the runs. A run that did not call a function counts as 0. Runs far from the others are marked
                <info>outlier</info> (modified z-score above 3.5).

                  <info>xhprof mean 4f0c 91ab 77e2</info>
                  <info>xhprof mean 4f0c,91ab,77e2 --sort=wt --agg=p95</info>
                  <info>xhprof report 4f0c,91ab,77e2</info>    their mean as one run
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $limit = self::number($input, 'limit');
        $sort = self::text($input, 'sort');
        $kind = self::oneOf($input, 'agg', Distribution::KINDS);
        $source = self::text($input, 'source');
        $levels = $input->getOption('levels') === true;
        $names = implode(',', self::texts($input->getArgument('runs')));
        $store = $this->store($input);
        $view = SlowNotice::during('Reading the runs', $output, static fn (): MeanView => new MeanView(
            $store->named($names, $source),
            $levels,
            $sort,
            $kind,
            $limit,
        ));

        return self::show($view, $input, $output);
    }
}
