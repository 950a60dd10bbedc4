<?php

declare(strict_types=1);

namespace XHProf\Findings;

use XHProf\Functions\RunHead;
use XHProf\Report\Finding as Shown;
use XHProf\Report\FindingList;
use XHProf\Report\Report;
use XHProf\Run\Run;

/** What to look at first in a run: the findings of all rules, the heaviest first. */
final class Findings
{
    /** More would be a list to read and not an answer. */
    public const MOST = 5;

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
        $found = array_merge(...array_map(static fn (Rule $rule): array => $rule->find($run), self::rules()));
        usort($found, static fn (Finding $a, Finding $b): int => $b->weight <=> $a->weight);

        return array_slice($found, 0, self::MOST);
    }

    public static function report(Run $run): Report
    {
        $found = self::find(new Evidence($run->profile(), $run->meta(), $run->memory(...), $run->operations(...)));

        return new Report([], [], $run->describe(), [(new RunHead($run))->title()], findings: [self::list($found)]);
    }

    /** @param list<Finding> $found */
    public static function list(array $found): FindingList
    {
        $shown = array_map(static fn (Finding $finding): Shown => $finding->shown(), $found);

        return new FindingList($shown, 'findings', 'Nothing stands out.', 'What to look at');
    }
}
