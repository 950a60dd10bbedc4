<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\ClickHouse\Migrations;
use XHProf\Fleet\Question\RowValues;
use XHProf\Fleet\Report\LabelsReport;
use XHProf\Fleet\Report\StoreReport;
use XHProf\Format\Units;
use XHProf\Web\Http\Response;
use XHProf\Web\Table\ReportTable;

/**
 * show=data: which hosts have sent what, how late they are and what never arrived; how many values labels have, how much is
 * stored. values: a label whose values are listed.
 */
final class DataPage extends FleetPart
{
    private const VALUES = 200;

    public function respond(): Response
    {
        $store = new StoreReport($this->client);
        $hosts = $store->hosts($this->query->selection->service);
        $query = $this->query;
        $shown = $this->asked->table($hosts, 'hosts', static fn (array $row, string $key): array => $key !== 'host' ? []
            : FleetContext::named(
                (string) $row['host'],
                '(no name)',
                $query->url('routes', ['service' => (string) $row['service'], 'host' => (string) $row['host']]),
            ));

        return $this->asked->page($this->asked->top('data', 'Data'), [
            FleetContext::tiles([
                ['label' => 'Hosts', 'text' => Units::count(count($hosts->rows)), 'exact' => 'that have sent runs'],
                ['label' => 'Late', 'text' => Units::count(StoreReport::late($hosts)), 'exact' => 'no run of the last 15 minutes'],
                [
                    'label' => 'Runs',
                    'text' => Units::count(RowValues::sum(array_map(intval(...), array_column($hosts->rows, 'runs')))),
                    'exact' => 'that are known by their keys',
                ],
                [
                    'label' => 'Version of the store', 'text' => (string) $store->version,
                    'exact' => 'this program knows version ' . Migrations::newest(),
                ],
            ]),
            $store->isNew()
                ? null
                : FleetContext::notice('The store is older than this program: bin/xhprof fleet upgrade', 'warning'),
            $this->asked->sortable($shown, 'data'),
            ...$store->isNew() ? [$this->values(), $this->labels()] : [],
            $this->asked->table($store->volume(), 'volume'),
        ]);
    }

    /** The values of the label that the parameter `values` names; null without it. */
    private function values(): ?ReportTable
    {
        $label = $this->asked->request->text('values');
        if ($label === '') {
            return null;
        }
        $which = $this->query->selection;
        $report = LabelsReport::values($this->client, $which, $label, self::VALUES, self::words($label));
        $field = isset(FleetQuery::FIELDS[$label]) ? $label : 'label';
        $show = $field === 'service' || $which->service !== '' ? 'routes' : '';
        $url = fn (string $value): ?string => $value === ''
            ? null
            : $this->query->url($show, [$field => $field === 'label' ? "$label=$value" : $value]);

        return $this->asked->table($report->tables[0], 'values', static fn (array $row, string $key): array => $key === 'value'
            ? FleetContext::named((string) $row['value'], '(none)', $url((string) $row['value']))
            : []);
    }

    private static function words(string $label): string
    {
        return isset(FleetQuery::FIELDS[$label]) ? ucfirst(FleetQuery::FIELDS[$label]) : $label;
    }

    /** How many values the labels have: that decides how many rows the store has. */
    private function labels(): ReportTable
    {
        $note = 'of the requests of ' . $this->query->period();
        $table = LabelsReport::names($this->client, $this->query->selection, $note)->tables[0];
        $query = $this->query;

        return $this->asked->table($table, 'labels', static fn (array $row, string $key): array => match ($key) {
            'label' => [
                'text' => $row['is_free'] === true ? (string) $row['label'] : self::words((string) $row['label']),
                'url' => $query->url('data', ['values' => (string) $row['label']]) . '#values',
            ],
            'other' => $row['other'] === 0 ? ['text' => ''] : [],
            default => [],
        });
    }
}
