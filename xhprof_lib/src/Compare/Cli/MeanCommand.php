<?php

declare(strict_types=1);

namespace XHProf\Compare\Cli;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Command\RunFolderCommand;
use XHProf\Functions\MetricOrder;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Cli\UsageError;
use XHProf\Compare\MeanReport;
use XHProf\Run\MeanRun;
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
            ->addValue('sort', 'Column to show and sort by; cv_ before it: by its spread [default: "excl_wt"]', short: 's')
            ->addValue('dir', 'Direction of --sort: asc or desc [default: figures from the largest, names from A]')
            ->addValue('agg', 'Sort by: ' . implode(', ', Distribution::KINDS), 'mean', 'a')
            ->addValue('q', 'Only functions with this text in their name')
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
        $direction = self::text($input, 'dir') === null ? null : self::oneOf($input, 'dir', ['asc', 'desc']) === 'desc';
        $query = self::text($input, 'q') ?? '';
        $run = $this->store($input)->named(implode(',', self::texts($input->getArgument('runs'))), $source);
        if (!$run instanceof MeanRun) {
            throw new UsageError('a mean takes two runs or more');
        }
        $levels = $input->getOption('levels') === true;
        $report = SlowNotice::during('Reading the runs', $output, static fn (): MeanReport => new MeanReport($run, $levels));
        $column = (string) preg_replace('/\A' . MeanReport::VARIATION . '/', '', $sort ?? '');
        $known = $sort === null || $column === MeanReport::BY_RUNS ? null : $column;
        $known = MetricOrder::sort($known, $report->statistics->metrics());
        $sort ??= $known;
        $names = $report->names($sort, $kind, $direction, $query);

        return self::show(new MeanView($report, $names, $sort, $kind, $limit), $input, $output);
    }
}
