<?php

declare(strict_types=1);

namespace XHProf\Owners;

use XHProf\Exception\UnknownMetric;
use XHProf\Format\Units;
use XHProf\Functions\FlatReport;
use XHProf\Functions\FunctionsReport;
use XHProf\Functions\RunHead;
use XHProf\Profile\TimePart;
use XHProf\Report\Column;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Run\Run;

/** The groups of a run, or of the mean of several, with the figures that functions have; together they have those of the run. */
final class GroupsReport
{
    /** What the figures of a run without call paths are. */
    public const AT_MOST = "This run has no call paths: what PHP's own functions take is split between their callers by the figures"
        . ' of the calls, and what a group takes with all that it calls is too much where groups call each other back.';

    /** Call paths times groups above which it is not asked for what each group waits: that looks at all paths for each. */
    private const MOST_WORK = 1 << 24;

    public readonly FunctionsReport $functions;

    /**
     * @param Run $run   the run itself
     * @param Run $groups the same by groups: see GroupedRun::of()
     * @param string|null $sort a figure of MetricOrder, or "fn"; null for the usual one
     * @param int $limit 0 for all
     * @param bool|null $descending null: figures from the largest, names from A
     *
     * @throws UnknownMetric
     */
    public function __construct(
        private readonly Run $run,
        private readonly Run $groups,
        private readonly GroupBy $by,
        ?string $sort = null,
        int $limit = 0,
        string $query = '',
        ?bool $descending = null,
    ) {
        $this->functions = new FunctionsReport($groups, $sort, $limit, query: $query, descending: $descending);
    }

    /** @return string|null why figures are estimates; null where they are exact */
    public static function estimate(Run $groups): ?string
    {
        return $groups instanceof GroupedRun && !$groups->isExact() ? self::AT_MOST : null;
    }

    /**
     * @param int $rows that are shown
     *
     * @return array{waiting?: float, not_running?: float} µs of a group's own time; [] where it is not known
     */
    private function waits(string $group, int $rows): array
    {
        $isSmall = $this->groups->nodes() * $rows <= self::MOST_WORK;
        $parts = $isSmall && $this->groups instanceof GroupedRun ? $this->groups->ownTimes($group) : null;

        return $parts === null || $parts->isUnknown() ? [] : [
            'waiting' => $parts->group(TimePart::WAITING) / 1000,
            'not_running' => $parts->ns(TimePart::NotRunning) / 1000,
        ];
    }

    public function report(): Report
    {
        $report = $this->functions->report();
        $table = $report->tables[0];
        $noun = $this->by->noun();
        $columns = $rows = [];
        $grouped = $this->groups instanceof GroupedRun ? $this->groups : null;
        foreach ($table->columns as $column) {
            $isName = $column->key === 'name';
            if ($isName && $grouped !== null) {
                $columns[] = new Column('functions', Unit::Count, 'functions', 4);
            }
            $columns[] = $isName ? $column->with(['title' => $noun, 'label' => ucfirst($noun)]) : $column;
        }
        foreach ($table->rows as $row) {
            $rows[] = $row + ($grouped === null ? [] : ['functions' => $grouped->functions((string) $row['name'])])
                + $this->waits((string) $row['name'], count($table->rows));
        }
        if (array_filter($rows, static fn (array $row): bool => ($row['waiting'] ?? 0) > 0) !== []) {
            array_splice($columns, 1, 0, [new Column('waiting', Unit::Microseconds, 'waiting', 2)]);
        }
        $facts = ['run' => $report->facts['run'], 'by' => $this->by->value] + $report->facts;
        unset($facts['functions'], $facts['functions_total'], $facts['recursion']);
        $estimate = self::estimate($this->groups);
        $all = count(FlatReport::compute($this->run->profile(), true, [])->rows());

        return new Report(
            [$table->with([
                'key' => 'groups',
                'columns' => $columns,
                'rows' => $rows,
                'printed' => array_column($columns, 'key'),
                'below' => Table::rest(
                    count($rows),
                    $this->functions->count,
                    "{$noun}s, sorted by {$this->functions->sort}",
                ),
            ])],
            [...$report->notes, ...($estimate === null ? [] : [$estimate])],
            $facts + ['groups_total' => $this->functions->count, 'groups' => $rows]
                + ($estimate === null ? [] : ['estimate' => $estimate]),
            headings: [(new RunHead($this->run))->heading($all)],
        );
    }
}
