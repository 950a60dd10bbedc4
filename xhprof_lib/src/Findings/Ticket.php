<?php

declare(strict_types=1);

namespace XHProf\Findings;

use XHProf\Exception\XHProfException;
use XHProf\Functions\FunctionsReport;
use XHProf\Operations\WaitReport;
use XHProf\Report\Order;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;

/** What of a run belongs into a ticket: its head, what to look at, the first functions, and the first operations. */
final class Ticket
{
    private const OPERATIONS = 10;

    public static function of(Run $run, FunctionsReport $functions): Report
    {
        $report = $functions->report();
        $tables = array_map(static fn (Table $table): Table => $table->with(['title' => 'Functions']), $report->tables);

        return new Report(
            [...$tables, ...self::operations($run)],
            $report->notes,
            $report->facts,
            $report->headings,
            findings: $run instanceof MeanRun ? [] : Findings::report($run)->findings,
        );
    }

    /** @return list<Table> */
    private static function operations(Run $run): array
    {
        try {
            $operations = $run instanceof MeanRun ? null : $run->operations();
        } catch (XHProfException) {
            return [];
        }
        if ($operations === null || $operations->kinds() === []) {
            return [];
        }
        $report = new WaitReport($operations, null, new Order(WaitReport::USUAL), $run->total('wt'));
        $shown = array_slice($report->all, 0, self::OPERATIONS);
        $rest = Table::rest(count($shown), count($report->all), 'operations');

        return [
            $report->kinds()->with(['title' => 'Operations']),
            $report->rows($shown, false, $rest),
            $report->repeated(),
        ];
    }
}
