<?php

declare(strict_types=1);

namespace XHProf\Import\Cli;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Command\RunFolderCommand;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\StoreError;
use XHProf\Format\Text;
use XHProf\Import\FoldedReader;
use XHProf\Import\ImportResult;
use XHProf\Import\Importer;
use XHProf\Import\InputFile;
use XHProf\Import\Readers;

/** Imports files of other tools as runs. */
final class ImportCommand extends RunFolderCommand
{
    private const STANDARD_INPUT = '-';

    protected function configure(): void
    {
        $formats = '';
        foreach (Readers::all() as $name => $reader) {
            $formats .= sprintf("  <info>%-15s</info>%s\n", $name, $reader::LABEL);
        }
        $this->setName('import')
            ->setDescription('Make runs from files of other tools')
            ->addArgument('files', InputArgument::REQUIRED | InputArgument::IS_ARRAY, 'Files, gzipped or not; - is standard input')
            ->addValue('source', 'Source of the new runs [default: "imported"]')
            ->addValue('format', 'One of the formats below; "auto" detects it', Readers::AUTO, 'f', array_keys(Readers::all()))
            ->addValue('unit', 'For folded: ' . implode(', ', FoldedReader::units()), 'samples')
            ->addFolderOption()
            ->setHelp(
                <<<HELP
                Makes a run of each profile in the files. Files and records that are not profiles are reported and skipped; the
                exit code is then 1. What of a profile could not be read is reported, and kept with the run. A file with the name
                of a run, ID.SOURCE.xhprof, keeps its id and its source.

                $formats
                  <info>xhprof import cachegrind.out.4711.gz</info>
                  <info>xhprof import --source=xhgui xhgui.data.jsonl</info>
                  <info>xhprof import --format=folded --unit=us stacks.txt</info>
                  <info>perf script | stackcollapse-perf.pl | xhprof import -</info>
                HELP
            );
    }

    protected function perform(Arguments $given, OutputInterface $output): int
    {
        $importer = new Importer($given->store(), $given->text('source'));
        $format = $given->text('format') ?? Readers::AUTO;
        $unit = $given->oneOf('unit', FoldedReader::units());
        $saved = 0;
        $failed = 0;
        foreach ($given->arguments('files') as $path) {
            try {
                $file = self::opened($path);
                $read = Readers::for($file, $format, $unit);
                foreach (self::withNotice($path, $output, $importer->import($file, $read)) as $outcome) {
                    $outcome->id === null ? $failed++ : $saved++;
                    $this->printOutcome($path, $outcome, $output);
                }
            } catch (InvalidProfile | StoreError $error) {
                $failed++;
                $this->printOutcome($path, new ImportResult('', null, $error->getMessage()), $output);
            }
        }
        if ($saved + $failed > 1) {
            $output->writeln("$saved imported, $failed failed");
        }

        return $failed === 0 ? self::SUCCESS : self::FAILURE;
    }

    /** @throws InvalidProfile|StoreError */
    private static function opened(string $path): InputFile
    {
        if ($path === self::STANDARD_INPUT) {
            return InputFile::ofStream(STDIN, 'standard input');
        }
        // A pipe can be read once; PHP cannot open that of a shell's "<(...)" by its path.
        $isPipe = file_exists($path) && !is_file($path) && !is_dir($path);
        $readable = preg_match('~\A/(?:dev|proc/self)/fd/([0-9]{1,6})\z~', $path, $match) === 1 ? "php://fd/$match[1]" : $path;
        $stream = $isPipe ? @fopen($readable, 'rb') : false;

        return $stream === false ? new InputFile($path, basename($path)) : InputFile::ofStream($stream, basename($path));
    }

    /**
     * @param iterable<ImportResult> $outcomes
     *
     * @return iterable<ImportResult>
     */
    private static function withNotice(string $path, OutputInterface $output, iterable $outcomes): iterable
    {
        $steps = (static fn () => yield from $outcomes)();
        $next = static function () use ($steps): ?ImportResult {
            $outcome = $steps->valid() ? $steps->current() : null;

            return $outcome instanceof ImportResult ? $outcome : null;
        };
        while (($outcome = SlowNotice::during("Reading $path", $output, $next)) !== null) {
            yield $outcome;
            SlowNotice::during("Reading $path", $output, $steps->next(...));
        }
    }

    private function printOutcome(string $path, ImportResult $outcome, OutputInterface $output): void
    {
        $record = $path . ($outcome->record === '' ? '' : ", $outcome->record");
        if ($outcome->id !== null) {
            $output->writeln(Text::printable("{$outcome->id->id} ({$outcome->id->source})  $record"), OutputInterface::OUTPUT_RAW);
            foreach ($outcome->notes as $note) {
                Screen::errors($output)->writeln(Text::printable("xhprof: $record: left out: $note"), OutputInterface::OUTPUT_RAW);
            }

            return;
        }
        Screen::errors($output)->writeln(
            Text::printable("xhprof: $record: $outcome->error"),
            OutputInterface::OUTPUT_RAW | OutputInterface::VERBOSITY_QUIET,
        );
    }
}
