<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Terminal\ExportFile;
use XHProf\File\Sink;
use XHProf\Fleet\Question\KeptRequests;
use XHProf\Fleet\Report\KeptRequestsReport;

/** Single requests of many hosts, and one of them as a run. */
final class ExemplarsCommand extends StoreCommand
{
    protected function configure(): void
    {
        $this->question('exemplars', 'Single requests that hosts have kept whole, the slowest first')
            ->addSelection()
            ->addValue('run', 'Write this one, for `xhprof import`')
            ->addValue('output', 'File of --run, - for standard output', ExportFile::STDOUT, 'o')
            ->addOrderOptions()
            ->addLimitOption('requests', 20)
            ->addFlag('json', 'Print JSON')
            ->setHelp(
                <<<'HELP'
                Of each route and window a host keeps the slowest request and one by chance; runs that a trigger or a condition has
                saved are here as well. `xhprof import` makes a run of the file of one, which all commands and the pages open.

                  <info>xhprof fleet exemplars --service=shop --route='GET /users/{id}'</info>
                  <info>xhprof fleet exemplars --service=shop --run=RUN -o slow.run.json</info>
                  <info>xhprof import slow.run.json</info>
                HELP
            );
    }

    protected function perform(Arguments $given, OutputInterface $output): int
    {
        $client = self::client($given);
        $which = self::selection($given);
        $run = $given->text('run');
        if ($run !== null) {
            $json = (new KeptRequests($client))->file($which, $run)
                ?? throw new CliError("no request of this selection has the run \"$run\"");
            ExportFile::write((string) $given->text('output'), static fn (Sink $out) => $out->write($json));

            return self::SUCCESS;
        }
        $report = KeptRequestsReport::report($client, $which, self::fetched($given));

        return self::show($given->shown($report), $given, $output);
    }
}
