<?php

declare(strict_types=1);

namespace XHProf\Heap\Cli;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Command\RunFolderCommand;
use XHProf\Cli\Terminal\ExportFile;
use XHProf\Cli\Terminal\Progress;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\UsageError;
use XHProf\File\Sink;
use XHProf\Format\QuantityParser;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Heap\Export\HeapFormats;
use XHProf\Heap\Export\Reli;
use XHProf\Share\SharedSnapshot;
use XHProf\Share\SizedFile;

/** Writes a heap snapshot in another tool's format. */
final class HeapExportCommand extends RunFolderCommand
{
    /** The file to send, which is made of the pages. */
    private const HTML = 'html';

    /** Suffix of a snapshot's name that the other format's replaces. */
    private const ENDINGS = '/(?:\.heap)?\.jsonl\z/';

    protected function configure(): void
    {
        $formats = sprintf("  <info>%-13s</info>%s\n", self::HTML, SharedSnapshot::OPENS);
        $names = [self::HTML, ...array_keys(HeapFormats::all())];
        foreach (HeapFormats::all() as $name => $format) {
            $formats .= sprintf("  <info>%-13s</info>%s\n", $name, $format::OPENS);
        }
        $this->setName(HeapCommand::NAME . ':export')
            ->setDescription("Write the snapshot for Chrome's DevTools or for reli's questions")
            ->setHidden()
            ->addArgument('snapshot', InputArgument::REQUIRED, HeapQuestions::SNAPSHOT)
            ->addValue('format', implode(', ', $names), null, 'f', $names)
            ->addValue('output', 'File to write, "-" for stdout [default: SNAPSHOT.EXT]', short: 'o')
            ->addValue('max-size', 'Most bytes of html [default: "2M"]')
            ->addFlag('pretty', 'Indent the JSON of reli')
            ->setHelp(
                <<<HELP
                Writes a heap snapshot as a file that other programs open:

                $formats
                The file has values of strings and scalars only if the snapshot has them. Only its owner may read it.

                  <info>xhprof heap export a.heap.jsonl --format=html</info>       one file to attach to a ticket
                  <info>xhprof heap export a.heap.jsonl --format=heapsnapshot</info>
                  <info>xhprof heap export a.heap.jsonl -f reli -o - | jq .class_objects_summary</info>
                HELP
            );
    }

    protected function perform(Arguments $given, OutputInterface $output): int
    {
        $name = $given->text('format')
            ?? throw new UsageError('--format is missing: ' . implode(', ', [self::HTML, ...array_keys(HeapFormats::all())]));
        $isPretty = $given->flag('pretty');
        if ($given->isGiven('max-size') && $name !== self::HTML) {
            throw new UsageError("--max-size is for html, not $name");
        }
        if ($name === self::HTML && !$isPretty) {
            return $this->html($given, $output);
        }
        $format = HeapFormats::named($name, $isPretty);
        if ($isPretty && $name !== Reli::NAME) {
            throw new UsageError("--pretty is for reli, not $name");
        }
        $index = HeapQuestions::open($given, $output);
        $snapshot = $given->argument('snapshot');
        $file = $given->text('output') ?? preg_replace(self::ENDINGS, '', $snapshot) . '.' . $format::EXTENSION;
        $bytes = Progress::during($output, static fn (\Closure $report): int => ExportFile::write(
            $file,
            static fn (Sink $out) => $format->write($index, $out, $report),
            true,
        ));
        if ($file !== ExportFile::STDOUT) {
            $output->writeln(Text::printable("Wrote $file, " . Units::bytes($bytes)), OutputInterface::OUTPUT_RAW);
        }

        return self::SUCCESS;
    }

    private function html(Arguments $given, OutputInterface $output): int
    {
        $text = $given->text('max-size');
        $most = $text === null ? SizedFile::USUAL : QuantityParser::bytes($text)
            ?? throw new UsageError("--max-size takes a size like \"20M\", not \"$text\"");
        $index = HeapQuestions::open($given, $output);
        $snapshot = $given->argument('snapshot');
        $made = SharedSnapshot::ofFile($snapshot, $index)->file($most);
        $file = $given->text('output') ?? preg_replace(self::ENDINGS, '', $snapshot) . '.html';
        $bytes = ExportFile::write($file, static fn (Sink $out) => $out->write($made->html), true);
        if ($file !== ExportFile::STDOUT) {
            $output->writeln(Text::printable("Wrote $file, " . Units::bytes($bytes)), OutputInterface::OUTPUT_RAW);
        }
        foreach ($made->document->leftOut as $sentence) {
            Screen::errors($output)->writeln(Text::printable("xhprof: $sentence"), OutputInterface::OUTPUT_RAW);
        }

        return self::SUCCESS;
    }
}
