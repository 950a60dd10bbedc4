<?php

declare(strict_types=1);

namespace XHProf\Check\Cli;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\BufferedOutput;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Check\Addresses;
use XHProf\Check\Baseline;
use XHProf\Check\Budget;
use XHProf\Check\BudgetsFile;
use XHProf\Check\Checker;
use XHProf\Check\CheckReport;
use XHProf\Check\Output\GitHubAnnotations;
use XHProf\Check\Output\GitLabQuality;
use XHProf\Check\Output\JUnit;
use XHProf\Check\Output\MarkdownAnswer;
use XHProf\Check\Subjects;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Command\RunFolderCommand;
use XHProf\Cli\JsonOutput;
use XHProf\Cli\Terminal\ExportFile;
use XHProf\Cli\Terminal\ReportView;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Cli\UsageError;
use XHProf\Compare\Cli\DiffCommand;
use XHProf\Exception\InvalidCheck;
use XHProf\File\Sink;
use XHProf\Format\ClosestWord;
use XHProf\Store\RunFolder;

/** Holds runs against budgets and a baseline, for CI. */
final class CheckCommand extends RunFolderCommand
{
    /** Exit code if a limit is not kept, as for `diff --fail-over`. */
    public const NOT_KEPT = DiffCommand::OVER_BUDGET;

    public const BASELINE = 'xhprof-baseline.json';

    private const SEVERAL_VALUES = InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY;

    private const FORMATS = ['text', 'markdown', 'github', 'junit', 'gitlab', 'json'];

    protected function configure(): void
    {
        $formats = 'Form of the answer, FORM or FORM:FILE: ' . implode(', ', self::FORMATS);
        $written = 'Write what they take to this file [default: "' . self::BASELINE . '"]';
        $this->setName('check')
            ->setDescription('Hold runs against budgets and a baseline, for CI')
            ->addArgument('runs', InputArgument::IS_ARRAY | InputArgument::REQUIRED, self::RUN . ', or a folder of runs')
            ->addValue('budgets', 'File with what runs may take', short: 'b')
            ->addValue('baseline', 'File with what they took before')
            ->addOption('write-baseline', null, InputOption::VALUE_OPTIONAL, $written, false)
            ->addFlag('partial', 'Budgets, and parts of the baseline, may have no run here')
            ->addOption('format', 'f', self::SEVERAL_VALUES, $formats, [], self::FORMATS)
            ->addValue('root', 'Folder of the sources: files are named from there [default: this folder]')
            ->addValue('url', 'Address of the pages, for links to runs')
            ->addValue('source', 'Only look at runs of this source')
            ->addFolderOption()
            ->setHelp(
                <<<'HELP'
                Looks at each limit of the budgets and says which runs do not keep it. The exit code is 3 then. A file of
                budgets is JSON; docs/ci.md has all of it:

                  { "budgets": [ { "route": "GET /reviews",
                                   "limits": { "calls": 2000, "sql": 10, "sql in loops": 0, "peak": "32M",
                                               "calls of Shop\\Cart::total": 20, "wall": ["200 ms", "+10%"] },
                                   "findings": "none new" } ] }

                Counts are the same in each run of the same work. Times need several runs on each side, and are tested as
                <info>xhprof diff</info> tests them; "+10%" is the growth from the baseline.

                  <info>xhprof check latest --budgets=budgets.json</info>
                  <info>xhprof check runs/ --write-baseline</info>                  on the main branch
                  <info>xhprof check runs/ -b budgets.json --baseline=xhprof-baseline.json</info>
                  <info>xhprof check runs/ -b budgets.json -f text -f markdown:summary.md -f junit:junit.xml</info>

                A limit that nothing was recorded for is not kept. What the files name and no run has (a route, a key, a
                unit) is refused with its line: exit code 2.
                HELP
            );
    }

    protected function perform(Arguments $given, OutputInterface $output): int
    {
        $formats = self::formats($given->texts('format'));
        $write = $given->given('write-baseline');
        $write = $write === false ? null : (is_string($write) && $write !== '' ? $write : self::BASELINE);
        [$budgets, $baseline] = [$given->text('budgets'), $given->text('baseline')];
        if ($budgets === null && $baseline === null && $write === null) {
            throw new UsageError('give --budgets=FILE or --baseline=FILE, or write a baseline with --write-baseline');
        }
        try {
            return $this->checked($given, $output, $formats, $budgets, $baseline, $write);
        } catch (InvalidCheck $e) {
            throw new UsageError($e->getMessage(), 0, $e);
        }
    }

    /** @param array<string, value-of<self::FORMATS>> $formats by file */
    private function checked(
        Arguments $given,
        OutputInterface $output,
        array $formats,
        ?string $budgetsFile,
        ?string $baselineFile,
        ?string $write,
    ): int {
        $budgets = $budgetsFile === null ? [] : BudgetsFile::read($budgetsFile);
        // What is written again keeps times that have not changed.
        $kept = $baselineFile ?? ($write !== null && is_file($write) ? $write : null);
        $baseline = $kept === null ? null : Baseline::read($kept);
        if ($budgets === [] && $baselineFile !== null && $write === null) {
            $budgets = [Budget::usual()];
        }
        $subjects = SlowNotice::during(
            'Reading the runs',
            $output,
            static fn (): array => Subjects::find(self::store($given), $given->arguments('runs'), $given->text('source')),
        );
        $checker = new Checker($subjects, $budgets, $baseline, $given->flag('partial'));
        if ($write !== null) {
            $json = $checker->baseline()->json();
            ExportFile::write($write, static fn (Sink $out) => $out->write($json));
            $count = count($subjects);
            Screen::errors($output)->writeln(
                "xhprof: wrote the baseline of $count " . ($count === 1 ? 'subject' : 'subjects') . " to $write",
                OutputInterface::OUTPUT_RAW,
            );

            return self::SUCCESS;
        }
        $addresses = new Addresses($given->text('url') ?? '', $given->text('output-dir') ?? '', self::root($given));
        $results = SlowNotice::during('Reading the runs', $output, $checker->check(...));
        $report = new CheckReport($results, $checker->notes(), $addresses);
        foreach ($formats as $file => $format) {
            self::write($report, $format, (string) $file, $output);
        }

        return $report->isPassed() ? self::SUCCESS : self::NOT_KEPT;
    }

    /** The folder of the runs, which need not be there where all that is named are files and folders. */
    private static function store(Arguments $given): RunFolder
    {
        $isPath = static fn (string $name): bool => is_dir($name) || is_file($name);
        $others = array_filter($given->arguments('runs'), static fn (string $name): bool => !$isPath($name));

        return $others === [] ? new RunFolder($given->text('output-dir')) : $given->store();
    }

    /**
     * @param list<string> $given
     *
     * @return array<string, value-of<self::FORMATS>> by file; '-' for standard output, which has text unless another form is for it
     */
    private static function formats(array $given): array
    {
        $formats = [];
        foreach ($given as $text) {
            [$format, $file] = explode(':', $text, 2) + [1 => ExportFile::STDOUT];
            $at = array_search($format, self::FORMATS, true);
            if ($at === false) {
                throw new UsageError("--format takes one of " . implode(', ', self::FORMATS) . ", not \"$format\""
                    . ClosestWord::hint($format, self::FORMATS));
            }
            if ($file === '') {
                throw new UsageError("--format=$format: names no file; without the colon it is printed");
            }
            if (isset($formats[$file])) {
                $where = $file === ExportFile::STDOUT ? 'standard output' : $file;
                throw new UsageError("--format: $formats[$file] and $format would both go to $where; name a file: $format:FILE");
            }
            $formats[$file] = self::FORMATS[$at];
        }

        return $formats + [ExportFile::STDOUT => 'text'];
    }

    private static function root(Arguments $given): string
    {
        $root = $given->text('root');
        if ($root !== null && !is_dir($root)) {
            throw new UsageError("--root: the folder $root does not exist");
        }
        foreach ([$root, getenv('GITHUB_WORKSPACE'), getenv('CI_PROJECT_DIR'), getcwd()] as $folder) {
            if (is_string($folder) && $folder !== '') {
                // A container may have it elsewhere than the one in which the runs were made.
                return rtrim(realpath($folder) ?: $folder, '/');
            }
        }

        return '';
    }

    /** @param value-of<self::FORMATS> $format */
    private static function write(CheckReport $check, string $format, string $file, OutputInterface $output): void
    {
        if ($format === 'text' && $file === ExportFile::STDOUT) {
            (new ReportView($check->report()))->print(Screen::detect($output));

            return;
        }
        $text = match ($format) {
            'text' => self::plain($check),
            'markdown' => MarkdownAnswer::write($check),
            'github' => GitHubAnnotations::write($check),
            'junit' => JUnit::write($check),
            'gitlab' => GitLabQuality::write($check),
            'json' => JsonOutput::encode($check->report()->json()) . "\n",
        };
        if ($file === ExportFile::STDOUT) {
            $output->write($text, false, OutputInterface::OUTPUT_RAW);
        } else {
            ExportFile::write($file, static fn (Sink $out) => $out->write($text));
        }
    }

    private static function plain(CheckReport $check): string
    {
        $buffer = new BufferedOutput();
        (new ReportView($check->report()))->print(new Screen($buffer, Screen::UNBOUNDED));

        return $buffer->fetch();
    }
}
