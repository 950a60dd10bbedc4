<?php

declare(strict_types=1);

namespace XHProf\Export\Cli;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Command\RunFolderCommand;
use XHProf\Cli\Terminal\ExportFile;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Cli\UsageError;
use XHProf\Export\ExportColumn;
use XHProf\Export\Format;
use XHProf\Compare\DiffReport;
use XHProf\Export\Csv;
use XHProf\Export\DiffCsv;
use XHProf\Export\Formats;
use XHProf\Export\XhguiDocument;
use XHProf\Export\XhguiServer;
use XHProf\File\Sink;
use XHProf\Cli\Terminal\Screen;
use XHProf\Exception\ExportTooLarge;
use XHProf\Format\QuantityParser;
use XHProf\Profile\NameRules;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Memory\LiveReport;
use XHProf\Memory\LiveTree;
use XHProf\Memory\MarkRange;
use XHProf\Memory\MemoryDump;
use XHProf\Run\ChangedRun;
use XHProf\Run\MadeRun;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;
use XHProf\Run\RunMeta;
use XHProf\Share\AllFormats;
use XHProf\Share\Html;
use XHProf\Share\SizedFile;
use XHProf\Source\SourceFiles;
use XHProf\Web\Run\PageTable;

/** Writes a run in another tool's format. */
final class ExportCommand extends RunFolderCommand
{
    /** Bytes of a file that few programs open well. */
    private const LARGE = 10 * 1024 * 1024;

    /** @param PageTable $pages of which the file of HTML is made */
    public function __construct(private readonly PageTable $pages)
    {
        parent::__construct();
    }

    protected function configure(): void
    {
        $formats = '';
        $names = array_keys(AllFormats::of($this->pages));
        foreach (AllFormats::of($this->pages) as $name => $format) {
            $formats .= sprintf("  <info>%-11s</info>%s\n", $name, $format::OPENS);
        }
        $this->setName('export')
            ->setDescription('Write a run for speedscope, pprof, KCachegrind, a spreadsheet...')
            ->addArgument('run', InputArgument::OPTIONAL, self::RUN . '; or a dump of xhprof_alloc_dump()', 'latest')
            ->addArgument('b', InputArgument::OPTIONAL, 'Another run: html and csv are then of their comparison, this one after')
            ->addValue('format', implode(', ', $names), null, 'f', $names)
            ->addValue('metric', 'Only this metric: wt, cpu, mu, pmu, ct...', short: 'm')
            ->addValue('min', "Leave out call paths below this share of the run's time: 0.1%")
            ->addValue('max-size', 'Most bytes of html: less of a large run is in it then [default: "2M"]')
            ->addFlag('with-source', 'With source lines of the heaviest functions, of html')
            ->addFlag('memory', 'Export the live memory at the end of the run, not its calls')
            ->addFlag('no-types', 'Memory by call path only, without types')
            ->addValue('after', 'Only memory that was allocated after this mark')
            ->addValue('before', 'Only memory that was allocated before this mark')
            ->addValue('output', 'File to write, "-" for stdout [default: ID.SOURCE.EXT]', short: 'o')
            ->addValue('to', 'Post the run to the XHGui server at this URL instead')
            ->addValue('token', "The server's upload token [default: \$XHGUI_UPLOAD_TOKEN]")
            ->addFlag('no-redact', 'Also post values of URL parameters, arguments and SQL')
            ->addStableNamesOption()
            ->addValue('source', 'Only look at runs of this source')
            ->addFolderOption()
            ->setHelp(
                <<<HELP
                Writes a run as a file that other programs open:

                $formats
                Formats of flame graphs need the call paths of the run. Runs of tools that record only callers and callees
                have none.

                  <info>xhprof export latest --format=html</info>                one file to attach to a ticket
                  <info>xhprof export latest --format=html --with-source</info>  and the source of its heaviest functions
                  <info>xhprof export 4f0c 91ab --format=html</info>             a comparison; 4f0c,5a11 is a mean
                  <info>xhprof export latest --format=html --max-size=20M</info>  with more call paths of a large run
                  <info>xhprof export 4f0c --format=speedscope -o run.json</info>
                  <info>xhprof export latest -f folded -m cpu -o - | flamegraph.pl > cpu.svg</info>
                  <info>xhprof export latest --to=https://xhgui.example --token=SECRET</info>

                <info>--stable-names</info> is for tools that keep profiles of many hosts and releases: a closure is the N-th of its
                function instead of that of a line, and generated names lose their hash.

                With <info>--min=0.1%</info> the figures of small call paths count to their callers: totals stay the same. In
                html the table of functions keeps all of them.

                Live memory (a dump, or a run with <info>--memory</info>) is exported in bytes and blocks. In call paths each
                type is a callee such as "[string]" of the function that holds it; in pprof it is a label. chrome gets a memory
                dump within a trace.

                  <info>xhprof export dump.json --format=pprof</info>             a file of xhprof_alloc_dump()
                  <info>xhprof export latest --memory -f folded -m live_blocks --after=1</info>

                XHGui gets calls, URL or command, method, host and time of the run. Values of the URL's parameters,
                arguments of a command, and SQL and URLs in names are not sent without <info>--no-redact</info>.
                HELP
            );
    }

    protected function perform(Arguments $given, OutputInterface $output): int
    {
        if ($given->isGiven('to')) {
            return $this->post($given, $output);
        }
        $formats = AllFormats::of($this->pages);
        $known = implode(', ', array_keys($formats));
        $name = $given->text('format') ?? throw new UsageError("--format is missing: $known");
        $format = $formats[$name] ?? throw new UsageError("there is no format \"$name\": --format takes $known");
        foreach (['max-size', 'with-source'] as $option) {
            if ($given->isGiven($option) && $name !== Html::NAME) {
                throw new UsageError("--$option is for html, not $name");
            }
        }
        $least = self::least($given, $name);
        $run = $given->argument('run');
        $isDump = MemoryDump::is($run);
        $isMemory = $given->flag('memory') || $isDump;
        if ($isDump && $given->flag('stable-names')) {
            throw new UsageError('--stable-names is for runs: a dump has no places of functions');
        }
        self::checkMemoryOptions($given, $isMemory);
        if ($given->argument('b') !== '') {
            return $this->comparison($given, $name, $least, $output);
        }
        $exported = SlowNotice::during("Reading run $run", $output, fn (): Run => $isMemory
            ? $this->memory($given, $run, $format)
            : self::exported(
                $given->store()->named($run, $given->text('source')),
                $given->flag('stable-names'),
                $format instanceof Html,
            ));
        $metric = $given->text('metric');
        if ($format instanceof Html) {
            return $this->html($given, $exported, null, $least, $output);
        }
        if ($least !== null) {
            $exported = ChangedRun::above($exported, $least) ?? throw new CliError(ExportColumn::NO_PATHS);
        }
        $file = $given->text('output') ?? Formats::fileName($exported, $format);

        return self::written($file, $name, static fn (Sink $out) => $format->write($exported, $out, $metric), $output);
    }

    /** @param \Closure(Sink): void $write */
    private static function written(string $file, string $name, \Closure $write, OutputInterface $output): int
    {
        $words = $file === ExportFile::STDOUT ? "Writing $name" : "Writing $file";
        $bytes = SlowNotice::during($words, $output, static fn (): int => ExportFile::write($file, $write));
        if ($file !== ExportFile::STDOUT) {
            $output->writeln(Text::printable("Wrote $file, " . Units::bytes($bytes)), OutputInterface::OUTPUT_RAW);
            if ($bytes > self::LARGE && in_array($name, Formats::prunable(), true)) {
                $output->writeln('--min=0.1% leaves its small call paths out', OutputInterface::OUTPUT_RAW);
            }
        }

        return self::SUCCESS;
    }

    /** Writes the file to send, and says what is missing in it. */
    private function html(Arguments $given, Run $run, ?Run $other, ?float $least, OutputInterface $output): int
    {
        if ($least !== null) {
            array_map(ExportColumn::paths(...), array_filter([$run, $other]));
        }
        $metric = $given->text('metric');
        foreach (array_filter([$run, $other]) as $one) {
            ExportColumn::metrics($one, $metric);
        }
        $roots = $given->flag('with-source') ? (string) getenv(SourceFiles::ROOTS) : null;
        $format = new Html($this->pages, self::mostBytes($given), $least, $roots === '' ? '/' : $roots);
        $made = SlowNotice::during('Making the file', $output, static fn (): SizedFile => $format->file($run, $other, $metric));
        $default = $other === null ? Formats::fileName($run, $format) : self::nameOfBoth($run, $other) . '.' . Html::EXTENSION;
        $write = static fn (Sink $out) => $out->write($made->html);
        $code = self::written($given->text('output') ?? $default, Html::NAME, $write, $output);
        foreach ($made->document->leftOut as $sentence) {
            $line = Text::printable("xhprof: $sentence --max-size raises the limit.");
            Screen::errors($output)->writeln($line, OutputInterface::OUTPUT_RAW);
        }

        return $code;
    }

    private function comparison(Arguments $given, string $name, ?float $least, OutputInterface $output): int
    {
        if (!in_array($name, [Html::NAME, Csv::NAME], true)) {
            throw new UsageError("a comparison is exported as html or csv, not as $name");
        }
        foreach (['memory', 'stable-names', 'with-source'] as $option) {
            if ($given->isGiven($option)) {
                throw new UsageError("--$option is for one run, not for a comparison");
            }
        }
        $source = $given->text('source');
        [$a, $b] = array_map(
            static fn (string $argument): Run => $given->store()->named($given->argument($argument), $source),
            ['run', 'b'],
        );
        if ($name === Html::NAME) {
            return $this->html($given, $a, $b, $least, $output);
        }
        $report = DiffReport::between($a, $b, false, NameRules::ofFile((string) getenv(NameRules::FILE)));
        $file = $given->text('output') ?? self::nameOfBoth($a, $b) . '.' . Csv::EXTENSION;

        return self::written($file, $name, static fn (Sink $out) => DiffCsv::write($report, $out), $output);
    }

    private static function nameOfBoth(Run $a, Run $b): string
    {
        return 'diff.' . ($a->id->id ?? 'a') . '.' . ($b->id->id ?? 'b');
    }

    private static function mostBytes(Arguments $given): int
    {
        $text = $given->text('max-size');

        return $text === null ? SizedFile::USUAL : QuantityParser::bytes($text)
            ?? throw new UsageError("--max-size takes a size like \"20M\", not \"$text\"");
    }

    /** @return float|null the share of --min; null without */
    private static function least(Arguments $given, string $format): ?float
    {
        $text = $given->text('min');
        $share = $text === null ? null : QuantityParser::share($text);
        if ($text !== null && ($share === null || $share <= 0 || $share > 1)) {
            throw new UsageError("--min takes a percentage like \"0.1%\", not \"$text\"");
        }
        if ($share !== null && !in_array($format, AllFormats::prunable(), true)) {
            throw new UsageError('--min is for ' . implode(', ', AllFormats::prunable()) . ", not $format");
        }

        return $share;
    }

    private function post(Arguments $given, OutputInterface $output): int
    {
        foreach (['format', 'output', 'min', 'memory', 'stable-names'] as $option) {
            if ($given->isGiven($option)) {
                throw new UsageError('--to goes with none of --format, --output, --min, --memory and --stable-names');
            }
        }
        $token = $given->text('token') ?? (string) getenv('XHGUI_UPLOAD_TOKEN');
        $server = new XhguiServer((string) $given->text('to'), $token);
        $run = $given->argument('run');
        $opened = $given->store()->named($run, $given->text('source'));
        $document = XhguiDocument::encode($opened, !$given->flag('no-redact'));
        $id = SlowNotice::during('Posting', $output, static fn (): string => $server->send($document));
        $output->writeln('Posted ' . $opened->name() . ($id === '' ? '' : "; its id there is $id"), OutputInterface::OUTPUT_RAW);

        return self::SUCCESS;
    }

    private static function checkMemoryOptions(Arguments $given, bool $isMemory): void
    {
        foreach ($isMemory ? [] : ['no-types', 'after', 'before'] as $option) {
            if ($given->isGiven($option)) {
                throw new UsageError("--$option needs --memory, or a memory dump");
            }
        }
        if ($isMemory && $given->isGiven('min')) {
            throw new UsageError('--min is for calls, not for memory');
        }
    }

    /** Exports the memory that is live at the end of a run, or in a dump. */
    private function memory(Arguments $given, string $run, Format $format): Run
    {
        if (MemoryDump::is($run)) {
            $dump = MemoryDump::fromJsonFile($run);
            [$memory, $id, $title] = [$dump->memory, null, basename($run)];
            $meta = RunMeta::fromArray(['ts' => $dump->time, 'pid' => $dump->pid]);
        } else {
            $opened = $given->store()->named($run, $given->text('source'));
            if ($given->flag('stable-names')) {
                $opened = ChangedRun::renamed($opened, self::stableNames($opened, $opened->tree()));
            }
            [$memory, $id, $meta, $title] = [$opened->memory(), $opened->id, $opened->meta(), $opened->name()];
        }
        if ($memory === null) {
            throw new CliError('this run has no allocations: ' . LiveReport::HOW_TO_RECORD);
        }
        [$after, $before] = [$given->maybe('after'), $given->maybe('before')];
        $range = $after === null && $before === null
            ? null
            : MarkRange::choose($memory->marks, $after ?? 0, $before ?? $memory->marks + 1);
        // Functions and edges would have no self bytes if all of them were below type nodes.
        $hasTypes = $format::NEEDS_PATHS && !$given->flag('no-types');
        $live = LiveTree::fromMemory($memory, $hasTypes, $range);

        return MadeRun::ofMemory($id, $title, $meta, $live);
    }

    private static function exported(Run $opened, bool $isStable, bool $isPages): Run
    {
        $run = $isPages || $opened instanceof MeanRun ? $opened : ChangedRun::corrected($opened) ?? $opened;

        return $isStable ? ChangedRun::renamed($run, self::stableNames($opened, $opened->tree())) : $run;
    }
}
