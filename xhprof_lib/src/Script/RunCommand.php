<?php

declare(strict_types=1);

namespace XHProf\Script;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Command\RunFolderCommand;
use XHProf\Cli\JsonOutput;
use XHProf\Cli\Terminal\FileOutput;
use XHProf\Cli\Terminal\ReportView;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Cli\UsageError;
use XHProf\Format\QuantityParser;
use XHProf\Functions\FunctionsReport;
use XHProf\Functions\MetricOrder;
use XHProf\Functions\RunHead;
use XHProf\Memory\LiveReport;
use XHProf\Profile\Metrics;
use XHProf\Report\Order;
use XHProf\Report\Report;
use XHProf\Run\ChangedRun;
use XHProf\Store\DefaultFolder;
use XHProf\Store\RunFolder;

/** Profiles a script. */
final class RunCommand extends RunFolderCommand
{
    /** Call paths in the short report of memory. */
    private const PATHS = 5;

    /** Options of a profile of every call. */
    private const EXACT_ONLY = [
        'wall-only', 'cpu', 'memory', 'alloc', 'native', 'timeline', 'no-builtins', 'flags', 'ignore', 'run-init', 'corrected',
    ];

    /** Least µs between two samples. */
    private const MIN_INTERVAL = 100;
    private const MAX_INTERVAL = 60000000;

    private const CPU = 2;
    private const MEMORY = 4;
    private const ALLOC = 8;
    private const TIMELINE = 16;
    private const ALL_FLAGS = 31;

    /** Most µs of a timeline's threshold: an hour. */
    private const MAX_THRESHOLD = 3600000000;

    public function __construct(private readonly string $root)
    {
        parent::__construct();
    }

    protected function configure(): void
    {
        $this->setName('run')
            ->setDescription('Profile a PHP script and save the run')
            ->addArgument(
                'script',
                InputArgument::REQUIRED,
                'The script, which needs no change; - for standard input, -r for the code that follows',
            )
            ->addArgument('args', InputArgument::IS_ARRAY, "The script's arguments and options")
            ->addFlag('wall-only', 'Record neither CPU time nor memory')
            ->addFlag('cpu', 'Record CPU time (the default)')
            ->addFlag('memory', 'Record memory and its peak (the default)')
            ->addFlag('alloc', 'Record who allocates memory and still holds it at the end')
            ->addFlag('native', 'With --alloc: also memory that C code allocates by malloc()')
            ->addOption(
                'timeline',
                null,
                InputOption::VALUE_OPTIONAL,
                'Record when calls began and ended (--timeline=50us: those of 50us or more)',
                false,
            )
            ->addOption(
                'sample',
                null,
                InputOption::VALUE_OPTIONAL,
                'Sample the call path every 1ms (--sample=500us) instead of recording every call',
                false,
            )
            ->addValue('clock', 'With --sample: wall or cpu time [default: "wall"]')
            ->addFlag('lines', 'With --sample: also record lines')
            ->addFlag('no-builtins', "Leave out PHP's own functions")
            ->addValue('flags', 'A sum of 1 no builtins, 2 CPU, 4 memory, 8 allocations, 16 timeline')
            ->addValues('ignore', 'Function whose time goes to its caller')
            ->addFlag('run-init', 'No effect, for old scripts: run_init:: is always shown')
            ->addValue('source', 'Source (group) to save the run under', 'xhprof')
            ->addValues('meta', 'KEY=VALUE to save with the run')
            ->addFolderOption()
            ->addFlag('no-save', 'Print the profile, save no run')
            ->addValue('sort', 'Column to sort by [default: "excl_wt"]', short: 's')
            ->addLimitOption('functions', 25)
            ->addCorrectedOption()
            ->addFlag('json', 'Print the profile as JSON')
            ->addValue('report-to', 'Print the profile to this file, not to stderr')
            ->addValues('php-option', 'Option of the php that runs the script: KEY=VALUE, "-c FILE", "-n"', 'd')
            ->setHelp(
                <<<'HELP'
                Runs the script in a separate php, as <info>php script.php args...</info> would, and profiles it from
                its first line to its last destructor. Its input and output are untouched; the profile goes to stderr
                at the end. The exit code is the script's (128 + n after signal n). The profile is also saved after
                exit(), an uncaught exception, a fatal error, Ctrl-C or SIGTERM.

                Everything after the script's name belongs to the script. With <info>-q</info> only the id of the run is printed.

                  <info>xhprof run script.php</info>
                  <info>xhprof run -- bin/console cache:clear --env=prod</info>
                  <info>xhprof run -- -r 'echo md5("a");'</info>             as php -r; - reads a script as php does
                  <info>xhprof run --alloc script.php</info>                who holds the memory
                  <info>xhprof run --timeline script.php</info>             when each call began and ended
                  <info>xhprof run --sample --lines script.php</info>       at next to no cost
                  <info>xhprof run --no-builtins --ignore='App\Proxy::__call' script.php</info>
                  <info>xhprof run -d memory_limit=1G --source=nightly vendor/bin/phpunit</info>
                  <info>xhprof run -q --report-to=id.txt script.php</info>   for CI: the id goes to a file
                  <info>xhprof run --json --report-to=profile.json --no-save script.php</info>
                HELP
            );
    }

    protected function perform(Arguments $given, OutputInterface $output): int
    {
        $errors = Screen::errors($output);
        $limit = $given->number('limit');
        $sort = $given->sort();
        $flags = $this->flags($given);
        $corrected = $given->flag('corrected');
        $sampling = self::sampling($given);
        $times = match ($sampling['clock'] ?? null) {
            null => ['wt', ...($flags & self::CPU ? ['cpu'] : [])],
            'cpu' => ['cpu'],
            default => ['wt'],
        };
        // checked first: a mistake in an option must not cost a run
        MetricOrder::sort($sort, [
            ...$times,
            ...($corrected ? array_map(Metrics::corrected(...), $times) : []),
            ...($flags & self::MEMORY ? ['mu', 'pmu'] : []),
        ]);
        $report = $this->reportOutput($given, $errors);
        $runtime = new PhpRuntime($this->root, RunSettings::phpOptions($given->texts('php-option')));
        [$program, $arguments] = RunSettings::typed(
            $given->argument('script'),
            $given->arguments('args'),
        );
        $settings = new RunSettings(
            script: $program,
            arguments: $arguments,
            flags: $flags,
            ignored: $given->texts('ignore'),
            runInit: $given->flag('run-init'),
            source: $given->text('source') ?? 'xhprof',
            meta: RunSettings::meta($given->texts('meta')),
            directory: $this->directory($given, $runtime),
            native: $given->flag('native'),
            sampling: $sampling,
            timelineThreshold: self::timelineThreshold($given),
        );
        if ($sampling !== null && !$runtime->records('samples')) {
            throw new CliError("this extension cannot sample with options; {$runtime->remedy()}");
        }
        if (($flags & self::ALLOC) !== 0 && !$runtime->records('alloc')) {
            throw new CliError("this extension cannot record allocations; {$runtime->remedy()}");
        }
        if (($flags & self::TIMELINE) !== 0 && !$runtime->records('timeline')) {
            throw new CliError("this extension cannot record timelines; {$runtime->remedy()}");
        }
        if ($settings->native) {
            // reports a missing library before the script runs
            $runtime->mallocLibrary();
        }
        $modes = $runtime->xdebugModes();
        $script = new ProfiledScript($runtime, $settings);
        try {
            $exitCode = $script->run();
            [$view, $memory] = SlowNotice::during(
                'Reading the run',
                $output,
                static fn (): array => self::views($script, $corrected, $sort, $limit, ($flags & self::ALLOC) !== 0),
            );
            $unwritten = null;
            $isJson = $given->flag('json');
            try {
                // For scripts: one line, and none if no run is kept.
                if (!$output->isQuiet() || $isJson) {
                    $this->print($view, $memory, $script->isWhole(), $isJson, $report);
                } elseif ($settings->directory !== null) {
                    $report->writeln($script->runId()->id, OutputInterface::OUTPUT_RAW | OutputInterface::VERBOSITY_QUIET);
                }
            } catch (CliError $error) {
                // the run itself is complete
                $unwritten = new ProfileLost($error->getMessage(), $exitCode);
            }
            if ($corrected && !isset($view->json()['corrected'])) {
                $errors->writeln('xhprof: ' . RunHead::NOT_CORRECTED);
            }
            if (($flags & self::ALLOC) !== 0 && $memory === null) {
                $errors->writeln('xhprof: the script recorded no allocations in the profile that it started itself');
            }
            if (!$script->isWhole()) {
                $errors->writeln('xhprof: the script started its own profile: this run ends there');
            }
            if ($script->killedBy() !== null) {
                $errors->writeln("xhprof: the script was killed by {$script->killedBy()}: this run ends there");
            }
            if ($modes !== '') {
                $errors->writeln("Xdebug is on ($modes) and its cost is in these times; XDEBUG_MODE=off turns it off");
            }
            if ($settings->directory !== null) {
                $this->printLocation($script, $memory !== null, $given, $errors);
            }
            if ($unwritten !== null) {
                throw $unwritten;
            }
        } finally {
            $script->cleanUp();
        }

        return $exitCode;
    }

    /**
     * Shows the run without corrected times if they were asked for and there are none.
     *
     * @return array{ReportView, Report|null}
     */
    private static function views(ProfiledScript $script, bool $corrected, ?string $sort, int $limit, bool $alloc): array
    {
        $run = $script->store()->open($script->runId());
        $both = $corrected ? ChangedRun::corrected($run) : null;
        $base = MetricOrder::base((string) $sort);
        if ($both === null && $base !== null && Metrics::isCorrected($base)) {
            $sort = str_replace($base, Metrics::counterpart($base), (string) $sort);
        }
        $memory = $alloc ? $run->memory() : null;

        return [
            new ReportView((new FunctionsReport($both ?? $run, $sort, $limit))->report()),
            $memory === null ? null : (new LiveReport($memory))->report(new Order(LiveReport::USUAL), self::PATHS, isBrief: true),
        ];
    }

    private function print(
        ReportView $view,
        ?Report $memory,
        bool $isWhole,
        bool $json,
        OutputInterface $output,
    ): void {
        if ($json) {
            $memory = $memory === null ? [] : ['memory' => $memory->json()];
            JsonOutput::print($view->json() + ['partial' => !$isWhole] + $memory, $output);

            return;
        }
        $screen = Screen::detect($output);
        if ($screen->isTerminal) {
            $output->writeln('');
        }
        $view->print($screen);
        if ($memory !== null) {
            $screen->writeln('');
            (new ReportView($memory))->print($screen);
        }
    }

    private function printLocation(ProfiledScript $script, bool $memory, Arguments $given, OutputInterface $errors): void
    {
        $folder = $given->text('output-dir');
        $option = $folder === null ? '' : ' --output-dir=' . self::shellWord($folder);
        $xhprof = self::shellWord(self::program());
        $id = $script->runId();
        $errors->writeln([
            sprintf('Saved as run %s in %s', $id->id, $script->store()->directory()),
            sprintf('See what to look at first: %s report %s --findings%s', $xhprof, substr($id->id, 0, 8), $option),
            sprintf('See it: %s report %s%s', $xhprof, substr($id->id, 0, 8), $option),
            ...($memory ? [sprintf('    or: %s memory %s%s', $xhprof, substr($id->id, 0, 8), $option)] : []),
            sprintf('    or: %s serve%s', $xhprof, $option),
        ], OutputInterface::OUTPUT_RAW);
    }

    /** This program as its user can type it: by its name, where a shell finds it by that. */
    private static function program(): string
    {
        $program = is_string($_SERVER['argv'][0] ?? null) ? $_SERVER['argv'][0] : 'xhprof';
        $name = basename($program);
        foreach (explode(PATH_SEPARATOR, (string) getenv('PATH')) as $folder) {
            if ($folder !== '' && is_file("$folder/$name") && is_executable("$folder/$name")) {
                return realpath("$folder/$name") === realpath($program) ? $name : $program;
            }
        }

        return $program;
    }

    private function flags(Arguments $given): int
    {
        $isWallOnly = $given->flag('wall-only');
        foreach ($isWallOnly ? ['cpu', 'memory', 'flags'] : [] as $option) {
            if ($given->isGiven($option)) {
                throw new UsageError("--wall-only and --$option exclude each other");
            }
        }
        $flags = match (true) {
            $given->isGiven('flags') => $given->number('flags', self::ALL_FLAGS),
            $isWallOnly || $given->given('sample') !== false => 0,
            default => self::CPU | self::MEMORY,
        };
        $bits = ['no-builtins' => 1, 'cpu' => self::CPU, 'memory' => self::MEMORY, 'alloc' => self::ALLOC, 'native' => self::ALLOC];
        foreach ($bits as $option => $bit) {
            $flags |= $given->flag($option) ? $bit : 0;
        }
        $flags |= $given->given('timeline') === false ? 0 : self::TIMELINE;

        return $flags;
    }

    /** @return int|null µs; null for that of the settings */
    private static function timelineThreshold(Arguments $given): ?int
    {
        $given = $given->given('timeline');
        if (!is_string($given) || $given === '') {
            return null;
        }
        $us = $given === '0' ? 0 : QuantityParser::timeWithUnit($given);

        return $us === null || $us > self::MAX_THRESHOLD
            ? throw new UsageError("--timeline takes a time up to an hour, like --timeline=20us, not \"$given\"")
            : $us;
    }

    /**
     * @return array{interval: int, clock: string, lines: bool}|null null if every call is to be recorded
     */
    private static function sampling(Arguments $given): ?array
    {
        $interval = $given->given('sample');
        if ($interval === false) {
            foreach (['clock', 'lines'] as $option) {
                if ($given->isGiven($option)) {
                    throw new UsageError("--$option needs --sample");
                }
            }

            return null;
        }
        foreach (self::EXACT_ONLY as $option) {
            if ($given->isGiven($option)) {
                throw new UsageError("--sample and --$option exclude each other: sampling counts no calls");
            }
        }
        $us = QuantityParser::timeWithUnit(is_string($interval) && $interval !== '' ? $interval : '1ms');
        if ($us === null || $us < self::MIN_INTERVAL || $us > self::MAX_INTERVAL) {
            throw new UsageError("--sample takes a time from 100us to 60s, like --sample=1ms or --sample=500us, not \"$interval\"");
        }
        $clock = $given->text('clock') ?? 'wall';
        if (!in_array($clock, ['wall', 'cpu'], true)) {
            throw new UsageError("--clock takes wall or cpu, not \"$clock\"");
        }

        return ['interval' => $us, 'clock' => $clock, 'lines' => $given->flag('lines')];
    }

    /** The folder to save in, created if it is missing; null if the run is not kept. */
    private function directory(Arguments $given, PhpRuntime $runtime): ?string
    {
        if ($given->flag('no-save')) {
            return null;
        }
        $named = DefaultFolder::named($given->text('output-dir'), $runtime->outputDirectory());
        $directory = (new RunFolder($named))->directory();
        if (!is_dir($directory) && !@mkdir($directory, 0750, true) && !is_dir($directory)) {
            throw new CliError("cannot make the folder $directory");
        }
        if (!is_writable($directory)) {
            throw new CliError("cannot write to the folder $directory");
        }

        return (string) realpath($directory);
    }

    /** Opened before the script runs, so that a failure does not cost a run. */
    private function reportOutput(Arguments $given, OutputInterface $errors): OutputInterface
    {
        $file = $given->text('report-to');
        if ($file === null) {
            return $errors;
        }
        $stream = @fopen($file, 'we');
        if ($stream === false) {
            throw new CliError("cannot write to $file");
        }

        return new FileOutput($stream, $file);
    }

    private static function shellWord(string $text): string
    {
        return preg_match('~^[A-Za-z0-9_./:@%+=-]+$~D', $text) === 1 ? $text : escapeshellarg($text);
    }
}
