<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Compare\SymbolDiff;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\ShownMetric;

/**
 * The callers and callees of one function of a comparison; assets/js/table/sort-rows.js sorts them.
 *
 * Parameters: metric; sort.
 *
 * @phpstan-import-type Neighbour from SymbolDiff
 */
final class DiffNeighbours
{
    private readonly DiffTables $tables;
    private readonly string $metric;

    public function __construct(Request $request, DiffPair $pair, private readonly SymbolDiff $diff)
    {
        $this->metric = DiffFunctions::metric($request, $pair->report()->metrics());
        // The tables hold inclusive values only: "excl_wt", kept from the functions' table, means "wt" here.
        $sort = preg_replace('/^([abp]_)?excl_/', '$1', $request->text('sort')) ?? '';
        $lead = DiffTables::column($request->with('sort', $sort), ['ct', $this->metric], $this->metric);
        $this->tables = new DiffTables($pair, $this->metric, $lead, false);
    }

    /** @return array<string, ?string> parameters that name the function and its figures, but not the comparison */
    public function state(): array
    {
        return Url::symbolParameter($this->diff->symbol) + ['metric' => $this->metric];
    }

    /** @return array<string, mixed> for the templates */
    public function variables(): array
    {
        return [
            'parents' => $this->lines($this->diff->parents()),
            'children' => $this->lines($this->diff->children()),
            'groups' => $this->tables->head(),
            'lead_group' => $this->tables->leadGroup(),
            'metric_label' => ShownMetric::of($this->metric)->label,
        ];
    }

    /**
     * @param array<string, Neighbour> $rows
     * @return list<array<string, mixed>> the largest change first, noise last
     */
    private function lines(array $rows): array
    {
        $lead = $this->tables->lead;
        uasort($rows, static fn (array $a, array $b): int => abs($b['delta'][$lead] ?? 0) <=> abs($a['delta'][$lead] ?? 0));
        $clear = [];
        foreach ($rows as $name => $row) {
            if ($this->tables->noise($name, $row, $lead) === '') {
                $clear[$name] = $row;
            }
        }

        return $this->tables->lines($clear + $rows);
    }
}
