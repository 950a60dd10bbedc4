<?php

declare(strict_types=1);

namespace XHProf\Heap\Cli;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Terminal\ReportView;
use XHProf\Cli\UsageError;
use XHProf\Heap\HeapRows;
use XHProf\Heap\HoldersReport;
use XHProf\Heap\NodeReport;

/** Prints the retaining paths of a node, or of all objects of a class. */
final class PathsCommand extends SnapshotCommand
{
    protected function configure(): void
    {
        $this->question('paths', 'Who keeps it: the ways from the roots to an address, or to all objects of a class')
            ->addSnapshot()
            ->addArgument('address', InputArgument::OPTIONAL, 'Address, as other reports print it: 0x7f12a4c01e00')
            ->addValue('class', 'Who keeps and who allocated the objects of this class', short: 'c')
            ->addValue('type', 'Who keeps the values of this type', short: 't')
            ->addFlag('full', 'Every step with its address; full paths on narrow screens')
            ->addLimitOption('paths', 10)
            ->addFlag('json', 'Print JSON (bytes)')
            ->setHelp(
                <<<'HELP'
                Prints who keeps something in memory, as PHP would write it:

                  $GLOBALS['cache']->items[12]->owner       variables
                  App\Registry::$services['mailer']         static properties
                  App\Worker::run() $job->name              variables of a function that runs

                With --class, objects that are kept in the same way share a line: [*] stands for all elements of an
                array, and only the first object of a long chain is shown. Weak references keep nothing.

                  <info>xhprof heap paths a.heap.jsonl --class='App\User'</info>
                  <info>xhprof heap paths a.heap.jsonl 0x7f12a4c01e00</info>
                  <info>xhprof heap paths a.heap.jsonl 0x7f12a4c01e00 --full</info>
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $limit = self::number($input, 'limit');
        $address = self::argument($input, 'address');
        $named = count(array_filter([$address, $input->getOption('class'), $input->getOption('type')]));
        if ($named !== 1) {
            throw new UsageError('name one address, or one --class=, or one --type=');
        }
        $index = self::snapshot($input, $output);
        $full = $input->getOption('full') === true;
        $group = self::group($input, $index);
        $rows = new HeapRows($index);
        $report = $group === null
            ? (new NodeReport($rows, self::node($address, $index)))->report($limit, $full)
            : (new HoldersReport($rows))->report($group, $limit, $full);

        return self::show(new ReportView($report), $input, $output);
    }
}
