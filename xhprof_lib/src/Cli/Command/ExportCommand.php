<?php

declare(strict_types=1);

namespace XHProf\Cli\Command;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\OpenedRun;
use XHProf\Cli\RunOpener;
use XHProf\Cli\Terminal\ExportFile;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Cli\UsageError;
use XHProf\Export\ExportedRun;
use XHProf\Export\Formats;
use XHProf\Export\Sink;
use XHProf\Export\XhguiDocument;
use XHProf\Export\XhguiServer;
use XHProf\Format\Text;
use XHProf\Format\Typed;
use XHProf\Format\Units;

/** Writes a run in another tool's format. */
final class ExportCommand extends RunFolderCommand
{
    protected function configure(): void
    {
        $formats = '';
        $names = array_keys(Formats::all());
        foreach (Formats::all() as $name => $format) {
            $formats .= sprintf("  <info>%-11s</info>%s\n", $name, $format->opens());
        }
        $this->setName('export')
            ->setDescription('Write a run for speedscope, pprof, KCachegrind, a spreadsheet...')
            ->addArgument('run', InputArgument::OPTIONAL, RunOpener::HELP, 'latest')
            ->addOption('format', 'f', InputOption::VALUE_REQUIRED, implode(', ', $names), null, $names)
            ->addOption('metric', 'm', InputOption::VALUE_REQUIRED, 'Only this figure: wt, cpu, mu, pmu, ct...')
            ->addOption('min', null, InputOption::VALUE_REQUIRED, "Leave out call paths below this share of the run's time: 0.1%")
            ->addOption('output', 'o', InputOption::VALUE_REQUIRED, 'File to write, "-" for stdout [default: ID.SOURCE.EXT]')
            ->addOption('to', null, InputOption::VALUE_REQUIRED, 'Post the run to the XHGui server at this URL instead')
            ->addOption('token', null, InputOption::VALUE_REQUIRED, 'Its XHGUI_UPLOAD_TOKEN; that variable may hold it here too')
            ->addOption('no-redact', null, InputOption::VALUE_NONE, 'Post values of URL parameters, arguments and SQL too')
            ->addOption('source', null, InputOption::VALUE_REQUIRED, 'Only look at runs of this source')
            ->addFolderOption()
            ->setHelp(
                <<<HELP
                Writes a run as a file that other programs open:

                $formats
                Those of flame graphs need the call paths of the run. Runs of tools that only know which function calls
                which have none, and none are made up.

                  <info>xhprof export latest --format=html</info>                one file to attach to a ticket
                  <info>xhprof export 4f0c --format=speedscope -o run.json</info>
                  <info>xhprof export latest -f folded -m cpu -o - | flamegraph.pl > cpu.svg</info>
                  <info>xhprof export latest --to=https://xhgui.example --token=SECRET</info>

                With <info>--min=0.1%</info> what small call paths took is their caller's own, so that totals stay the same.

                XHGui gets calls, URL or command, method, host and time of the run. Values of the URL's parameters, the
                arguments of a command, SQL and URLs in names stay here unless <info>--no-redact</info> is given.
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        if ($input->getOption('to') !== null) {
            return $this->post($input, $output);
        }
        $name = self::text($input, 'format')
            ?? throw new UsageError('--format is missing: ' . implode(', ', array_keys(Formats::all())));
        $format = Formats::named($name);
        $least = self::least($input, $name);
        $run = self::argument($input, 'run');
        $opener = new RunOpener($this->store($input));
        $exported = SlowNotice::during("Reading run $run", $output, static fn (): ExportedRun => self::exported(
            self::open($opener, $run, self::text($input, 'source'), $output),
            self::text($input, 'metric'),
        ));
        $exported = $least === null ? $exported : $exported->above($least);
        $file = self::text($input, 'output') ?? Formats::fileName($exported, $format);
        $bytes = SlowNotice::during(
            $file === ExportFile::STDOUT ? "Writing $name" : "Writing $file",
            $output,
            static fn (): int => ExportFile::write($file, static fn (Sink $out) => $format->write($exported, $out)),
        );
        if ($file !== ExportFile::STDOUT) {
            $output->writeln(Text::printable("Wrote $file, " . Units::bytes($bytes)), OutputInterface::OUTPUT_RAW);
        }

        return self::SUCCESS;
    }

    /** @return float|null the share of --min; null without */
    private static function least(InputInterface $input, string $format): ?float
    {
        $text = self::text($input, 'min');
        $share = $text === null ? null : Typed::share($text);
        if ($text !== null && ($share === null || $share <= 0 || $share > 1)) {
            throw new UsageError("--min takes a percentage like \"0.1%\", not \"$text\"");
        }
        if ($share !== null && !in_array($format, Formats::prunable(), true)) {
            throw new UsageError('--min is for ' . implode(', ', Formats::prunable()) . ", not $format");
        }

        return $share;
    }

    private function post(InputInterface $input, OutputInterface $output): int
    {
        foreach (['format', 'output', 'min'] as $option) {
            if ($input->getOption($option) !== null) {
                throw new UsageError('--to excludes --format, --output and --min');
            }
        }
        $token = self::text($input, 'token') ?? (string) getenv('XHGUI_UPLOAD_TOKEN');
        $server = new XhguiServer((string) self::text($input, 'to'), $token);
        $run = self::argument($input, 'run');
        $opened = self::open(new RunOpener($this->store($input)), $run, self::text($input, 'source'), $output);
        $exported = new ExportedRun($opened->id, $opened->profile, null, $opened->meta, $opened->subject());
        $document = XhguiDocument::of($exported, $input->getOption('no-redact') !== true);
        $id = SlowNotice::during('Posting', $output, static fn (): string => $server->send($document));
        $output->writeln('Posted ' . $opened->name() . ($id === '' ? '' : ", which is $id there"), OutputInterface::OUTPUT_RAW);

        return self::SUCCESS;
    }

    private static function exported(OpenedRun $opened, ?string $metric): ExportedRun
    {
        return $opened->id === null
            ? new ExportedRun(null, $opened->profile, null, $opened->meta, basename($opened->file), null, $metric)
            : ExportedRun::of($opened->store, $opened->id, $opened->profile, $opened->meta, $metric);
    }
}
