<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

use XHProf\Report\DiffReport;
use XHProf\Report\Noise;
use XHProf\Report\SymbolDiff;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\DiffPair;

/**
 * The callers and callees of one function of a comparison: their order and links.
 *
 * Parameters: metric; those of DiffOrder.
 *
 * @phpstan-import-type Neighbour from SymbolDiff
 */
final class DiffNeighbours
{
    private readonly DiffOrder $order;
    private readonly DiffTables $tables;
    private readonly string $metric;

    public function __construct(
        Request $request,
        DiffReport $report,
        private readonly DiffPair $pair,
        Noise $noise,
        private readonly SymbolDiff $diff,
    ) {
        $this->metric = DiffFunctions::metric($request, $report->metrics());
        // The tables hold inclusive figures only: "excl_wt", kept from the functions' table, means "wt" here.
        $sort = preg_replace('/^([abp]_)?excl_/', '$1', $request->text('sort')) ?? '';
        $this->order = DiffOrder::from($request->with('sort', $sort), ['ct', $this->metric], $this->metric);
        $this->tables = new DiffTables($report, $pair, $noise, $this->metric, $this->order, false);
    }

    /** @return array<string, ?string> parameters that name the function and the order, but not the comparison */
    public function state(): array
    {
        return Url::symbolParameter($this->diff->symbol) + ['metric' => $this->metric] + $this->order->parameters();
    }

    /** @return array<string, mixed> for the templates */
    public function variables(): array
    {
        $link = fn (array $changes): string => Url::index($this->pair->parameters() + $changes + $this->state());

        return [
            'parents' => $this->lines($this->diff->parents()),
            'children' => $this->lines($this->diff->children()),
            'groups' => $this->tables->head($link),
            'name_column' => $this->order->nameColumn($link),
            'lead_group' => $this->tables->lead() === 'ct' ? 'ct' : 'incl',
            'metric_label' => Metric::of($this->metric)->label,
        ];
    }

    /**
     * @param array<string, Neighbour> $rows
     * @return list<array<string, mixed>>
     */
    private function lines(array $rows): array
    {
        $sorted = [];
        foreach ($this->order->names($rows) as $name) {
            $sorted[$name] = $rows[$name];
        }

        return $this->tables->lines($sorted);
    }
}
