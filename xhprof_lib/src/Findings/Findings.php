<?php

declare(strict_types=1);

namespace XHProf\Findings;

use XHProf\Functions\FlatReport;
use XHProf\Functions\FunctionPlaces;
use XHProf\Functions\RunHead;
use XHProf\Memory\MemoryProfile;
use XHProf\Operations\OperationReport;
use XHProf\Profile\OperationFunctions;
use XHProf\Profile\Profile;
use XHProf\Profile\SampleCount;
use XHProf\Profile\TimeParts;
use XHProf\Profile\TimeSplit;
use XHProf\Report\Finding as Shown;
use XHProf\Report\FindingList;
use XHProf\Report\Report;
use XHProf\Run\RequestWindow;
use XHProf\Run\Run;
use XHProf\Run\RunTimes;

/** What to look at first in a run: the findings of all rules, the heaviest first. */
final class Findings
{
    /** More would be a list to read and not an answer. */
    public const MOST = 5;

    /** What decides beside the rules. */
    private const JUDGES = [
        self::class, Evidence::class, Finding::class, OperationFunctions::class, TimeSplit::class, TimeParts::class,
        RunTimes::class,
    ];

    /** @return list<Rule> */
    public static function rules(): array
    {
        return [
            new RepeatedOperations(),
            new SlowOperation(),
            new DominantFunction(),
            new LoadingCode(),
            new GarbageCollection(),
            new ThrownOften(),
            new DeepRecursion(),
            new KeptMemory(),
            new Waiting(),
            new NotRunning(),
        ];
    }

    /** Whether the findings of a rule may be others in another run of the same work. */
    public static function varies(string $rule): bool
    {
        foreach (self::rules() as $one) {
            if ($one::NAME === $rule) {
                return $one::VARIES;
            }
        }

        return true;
    }

    /** The table of the documentation, in Markdown. */
    public static function markdown(): string
    {
        $lines = array_map(
            static fn (Rule $rule): string => '| `' . $rule::NAME . '` | '
                . implode(' | ', [$rule::FINDS, $rule::FROM, $rule::SEEN]) . " |\n",
            self::rules(),
        );

        return "| rule | it finds | from | seen in |\n|---|---|---|---|\n" . implode('', $lines);
    }

    /** @return list<Finding> at most MOST */
    public static function find(Evidence $run): array
    {
        return array_slice(self::all($run), 0, self::MOST);
    }

    /** @return list<Finding> however many there are, the heaviest first */
    public static function all(Evidence $run): array
    {
        $found = array_merge(...array_map(static fn (Rule $rule): array => $rule->find($run), self::rules()));
        usort($found, static fn (Finding $a, Finding $b): int => $b->weight <=> $a->weight);

        return $found;
    }

    public static function report(Run $run): Report
    {
        $found = self::of($run);

        return new Report([], [], $run->describe(), [(new RunHead($run))->title()], findings: [self::list($found, $run)]);
    }

    /**
     * The findings of a run: of a window, those of its requests.
     *
     * @param FlatReport|null $flat of the run, a recursion as one function, if it is there already
     * @param (\Closure(): ?MemoryProfile)|null $memory reads its live memory in another way
     * @param (\Closure(): ?OperationReport)|null $operations reads its operations in another way
     *
     * @return list<Finding> at most MOST
     */
    public static function of(
        Run $run,
        ?FlatReport $flat = null,
        ?\Closure $memory = null,
        ?\Closure $operations = null,
    ): array {
        return self::find(self::evidence($run, $flat, $memory, $operations));
    }

    /**
     * What the rules look at in a run.
     *
     * @param (\Closure(): ?MemoryProfile)|null $memory
     * @param (\Closure(): ?OperationReport)|null $operations
     */
    public static function evidence(
        Run $run,
        ?FlatReport $flat = null,
        ?\Closure $memory = null,
        ?\Closure $operations = null,
    ): Evidence {
        $requests = self::withoutBetween($run);

        return new Evidence(
            $requests ?? $run->profile(),
            $run->meta(),
            $memory ?? $run->memory(...),
            $operations ?? $run->operations(...),
            $requests === null ? $flat : null,
            $requests !== null,
            $requests === null ? $run->times() : null,
        );
    }

    /** @return string changes with the rules: what was found by others is out of date */
    public static function version(): string
    {
        $sources = '';
        $judges = array_map(static fn (string $class): \ReflectionClass => new \ReflectionClass($class), self::JUDGES);
        $rules = array_map(static fn (Rule $rule): \ReflectionClass => new \ReflectionObject($rule), self::rules());
        foreach ([...$rules, ...$judges] as $class) {
            $sources .= @file_get_contents((string) $class->getFileName());
        }

        return substr(hash('sha256', $sources), 0, 16);
    }

    /**
     * Looks at the requests of a window alone: an event loop that waits for the next one is nothing to look at.
     *
     * @return Profile|null null where nothing is left out
     */
    public static function withoutBetween(Run $run): ?Profile
    {
        $isIn = $run->meta()->window !== null && in_array(RequestWindow::BETWEEN, $run->treeNames(), true);
        $tree = $isIn ? $run->tree() : null;
        if ($tree === null) {
            return null;
        }
        $kept = [0];
        for ($node = 1; $node < $tree->count(); $node = $end) {
            $end = $tree->end($node);
            if ($tree->names[$tree->fn[$node]] !== RequestWindow::BETWEEN) {
                array_push($kept, ...range($node, $end - 1));
            }
        }
        $requests = $tree->part($kept);
        $interval = $run->meta()->recording->sampleInterval;

        return $requests->toProfile()->sampled(new SampleCount($interval, array_sum($requests->ct)));
    }

    /**
     * @param list<Finding> $found
     * @param Run|null      $run   of which they are, for the places of their functions
     */
    public static function list(array $found, ?Run $run = null): FindingList
    {
        $places = $run === null || $found === [] ? null : FunctionPlaces::ofRun($run);
        $shown = array_map(static fn (Finding $finding): Shown => $finding->shown($places?->find($finding->symbol)), $found);

        return new FindingList($shown, 'findings', 'Nothing stands out.', 'What to look at');
    }
}
