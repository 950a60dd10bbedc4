<?php

declare(strict_types=1);

namespace XHProf\App;

use Symfony\Component\Console\Application as ConsoleApplication;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Command\CompleteCommand;
use Symfony\Component\Console\CommandLoader\FactoryCommandLoader;
use Symfony\Component\Console\Exception\ExceptionInterface as ConsoleException;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputDefinition;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use Throwable;
use XHProf\Cli\CliError;
use XHProf\Check\Cli\CheckCommand;
use XHProf\Cli\Command\CompletionCommand;
use XHProf\Cli\Command\HelpCommand;
use XHProf\Cli\Command\OverviewCommand;
use XHProf\Cli\MemoryLimit;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Cli\Terminal\StandardOutput;
use XHProf\Cli\UsageError;
use XHProf\Compare\Cli\DiffCommand;
use XHProf\Compare\Cli\MeanCommand;
use XHProf\Exception\RunTooLarge;
use XHProf\Exception\XHProfException;
use XHProf\Export\Cli\ExportCommand;
use XHProf\Fleet\Cli\ExemplarsCommand;
use XHProf\Fleet\Cli\FlameCommand;
use XHProf\Fleet\Cli\FleetCommand;
use XHProf\Fleet\Cli\InitCommand;
use XHProf\Fleet\Cli\QuestionCommand;
use XHProf\Fleet\Cli\RegressionsCommand;
use XHProf\Fleet\Cli\ShipCommand;
use XHProf\Format\Text;
use XHProf\Functions\Cli\ReportCommand;
use XHProf\Heap\Cli\HeapCommand;
use XHProf\Heap\Cli\HeapExportCommand;
use XHProf\Heap\Cli\HeapQuestions;
use XHProf\Import\Cli\ImportCommand;
use XHProf\Mcp\Cli\GuideCommand;
use XHProf\Mcp\Cli\McpCommand;
use XHProf\Memory\Cli\MemoryCommand;
use XHProf\Operations\Cli\OperationsCommand;
use XHProf\Requests\Cli\RequestsCommand;
use XHProf\Runs\Cli\ListCommand;
use XHProf\Runs\Cli\PruneCommand;
use XHProf\Script\ProfileLost;
use XHProf\Script\RunCommand;
use XHProf\Serve\ServeCommand;
use XHProf\Status\StatusCommand;

/**
 * The command line of XHProf. It never changes the environment (a profiled script inherits it) and turns every
 * failure into one line on stderr: exit code 2 if the command line is wrong, 1 for others.
 */
final class Application extends ConsoleApplication
{
    /** Exit code for a wrong command line. */
    public const USAGE = 2;

    /** The command to run. */
    private ?Command $started = null;

    /** @param string $root folder of this installation: bin/, extension/VERSION, xhprof_html/ are below it */
    public function __construct(public readonly string $root)
    {
        parent::__construct('xhprof');
        $commands = $this->commands();
        $this->setCommandLoader(new FactoryCommandLoader($commands + [MeanCommand::ALIAS => $commands['mean']]));
        $this->setDefaultCommand('overview');
    }

    /** Replaces the parent's run(), which puts LINES, COLUMNS and SHELL_VERBOSITY into the environment. */
    public function run(?InputInterface $input = null, ?OutputInterface $output = null): int
    {
        $input ??= CommandLine::input($this);
        $output ??= new StandardOutput();
        $input->setInteractive(false);

        try {
            $this->configureIO($input, $output);

            return min(255, max(0, $this->doRun($input, $output)));
        } catch (Throwable $error) {
            SlowNotice::clear();
            $stderr = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
            $stderr->writeln(
                'xhprof: ' . $this->oneLine($error),
                OutputInterface::VERBOSITY_QUIET | OutputInterface::OUTPUT_RAW,
            );

            // the caller must see the script's own failure
            return match (true) {
                $error instanceof ProfileLost && $error->exitCode !== 0 => $error->exitCode,
                $error instanceof UsageError, $error instanceof ConsoleException => self::USAGE,
                default => 1,
            };
        }
    }

    public function doRun(InputInterface $input, OutputInterface $output): int
    {
        // `xhprof --help` is the overview too, not the help of the overview
        if ($this->getCommandName($input) === null && !$input->hasParameterOption(['--version', '-V'], true)) {
            return $this->get('overview')->run(new CommandLine(['xhprof', 'overview']), $output);
        }

        return parent::doRun($input, $output);
    }

    protected function doRunCommand(Command $command, InputInterface $input, OutputInterface $output): int
    {
        $this->started = $command;

        return parent::doRunCommand($command, $input, $output);
    }

    public function getVersion(): string
    {
        return trim((string) file_get_contents("$this->root/extension/VERSION"));
    }

    public function getLongVersion(): string
    {
        return 'xhprof ' . $this->getVersion();
    }

    protected function configureIO(InputInterface $input, OutputInterface $output): void
    {
        Screen::setWide($input->hasParameterOption(['--wide'], true));
        if ($input->hasParameterOption(['--ansi'], true)) {
            $output->setDecorated(true);
        } elseif ($input->hasParameterOption(['--no-ansi'], true)) {
            $output->setDecorated(false);
        }
        if ($input->hasParameterOption(['--quiet', '-q'], true)) {
            $output->setVerbosity(OutputInterface::VERBOSITY_QUIET);
        } elseif ($input->hasParameterOption(['--verbose', '-v'], true)) {
            $output->setVerbosity(OutputInterface::VERBOSITY_VERBOSE);
        }
    }

    protected function getDefaultInputDefinition(): InputDefinition
    {
        return new InputDefinition([
            new InputArgument('command', InputArgument::REQUIRED, 'The command to execute'),
            new InputOption('help', 'h', InputOption::VALUE_NONE, 'Show the help of the command'),
            new InputOption('quiet', 'q', InputOption::VALUE_NONE, 'Print errors only'),
            new InputOption('verbose', 'v', InputOption::VALUE_NONE, 'Print more'),
            new InputOption('version', 'V', InputOption::VALUE_NONE, 'Print the version'),
            new InputOption('wide', '', InputOption::VALUE_NONE, 'Shorten no names and leave out no columns'),
            new InputOption('ansi', '', InputOption::VALUE_NEGATABLE, 'Force (or disable --no-ansi) colours', null),
        ]);
    }

    /** @return list<Command> none: see commands() */
    protected function getDefaultCommands(): array
    {
        return [];
    }

    /**
     * Each is made when it is asked for: most calls need one.
     *
     * @return array<string, \Closure(): Command> by name, in the order in which they are shown
     */
    private function commands(): array
    {
        return [
            'run' => fn (): Command => new RunCommand($this->root),
            'report' => static fn (): Command => ReportCommand::make(),
            'diff' => static fn (): Command => DiffCommand::make(),
            'check' => static fn (): Command => new CheckCommand(),
            'mean' => static fn (): Command => MeanCommand::make(),
            'operations' => static fn (): Command => OperationsCommand::make(),
            'requests' => static fn (): Command => RequestsCommand::make(),
            'memory' => static fn (): Command => MemoryCommand::make(),
            'leaks' => static fn (): Command => MemoryCommand::leaks(),
            'heap' => static fn (): Command => new HeapCommand(),
            'heap:summary' => static fn (): Command => HeapQuestions::summary(),
            'heap:top' => static fn (): Command => HeapQuestions::top(),
            'heap:paths' => static fn (): Command => HeapQuestions::paths(),
            'heap:retained' => static fn (): Command => HeapQuestions::retained(),
            'heap:diff' => static fn (): Command => HeapQuestions::diff(),
            'heap:leaks' => static fn (): Command => HeapQuestions::leaks(),
            'heap:strings' => static fn (): Command => HeapQuestions::strings(),
            'heap:export' => static fn (): Command => new HeapExportCommand(),
            'fleet' => static fn (): Command => new FleetCommand(),
            'fleet:services' => static fn (): Command => QuestionCommand::services(),
            'fleet:routes' => static fn (): Command => QuestionCommand::routes(),
            'fleet:trend' => static fn (): Command => QuestionCommand::trend(),
            'fleet:functions' => static fn (): Command => QuestionCommand::functions(),
            'fleet:function' => static fn (): Command => QuestionCommand::function(),
            'fleet:hosts' => static fn (): Command => QuestionCommand::hosts(),
            'fleet:leaks' => static fn (): Command => QuestionCommand::leaks(),
            'fleet:releases' => static fn (): Command => QuestionCommand::releases(),
            'fleet:labels' => static fn (): Command => QuestionCommand::labels(),
            'fleet:regressions' => static fn (): Command => new RegressionsCommand(),
            'fleet:verdicts' => static fn (): Command => QuestionCommand::verdicts(),
            'fleet:diff' => static fn (): Command => QuestionCommand::diff(),
            'fleet:exemplars' => static fn (): Command => new ExemplarsCommand(),
            'fleet:flame' => static fn (): Command => new FlameCommand(),
            'fleet:status' => static fn (): Command => QuestionCommand::status(),
            'fleet:init' => static fn (): Command => new InitCommand(false),
            'fleet:upgrade' => static fn (): Command => new InitCommand(true),
            'list' => static fn (): Command => ListCommand::make(),
            'prune' => static fn (): Command => new PruneCommand(),
            'export' => static fn (): Command => new ExportCommand(Pages::all()),
            'import' => static fn (): Command => new ImportCommand(),
            'ship' => static fn (): Command => new ShipCommand(),
            'status' => fn (): Command => new StatusCommand($this->root),
            'serve' => fn (): Command => new ServeCommand($this->root),
            'mcp' => fn (): Command => new McpCommand($this->root, $this->getVersion()),
            'guide' => static fn (): Command => new GuideCommand(),
            'overview' => static fn (): Command => new OverviewCommand(),
            'help' => static fn (): Command => new HelpCommand(),
            '_complete' => static fn (): Command => new CompleteCommand(),
            'completion' => static fn (): Command => new CompletionCommand(),
        ];
    }

    /** @return list<string> names of the commands that are shown */
    private function listed(): array
    {
        return array_keys(array_filter($this->all(), static fn (Command $command): bool => !$command->isHidden()));
    }

    private function oneLine(Throwable $error): string
    {
        $message = $error instanceof ConsoleException
            ? UsageHint::message($error, $this->listed(), $this->started)
            : $error->getMessage();
        $isExpected = $error instanceof CliError
            || $error instanceof ProfileLost
            || $error instanceof XHProfException
            || $error instanceof ConsoleException;
        if ($error instanceof RunTooLarge) {
            $message .= '; ' . MemoryLimit::VARIABLE . '=SIZE raises it';
        }
        if (!$isExpected) {
            $message = sprintf(
                'internal error: %s (%s at %s:%d)',
                $message,
                $error::class,
                basename($error->getFile()),
                $error->getLine(),
            );
        }

        return Text::printable(trim((string) preg_replace('/\s+/', ' ', $message)));
    }
}
