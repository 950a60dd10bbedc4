<?php

declare(strict_types=1);

namespace XHProf\Compare;

use XHProf\Exception\XHProfException;
use XHProf\Format\Units;
use XHProf\Functions\MetricOrder;
use XHProf\Functions\RunHead;
use XHProf\Report\Heading;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Run\Run;

/** What of a comparison belongs into a ticket: both sides, what changed, the functions and the operations that did. */
final class DiffTicket
{
    private const OPERATIONS = 10;

    /**
     * @param string       $sort  column of FlatReport
     * @param int          $limit of functions, 0 for all
     * @param string       $query part of their names
     * @param list<string> $notes
     */
    public static function of(DiffReport $report, string $sort, int $limit, string $query, array $notes): Report
    {
        $sum = $report->sum($sort);
        $functions = $report->functions($sort, $limit, $query, MetricOrder::leading($report->metrics(), $sort));
        [$all, $changed] = $report->counts($query);
        $below = sprintf('%s changed, %s did not.', Units::count($changed) . " {$report->noun}s", Units::count($all - $changed));
        $title = ucfirst($report->noun) . 's';

        return new Report(
            [
                $report->sides($report->totals(), $report->counted()->noun()),
                ...self::times($report, null),
                ...($functions->rows === [] ? [] : [$functions->with(['title' => $title, 'below' => $below])]),
                ...self::operations($report),
            ],
            $notes,
            headings: [...self::heads($report), ...($sum === '' ? [] : [new Heading('', [$sum])])],
        );
    }

    /**
     * The same of one function: its callers and callees.
     *
     * @param list<string> $notes
     */
    public static function ofSymbol(DiffReport $report, SymbolDiff $diff, int $limit, array $notes): Report
    {
        return new Report(
            [
                $report->sides($report->own($diff), lcfirst($report->counted()->label())),
                ...self::times($report, $diff->symbol),
                $report->callsOf($diff->parents, 'parents', 'called by', $limit)->with(['title' => 'Callers']),
                $report->callsOf($diff->children, 'children', 'calls', $limit)->with(['title' => 'Callees']),
            ],
            $notes,
            headings: [...self::heads($report), new Heading('Function', subject: $diff->symbol)],
        );
    }

    /** @return list<Table> where the time of both was, as far as it is known */
    private static function times(DiffReport $report, ?string $symbol): array
    {
        $times = $report->times($symbol);

        return $times === null ? [] : [$times->table()];
    }

    /** @return list<Heading> */
    private static function heads(DiffReport $report): array
    {
        return array_map(
            static fn (string $letter, Run $run): Heading => (new RunHead($run))->title("$letter:"),
            ['A', 'B'],
            [$report->a, $report->b],
        );
    }

    /** @return list<Table> none where a side has no operations, or nothing became of them */
    private static function operations(DiffReport $report): array
    {
        try {
            $diff = OperationsDiff::between($report->a, $report->b);
        } catch (XHProfException) {
            return [];
        }
        $changed = is_array($diff) ? [] : array_filter($diff->rows, static fn (array $row): bool => $row['what'] !== '');

        return is_array($diff) || $changed === []
            ? []
            : [$diff->table(self::OPERATIONS)->with(['note' => $diff->sentence()])];
    }
}
