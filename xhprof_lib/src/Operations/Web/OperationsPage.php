<?php

declare(strict_types=1);

namespace XHProf\Operations\Web;

use XHProf\Format\Units;
use XHProf\Operations\OperationCaller;
use XHProf\Operations\OperationReport;
use XHProf\Operations\OperationRow;
use XHProf\Operations\WaitReport;
use XHProf\Run\Run;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\MissingPart;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\StorePage;
use XHProf\Web\Table\Paging;
use XHProf\Web\Table\ReportTable;

/**
 * index.php?run=ID&view=operations: what a run waited for, by kind and text, with the call paths of each.
 *
 * Parameters: run, source, kind, sort (total, ct, max, duplicates, text), dir, page; operation (the id of a row): its page, with
 * its call paths open.
 */
final class OperationsPage extends StorePage
{
    private const PER_PAGE = 50;

    /** The same of a file that is sent, which has one page. */
    private const IN_FILE = 300;

    /** Callers of a text on the page, and functions of a call path. */
    private const CALLERS = 20;
    private const FRAMES = 16;

    public function respond(Request $request): Response
    {
        $set = $this->runs->whole($request);
        $operations = $set->run->operations();
        if ($operations === null) {
            return $this->view->page('no_part.html.twig', RunHeader::top($this->runs, $set, $request, 'operations') + [
                'why' => MissingPart::why(Run::OPERATIONS, $set->whole()),
            ], 404);
        }
        $kind = $request->text('kind');
        $kind = isset($operations->kinds()[$kind]) ? $kind : null;
        $order = ReportTable::order($request, OperationReport::SORTS, WaitReport::USUAL);
        $report = new WaitReport($operations, $kind, $order, $set->run->total('wt'), self::FRAMES);
        $sort = $order->by === WaitReport::USUAL ? null : $order->by;
        $wanted = $request->text('operation');
        $ids = $wanted === '' ? [] : array_map(static fn (OperationRow $row): string => $row->id(), $report->all);
        $selected = array_search($wanted, $ids, true);
        $number = $selected === false ? $request->number('page', 1) : 1 + intdiv($selected, self::PER_PAGE);
        $paging = new Paging(count($report->all), $this->view->isFile ? self::IN_FILE : self::PER_PAGE, $number);
        $most = max([0, ...array_map(static fn (OperationRow $row): int => $row->total, $report->all)]);
        $state = $set->parameters() + ['view' => 'operations', 'kind' => $kind];
        $url = static fn (array $more): string => Url::index(['all' => null] + $more + $state);
        $table = new ReportTable(
            $report->rows(array_values($paging->slice($report->all))),
            fn (array $row, string $key): array => match ($key) {
                'text' => [
                    'template' => 'operation.html.twig',
                    'part' => $this->operation($row['operation'], $set, $row['operation']->id() === $wanted, $operations),
                ],
                'total_ns' => ['bar' => $most],
                default => [],
            },
            class: 'operations',
        );
        $table->selected(static fn (array $row): bool => $wanted !== '' && $row['operation']->id() === $wanted);

        return $this->view->page('operations.html.twig', [
            'kinds' => array_map(static fn (array $row): array => $row + [
                'url' => $url(['kind' => $row['kind'] === '' ? null : $row['kind'], 'sort' => $sort]),
                'current' => $row['kind'] === (string) $kind,
                'time' => Units::us($row['total'] / 1000),
            ], $report->kinds()->rows),
            'kind' => $kind === null ? 'Operations' : OperationReport::label($kind),
            'calls' => $operations->operations->isSampled() ? 'sample' : 'call',
            'notes' => $report->notes(),
            'table' => $table->paged($paging, true, $order, OperationReport::SORTS, $url)->toArray(),
            'repeated' => array_map(fn (array $row): array => [
                'loop' => $this->frame($row['loop'], $set),
                'time' => Units::us($row['total'] / 1000),
            ] + $row, $report->repeated()->rows),
        ] + RunHeader::top($this->runs, $set, $request, 'operations'));
    }

    /** @return array<string, mixed> the cell of an operation, with its callers */
    private function operation(OperationRow $row, ShownRun $set, bool $isSelected, OperationReport $operations): array
    {
        $callers = array_slice($row->callers, 0, self::CALLERS);

        return [
            'kind' => OperationReport::label($row->kind),
            'text' => $row->text,
            'selected' => $isSelected,
            'repeated' => $row->repeated() !== null,
            'calls' => $operations->operations->isSampled() ? 'sample' : 'call',
            'callers' => array_map(fn (OperationCaller $caller): array => [
                'frames' => array_map(fn (string $name): array => $this->frame($name, $set), $caller->path),
                'more' => $caller->more,
                'total' => Units::us($caller->total / 1000),
                'share' => count($callers) > 1 ? Units::percent($caller->total, $row->total) : '',
                'ct' => $caller->ct,
                'loop' => $caller->loop === null ? null : $this->frame($caller->loop, $set),
                'duplicates' => $caller->duplicates,
            ], $callers),
            'whatif_url' => $this->view->isFile ? null : Url::index($set->parameters() + [
                'view' => 'whatif', 'without' => 'operation:' . $row->id(),
            ]),
            'count' => count($row->callers),
        ];
    }

    /** @return array{name: string, url: ?string} */
    private function frame(string $name, ShownRun $set): array
    {
        return ['name' => $name, 'url' => $set->functionUrl($name)];
    }
}
