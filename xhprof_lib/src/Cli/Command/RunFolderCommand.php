<?php

declare(strict_types=1);

namespace XHProf\Cli\Command;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Completion\CompletionInput;
use Symfony\Component\Console\Completion\CompletionSuggestions;
use Symfony\Component\Console\Completion\Suggestion;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\JsonOutput;
use XHProf\Cli\Terminal\ReportView;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\View;
use XHProf\Cli\UsageError;
use XHProf\Exception\XHProfException;
use XHProf\Format\Text;
use XHProf\Profile\CallTree;
use XHProf\Profile\NameRules;
use XHProf\Report\Report;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;
use XHProf\Source\RunNames;
use XHProf\Source\SourceFiles;
use XHProf\Store\DefaultFolder;
use XHProf\Store\RunEntry;
use XHProf\Store\RunQuery;

/** Common parts of the commands that work on the run folder. */
abstract class RunFolderCommand extends Command
{
    use ProgramSynopsis;

    /** Most runs offered to a shell's completion. */
    private const OFFERED = 20;

    /** Arguments that name a run. */
    protected const RUNS = ['run', 'a', 'b', 'runs'];

    public function complete(CompletionInput $input, CompletionSuggestions $suggestions): void
    {
        $isArgument = $input->getCompletionType() === CompletionInput::TYPE_ARGUMENT_VALUE;
        if ($isArgument && in_array($input->getCompletionName(), self::RUNS, true)) {
            $suggestions->suggestValues(['latest', ...$this->newest($input)]);
        } else {
            parent::complete($input, $suggestions);
        }
    }

    /** @return list<Suggestion> */
    private function newest(InputInterface $input): array
    {
        try {
            $runs = (new Arguments($input))->store()->catalog()->find(new RunQuery(), self::OFFERED)->runs;
        } catch (CliError | XHProfException) {
            return [];
        }

        return array_map(
            static fn (RunEntry $run): Suggestion => new Suggestion($run->id->id, strtr(Text::printable($run->title), "\t", ' ')),
            $runs,
        );
    }

    public const RUN = 'A run: its id or the beginning of the id, "latest", or the file of a run';

    public const SEVERAL = 'Several, with commas: their mean';

    abstract protected function perform(Arguments $given, OutputInterface $output): int;

    final protected function execute(InputInterface $input, OutputInterface $output): int
    {
        return $this->perform(new Arguments($input), $output);
    }

    /** An option without a value. */
    public function addFlag(string $name, string $about, ?string $short = null): static
    {
        return $this->addOption($name, $short, InputOption::VALUE_NONE, $about);
    }

    /** @param list<string> $suggested to a shell's completion */
    public function addValue(
        string $name,
        string $about,
        string|int|null $default = null,
        ?string $short = null,
        array $suggested = [],
    ): static {
        return $this->addOption($name, $short, InputOption::VALUE_REQUIRED, $about, $default, $suggested);
    }

    /** An option that may be given several times. */
    public function addValues(string $name, string $about, ?string $short = null): static
    {
        return $this->addOption($name, $short, InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY, $about);
    }

    public function addFolderOption(): static
    {
        return $this->addValue('output-dir', 'Folder of the runs [default: ' . DefaultFolder::ORDER . ']');
    }

    public function addLimitOption(string $what, int $default): static
    {
        return $this->addValue('limit', "Most $what to print, 0 for all", $default, 'l');
    }

    /**
     * Options that are the parameters `sort` and `dir` of pages.
     *
     * @param list<string> $columns by which it sorts, where they are known before the report
     */
    public function addOrderOptions(string $about = 'Sort by this column', ?string $default = null, array $columns = []): static
    {
        $named = $columns === [] ? $about : "$about: " . implode(', ', $columns);
        $dir = 'Direction of --sort: asc or desc [default: figures from the largest, words from A]';

        return $this->addValue('sort', $named, $default, 's', $columns)->addValue('dir', $dir, suggested: ['asc', 'desc']);
    }

    public function addCorrectedOption(): static
    {
        return $this->addFlag('corrected', "Also show times without the profiler's own cost (an estimate)");
    }

    /** Prints it, or with --json its JSON, with --markdown its Markdown. */
    protected static function show(View|Report $answer, Arguments $given, OutputInterface $output): int
    {
        $view = $answer instanceof Report ? new ReportView($answer) : $answer;
        $isMarkdown = $given->has('markdown') && $given->flag('markdown');
        if ($isMarkdown && $given->flag('json')) {
            throw new UsageError('--json and --markdown exclude each other');
        }
        if ($isMarkdown) {
            $output->write($view->markdown(), false, OutputInterface::OUTPUT_RAW);
        } elseif ($given->flag('json')) {
            JsonOutput::print($view->json(), $output);
        } else {
            $view->print(Screen::detect($output));
        }

        return self::SUCCESS;
    }

    public function addStableNamesOption(): static
    {
        return $this->addFlag('stable-names', 'Names that other hosts and releases share: App\Route::map{closure#2}');
    }

    /**
     * The run under names that other hosts and releases share. Source files are asked where closures are written.
     *
     * @param CallTree|null $tree of the run
     *
     * @return array<string, string> as Profile::renamed() takes it
     */
    public static function stableNames(Run $run, ?CallTree $tree): array
    {
        if ($run instanceof MeanRun) {
            throw new UsageError('--stable-names takes one run, not the mean of several');
        }
        $rules = NameRules::ofFile((string) getenv(NameRules::FILE));

        return RunNames::stable($run->profile(), $tree, $run->meta()->ts, SourceFiles::ofUser(), $rules);
    }
}
