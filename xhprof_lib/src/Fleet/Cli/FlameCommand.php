<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Terminal\ExportFile;
use XHProf\Cli\Terminal\Screen;
use XHProf\Export\JsonRun;
use XHProf\File\Sink;
use XHProf\Fleet\Question\FlameRun;
use XHProf\Format\Units;

/** Makes a run of what many hosts sampled, which the views of runs open. */
final class FlameCommand extends StoreCommand
{
    protected function configure(): void
    {
        $this->question('flame', 'The call paths of a selection as one run, for flame graphs and reports')
            ->addSelection()
            ->addClock()
            ->addValue('output', 'Write a file for `xhprof import`, - for standard output', short: 'o')
            ->addFolderOption()
            ->setHelp(
                <<<'HELP'
                Saves the run in the run folder and prints its id: `xhprof report ID` and the pages (`xhprof serve`) open it like
                any other, with routes below main(). Two of them can be compared.

                  <info>xhprof fleet flame --service=shop --release=1.5 --route='GET /users/{id}'</info>
                  <info>xhprof fleet flame --service=shop --host=web-07 --output=web-07.run.json</info>
                HELP
            );
    }

    protected function perform(Arguments $given, OutputInterface $output): int
    {
        $client = self::client($given);
        $which = self::selection($given);
        $clock = self::clock($given);
        $file = $given->text('output');
        $store = $file === null ? $given->store() : null;
        $flame = FlameRun::read($client, $which, $clock)
            ?? throw new CliError('not enough data: no samples of this selection have arrived');
        if ($flame->damaged > 0) {
            Screen::errors($output)->writeln(
                'xhprof: ' . Units::count($flame->damaged) . ' damaged rows of the store are left out',
                OutputInterface::OUTPUT_RAW,
            );
        }
        if ($store !== null) {
            $output->writeln($flame->save($store)->id, OutputInterface::OUTPUT_RAW);

            return self::SUCCESS;
        }
        ExportFile::write((string) $file, static fn (Sink $out) => (new JsonRun())->write($flame->run, $out));

        return self::SUCCESS;
    }
}
