<?php

declare(strict_types=1);

namespace XHProf\Functions\Web;

use XHProf\Functions\CallersReport;
use XHProf\Functions\CountKind;
use XHProf\Functions\MetricOrder;
use XHProf\Functions\Recursion;
use XHProf\Functions\SymbolReport;
use XHProf\Report\Column;
use XHProf\Report\Order;
use XHProf\Report\Table;
use XHProf\Report\TimeBar;
use XHProf\Report\Unit;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\StorePage;
use XHProf\Web\Run\Symbols;
use XHProf\Web\Run\TrendRuns;
use XHProf\Web\Run\ViewState;
use XHProf\Web\Table\Columns;
use XHProf\Web\Table\ReportTable;
use XHProf\Web\Table\ShownMetric;

/**
 * index.php?run=ID&symbol=F: one function with its callers, its callees and the call paths it was called on.
 *
 * Parameters: run, source, wts, corrected, levels, symbol (or symbol_hash for very long names); all=1 shows all callers and
 * callees, paths=1 the call paths of a large tree as well; metric, and sort, which assets/js/table/sort-rows.js reads too.
 */
final class SymbolPage extends StorePage
{
    /** Callers and callees shown, and those shown when all are requested. */
    private const TOP = 20;
    private const MAX_ROWS = 5000;

    /** Levels of recursion with a link. */
    private const LEVELS = 12;

    /** Named callers of the function while it runs. */
    private const CALLERS = 4;

    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        [$symbol, $symbols] = Symbols::report($request, $set);
        $metrics = $set->run->profile()->metrics();
        $metric = ViewState::metric($request, $metrics);
        // The tables hold inclusive values only: "excl_wt", kept from the functions' table, means "wt" here.
        $wanted = Columns::order($request->with('sort', ShownMetric::of($request->text('sort'))->base), $metrics, '')->by;
        $limit = $request->flag('all') ? self::MAX_ROWS : self::TOP;
        $report = new CallersReport($set->run, $symbols, $wanted === '' ? null : $wanted, $limit, $set->levels);
        $order = new Order($report->sort);
        $main = in_array($order->by, $metrics, true) ? $order->by : MetricOrder::sort(null, $metrics, true);
        $columns = Columns::of($metrics, $main, $set->counted(), $symbols->self(), false);
        if (!$set->counted()->isCalls()) {
            // Samples belong to one function: there is no count of calls between functions.
            unset($columns[1]);
        }
        $callers = new Table(
            'callers',
            array_values($columns),
            self::rows($report->callers()),
            'Nothing calls this function: the run starts here.',
            'Callers',
            'Callers: total figures of this function by caller; shares are of its total',
            'total figures of this function by caller; shares are of its total',
        );
        $callees = $callers->with([
            'key' => 'callees',
            'rows' => self::rows($report->callees()),
            'none' => 'This function calls nothing that was recorded.',
            'title' => 'Callees',
            'caption' => 'Callees: total figures of its calls; shares are of its total',
            'note' => 'total figures of its calls; shares are of its total',
        ]);
        $named = $set->parameters() + Url::symbolParameter($symbol);
        $state = $named + array_intersect_key(ViewState::parameters($request, $metrics), ['sort' => 1, 'dir' => 1, 'metric' => 1]);

        $all = $request->flag('all') ? null : Url::index(['all' => '1'] + $state);
        $paths = (new SymbolPaths($this->runs, $set, $symbol))->variables($request, $metric, $state);
        $source = new SymbolSource($set, $symbol, $request, $this->runs);
        // The other views select this function.
        $selecting = $request->with('sel', $symbol)->with('sel_hash', '');

        return $this->view->page('symbol.html.twig', [
            'paths' => $paths,
            'lines' => (new SymbolLines($this->runs, $set, $symbol))->variables(),
            'recursion' => $this->recursion($set, $symbols),
            'focus_url' => Url::index($set->parameters() + ['view' => 'graph'] + Url::symbolParameter($symbol, 'focus')),
            'whatif_url' => Url::index($set->parameters() + ['view' => 'whatif', 'without' => $symbol]),
            'trend_url' => TrendRuns::urlOf($set, $symbol),
            'calls' => $symbols->self()['ct'],
            'tables' => ['own' => self::own($report, $set->counted())] + array_map(static fn (Table $table, int $count): array
                => self::neighbours($table, $set, $source, $order)
                    ->of($count, $count > count($table->rows) && $all !== null ? "$all#$table->key" : null)
                    ->scripted($order)
                    ->toArray(), [$callers, $callees], [count($symbols->parents()), count($symbols->children())]),
            'corrected' => RunHeader::corrected($set, $state),
            'symbol' => $symbol,
            'where' => TimeBar::of($set->run->times()->ofFunction($symbol))?->drawn(),
            'choices' => ReportTable::choices($callers, $order),
            'hidden' => $set->parameters() + Url::symbolField($symbol),
        ] + $source->variables(self::costliest($symbols->children(), $main))
            + RunHeader::top($this->runs, $set, $selecting, 'symbol'));
    }

    /**
     * Direct recursion of this function, and its levels: "f", "f@1", "f@2"...
     *
     * @return array<string, mixed>|null null if it does not call itself
     */
    private function recursion(ShownRun $set, SymbolReport $report): ?array
    {
        $symbol = $report->symbol;
        $base = Recursion::base($symbol);
        $levels = [];
        for ($level = 0; $level < self::LEVELS; $level++) {
            $name = $level === 0 ? $base : "$base@$level";
            if (!$set->run->profile()->hasSymbol($name)) {
                break;
            }
            $only = $level === 0 ? ['levels' => '1'] : [];
            $url = Url::index($only + $set->parameters() + Url::symbolParameter($name));
            $levels[] = ['name' => $name, 'url' => $url, 'current' => $name === $symbol];
        }
        $calls = $report->recursion();
        if ($calls === [] && count($levels) < 2) {
            return null;
        }
        $callers = [];
        foreach (array_slice($calls, 0, self::CALLERS, true) as $name => $count) {
            $url = $name === $symbol ? null : Url::index($set->parameters() + Url::symbolParameter($name));
            $callers[] = ['name' => $name, 'url' => $url, 'calls' => $count];
        }

        return [
            'level' => Recursion::level($symbol),
            'levels' => count($levels) > 1 ? $levels : [],
            'deeper' => $set->run->profile()->hasSymbol("$base@" . self::LEVELS),
            'whole_url' => Url::index(['levels' => null] + $set->parameters() + Url::symbolParameter($base)),
            'calls' => array_sum($calls),
            'callers' => $callers,
            'others' => count($calls) - count($callers),
        ];
    }

    /**
     * The function's own values: one line per metric.
     *
     * @return array<string, mixed>
     */
    private static function own(CallersReport $report, CountKind $counted): array
    {
        $totals = $report->symbol->totals();
        $columns = [
            new Column('label', Unit::Text, '', label: 'Figure', value: static fn (array $row): string
                => ShownMetric::of($row['metric'])->label),
            Column::ofPage('exclusive', Unit::OfMetric, 'Self'),
            Column::ofPage('inclusive', Unit::OfMetric, 'Total'),
            ...($counted->isCalls() ? [Column::ofPage('per_call', Unit::OfMetric, 'Total per call')] : []),
        ];
        $table = new Table('own', $columns, $report->own(), '', caption: 'Figures of this function; shares are of the whole run');

        return (new ReportTable($table, static function (array $row, string $key) use ($totals): array {
            $whole = $totals[$row['metric']] ?? 0;

            return $key === 'exclusive' || $key === 'inclusive' ? ['share' => $whole, 'bar' => $whole] : [];
        }, look: 'own'))->toArray();
    }

    /**
     * @param array<string, array<string, int|float>> $rows callers or callees
     * @return list<array<string, mixed>>
     */
    private static function rows(array $rows): array
    {
        return array_map(
            static fn (string|int $name, array $row): array => [Columns::BY_NAME => (string) $name] + $row,
            array_keys($rows),
            $rows,
        );
    }

    /**
     * @param array<string, array<string, int|float>> $callees
     *
     * @return list<string> their names, the costliest first
     */
    private static function costliest(array $callees, string $metric): array
    {
        uasort($callees, static fn (array $a, array $b): int => ($b[$metric] ?? 0) <=> ($a[$metric] ?? 0));

        return array_map(strval(...), array_keys($callees));
    }

    /** Callers or callees; shares are of this function's inclusive figures. */
    private static function neighbours(Table $table, ShownRun $set, SymbolSource $source, Order $order): ReportTable
    {
        $kept = $set->parameters() + ['sort' => $order->by];

        return new ReportTable($table, static function (array $row, string $key) use ($table, $source, $kept): array {
            if ($key !== Columns::BY_NAME) {
                return [];
            }
            $place = $source->placeOf($row[$key]);
            $from = $table->key === 'callees' ? $source->callLine($row[$key]) : 0;

            return [
                'url' => Url::index($kept + Url::symbolParameter($row[$key])),
                'place' => $place === null ? null : ['from' => $from] + $place,
            ];
        }, look: 'functions single');
    }
}
