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
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\View;
use XHProf\Cli\UsageError;
use XHProf\Exception\XHProfException;
use XHProf\Format\QuantityParser;
use XHProf\Format\Text;
use XHProf\Functions\MetricOrder;
use XHProf\Profile\CallTree;
use XHProf\Profile\Metrics;
use XHProf\Profile\NameRules;
use XHProf\Report\Order;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;
use XHProf\Source\RunNames;
use XHProf\Source\SourceFiles;
use XHProf\Store\DefaultFolder;
use XHProf\Store\RunEntry;
use XHProf\Store\RunFolder;
use XHProf\Store\RunQuery;

/** Common parts of the commands that work on the run folder. */
abstract class RunFolderCommand extends Command
{
    use ProgramSynopsis;

    /** Most runs offered to a shell's completion. */
    private const OFFERED = 20;

    /** Arguments that name a run. */
    private const RUNS = ['run', 'a', 'b', 'runs'];

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
            $runs = $this->store($input)->catalog()->find(new RunQuery(), self::OFFERED)->runs;
        } catch (CliError | XHProfException) {
            return [];
        }

        return array_map(
            static fn (RunEntry $run): Suggestion => new Suggestion($run->id->id, strtr(Text::printable($run->title), "\t", ' ')),
            $runs,
        );
    }

    protected const RUN = 'A run: its id or the beginning of the id, "latest", or the file of a run';

    protected const SEVERAL = 'Several, with commas: their mean';

    /** An option without a value. */
    protected function addFlag(string $name, string $about, ?string $short = null): static
    {
        return $this->addOption($name, $short, InputOption::VALUE_NONE, $about);
    }

    /** @param list<string> $suggested to a shell's completion */
    protected function addValue(
        string $name,
        string $about,
        string|int|null $default = null,
        ?string $short = null,
        array $suggested = [],
    ): static {
        return $this->addOption($name, $short, InputOption::VALUE_REQUIRED, $about, $default, $suggested);
    }

    /** An option that may be given several times. */
    protected function addValues(string $name, string $about, ?string $short = null): static
    {
        return $this->addOption($name, $short, InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY, $about);
    }

    protected function addFolderOption(): static
    {
        return $this->addValue('output-dir', 'Folder of the runs [default: ' . DefaultFolder::ORDER . ']');
    }

    protected function addLimitOption(string $what, int $default): static
    {
        return $this->addValue('limit', "Most $what to print, 0 for all", $default, 'l');
    }

    /** Options that are the parameters `sort` and `dir` of pages. */
    /** @param list<string> $columns by which it sorts, where they are known before the report */
    protected function addOrderOptions(string $about = 'Sort by this column', ?string $default = null, array $columns = []): static
    {
        $named = $columns === [] ? $about : "$about: " . implode(', ', $columns);
        $dir = 'Direction of --sort: asc or desc [default: figures from the largest, words from A]';

        return $this->addValue('sort', $named, $default, 's', $columns)->addValue('dir', $dir, suggested: ['asc', 'desc']);
    }

    /**
     * The order that --sort and --dir ask for; null without --sort.
     *
     * @param list<string> $columns
     */
    protected static function order(InputInterface $input, array $columns): ?Order
    {
        $dir = self::text($input, 'dir') === null ? '' : self::oneOf($input, 'dir', ['asc', 'desc']);
        $isNamed = self::text($input, 'sort') !== null && $columns !== [];

        return $isNamed ? Order::fromTexts(self::oneOf($input, 'sort', $columns), $dir, $columns) : null;
    }

    protected function addCorrectedOption(): static
    {
        return $this->addFlag('corrected', "Also show times without the profiler's own cost (an estimate)");
    }

    protected function store(InputInterface $input): RunFolder
    {
        $store = new RunFolder(self::text($input, 'output-dir'));
        if (!is_dir($store->directory())) {
            throw new CliError("the folder {$store->directory()} does not exist");
        }

        return $store;
    }

    /** Prints it, or with --json its JSON. */
    protected static function show(View $view, InputInterface $input, OutputInterface $output): int
    {
        if ($input->getOption('json') === true) {
            JsonOutput::print($view->json(), $output);
        } else {
            $view->print(Screen::detect($output));
        }

        return self::SUCCESS;
    }

    /** The column to sort by, null if it was not given. */
    protected static function sort(InputInterface $input): ?string
    {
        $sort = self::text($input, 'sort');
        if ($input->getOption('corrected') !== true && Metrics::isCorrected((string) MetricOrder::base((string) $sort))) {
            throw new UsageError("--sort=$sort is a corrected time: it needs --corrected");
        }

        return $sort;
    }

    protected function addStableNamesOption(): static
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
    protected static function stableNames(Run $run, ?CallTree $tree): array
    {
        if ($run instanceof MeanRun) {
            throw new UsageError('--stable-names takes one run, not the mean of several');
        }
        $rules = NameRules::ofFile((string) getenv(NameRules::FILE));

        return RunNames::stable($run->profile(), $tree, $run->meta()->ts, SourceFiles::ofUser(), $rules);
    }

    /** The option's value, null if it was not given. An empty value is an error. */
    protected static function text(InputInterface $input, string $option): ?string
    {
        $value = $input->getOption($option);
        if ($value === null) {
            return null;
        }
        if (!is_string($value) || $value === '') {
            throw new UsageError("--$option is empty");
        }

        return $value;
    }

    /**
     * @template T of string
     *
     * @param list<T> $known
     *
     * @return T
     */
    protected static function oneOf(InputInterface $input, string $option, array $known): string
    {
        $given = self::text($input, $option) ?? '';
        $at = array_search($given, $known, true);

        return $at === false
            ? throw new UsageError("--$option takes one of " . implode(', ', $known) . ", not \"$given\"")
            : $known[$at];
    }

    protected static function number(InputInterface $input, string $option, int $most = PHP_INT_MAX): int
    {
        $value = $input->getOption($option);
        $text = is_scalar($value) ? (string) $value : '';
        if (!ctype_digit($text) || strlen($text) > 18 || (int) $text > $most) {
            $range = $most === PHP_INT_MAX ? 'a number from 0' : "a number from 0 to $most";
            throw new UsageError("--$option takes $range, not \"$text\"");
        }

        return (int) $text;
    }

    /** Seconds since 1970 of a day or a moment; null if it was not given. */
    protected static function moment(InputInterface $input, string $option, bool $isEnd): ?float
    {
        $text = self::text($input, $option);

        return $text === null ? null : QuantityParser::moment($text, $isEnd)
            ?? throw new UsageError("--$option takes something like 2026-11-21, not \"$text\"");
    }

    protected static function argument(InputInterface $input, string $name): string
    {
        $value = $input->getArgument($name);

        return is_string($value) ? $value : '';
    }

    /**
     * @return list<string>
     */
    protected static function texts(mixed $values): array
    {
        return array_values(array_filter(is_array($values) ? $values : [], is_string(...)));
    }
}
