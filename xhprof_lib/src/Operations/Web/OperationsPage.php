<?php

declare(strict_types=1);

namespace XHProf\Operations\Web;

use XHProf\Format\Units;
use XHProf\Operations\OperationCaller;
use XHProf\Operations\OperationReport;
use XHProf\Operations\OperationRow;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\StorePage;

/**
 * index.php?run=ID&view=operations: what a run waited for, by kind and text, with the call paths of each.
 *
 * Parameters: run, source, kind, sort (total, ct, max, duplicates, text), page; operation (the id of a row): its page, with
 * its call paths open.
 */
final class OperationsPage extends StorePage
{
    private const PER_PAGE = 50;

    /** Callers of a text on the page, and functions of a call path. */
    private const CALLERS = 20;
    private const FRAMES = 16;

    /** Label and meaning by the name of the order. */
    private const COLUMNS = [
        'total' => ['Total', 'Time of all calls'],
        'ct' => ['Calls', 'Number of calls'],
        'max' => ['Longest', 'Time of the longest call'],
        'duplicates' => ['Duplicates', 'Calls with the same values as one before, as far as values are known'],
    ];

    public function respond(Request $request): Response
    {
        $set = $this->runs->whole($request);
        $table = $this->table($set, $request);

        return $this->view->page('operations.html.twig', RunHeader::top($this->runs, $set, $request, 'operations') + $table);
    }

    /** @return array<string, mixed> what is computed of the operations and all call paths */
    private function table(ShownRun $set, Request $request): array
    {
        $report = $set->run->operations() ?? throw new HttpError(
            404,
            'This run has no operations: exact profiles record them unless xhprof.collect_additional_info is off.',
        );
        $kinds = $report->kinds();
        $kind = $request->text('kind');
        $kind = isset($kinds[$kind]) ? $kind : null;
        $sort = $request->text('sort');
        $sort = in_array($sort, OperationReport::SORTS, true) ? $sort : 'total';
        $sampled = $report->operations->isSampled();
        $rows = $report->rows($kind, $sort, self::FRAMES);
        $pages = max(1, (int) ceil(count($rows) / self::PER_PAGE));
        $ids = array_map(static fn (OperationRow $row): string => $row->id(), $rows);
        $selected = array_search($request->text('operation'), $ids, true);
        $wanted = $selected === false ? (int) $request->text('page') : 1 + intdiv($selected, self::PER_PAGE);
        $page = max(1, min($pages, $wanted));
        $shown = array_slice($rows, ($page - 1) * self::PER_PAGE, self::PER_PAGE);
        $url = static fn (array $parameters): string
            => Url::index($set->parameters() + ['view' => 'operations'] + $parameters);
        $most = max([0, ...array_map(static fn (OperationRow $row): int => $row->total, $rows)]);

        return [
            'kinds' => $this->kinds($kinds, $kind, $sort, $set, $url),
            'kind' => $kind === null ? '' : OperationReport::label($kind),
            'sampled' => $sampled,
            'head' => $this->head($sort, $kind, $sampled, $url),
            'rows' => array_map(fn (OperationRow $row): array => $this->line($row, $set, $most, $sampled), $shown),
            'repeated' => $this->repeated($rows, $set),
            'selected' => $selected === false ? null : $selected % self::PER_PAGE,
            'count' => count($rows),
            'lost' => $report->operations->lost,
            'page' => $page,
            'pages' => $pages,
            'previous' => $page > 1 ? $url(['kind' => $kind, 'sort' => $sort, 'page' => (string) ($page - 1)]) : null,
            'next' => $page < $pages ? $url(['kind' => $kind, 'sort' => $sort, 'page' => (string) ($page + 1)]) : null,
        ];
    }

    /**
     * @param array<string, array{ct: int, total: int, texts: int}> $kinds
     * @param callable(array<string, ?string>): string $url
     * @return list<array<string, mixed>>
     */
    private function kinds(array $kinds, ?string $current, string $sort, ShownRun $set, callable $url): array
    {
        $whole = $set->run->total('wt');
        $all = ['ct' => 0, 'total' => 0, 'texts' => 0];
        foreach ($kinds as $figures) {
            foreach ($figures as $name => $value) {
                $all[$name] += $value;
            }
        }
        $lines = [];
        foreach (['' => $all] + $kinds as $kind => $figures) {
            $lines[] = [
                'label' => $kind === '' ? 'All' : OperationReport::label($kind),
                'url' => $url(['kind' => $kind === '' ? null : $kind, 'sort' => $sort === 'total' ? null : $sort]),
                'current' => $kind === (string) $current,
                'total' => Units::us($figures['total'] / 1000),
                // Those of other fibers, and within each other, add up to more than the whole.
                'share' => $whole > 0 && $figures['total'] / 1000 <= $whole ? Units::percent($figures['total'] / 1000, $whole) : '',
                'ct' => $figures['ct'],
                'texts' => $figures['texts'],
            ];
        }

        return $lines;
    }

    /**
     * @param callable(array<string, ?string>): string $url
     * @return list<array{key: string, label: string, title: string, url: ?string, aria: ?string, main: bool}>
     */
    private function head(string $sort, ?string $kind, bool $sampled, callable $url): array
    {
        $head = [];
        foreach (self::COLUMNS as $key => [$label, $title]) {
            if (!$sampled || in_array($key, ['total', 'ct'], true)) {
                $head[] = [
                    'key' => $key,
                    'label' => $sampled && $key === 'ct' ? 'Samples' : $label,
                    'title' => $sampled && $key === 'ct' ? 'Number of samples' : $title,
                    'url' => $url(['kind' => $kind, 'sort' => $key]),
                    'aria' => $key === $sort ? 'descending' : null,
                    'main' => $key === $sort,
                ];
            }
        }

        return $head;
    }

    /** @return array<string, mixed> */
    private function line(OperationRow $row, ShownRun $set, int $most, bool $sampled): array
    {
        $repeated = $row->repeated();

        return [
            'kind' => OperationReport::label($row->kind),
            'text' => $row->text,
            'total' => Units::us($row->total / 1000),
            'width' => $most > 0 ? round(100 * $row->total / $most, 2) : 0.0,
            'ct' => $row->ct,
            'max' => self::time($row->max),
            'median' => self::time($row->median),
            'p95' => self::time($row->p95),
            'single' => $row->ct === 1,
            'duplicates' => $row->duplicates,
            'sampled' => $sampled,
            'repeated' => $repeated === null ? null : $this->loop($repeated, $set),
            'callers' => array_map(
                fn (OperationCaller $caller): array => $this->caller($caller, $row, $set),
                array_slice($row->callers, 0, self::CALLERS),
            ),
            'more' => max(0, count($row->callers) - self::CALLERS),
        ];
    }

    /** @return array<string, mixed> */
    private function caller(OperationCaller $caller, OperationRow $row, ShownRun $set): array
    {
        return [
            'frames' => array_map(fn (string $name): array => $this->frame($name, $set), $caller->path),
            'more' => $caller->more,
            'total' => Units::us($caller->total / 1000),
            'share' => Units::percent($caller->total, $row->total),
            'ct' => $caller->ct,
            'max' => self::time($caller->max),
            'repeated' => $caller->loop === null ? null : $this->loop($caller, $set),
            'duplicates' => $caller->duplicates,
        ];
    }

    /**
     * @param list<OperationRow> $rows
     * @return list<array<string, mixed>> what is repeated most often
     */
    private function repeated(array $rows, ShownRun $set): array
    {
        $found = [];
        foreach ($rows as $row) {
            $caller = $row->repeated();
            if ($caller !== null) {
                $found[] = $this->loop($caller, $set) + [
                    'text' => $row->text,
                    'ct' => $caller->ct,
                    'total' => Units::us($caller->total / 1000),
                    'ns' => $caller->total,
                    'duplicates' => $caller->duplicates,
                ];
            }
        }
        usort($found, static fn (array $a, array $b): int => $b['ns'] <=> $a['ns']);

        return array_slice($found, 0, 5);
    }

    /** @return array{loop: array{name: string, url: ?string}, loops: int} */
    private function loop(OperationCaller $caller, ShownRun $set): array
    {
        return ['loop' => $this->frame((string) $caller->loop, $set), 'loops' => $caller->loops];
    }

    /** @return array{name: string, url: ?string} */
    private function frame(string $name, ShownRun $set): array
    {
        return ['name' => $name, 'url' => $set->functionUrl($name)];
    }

    private static function time(?int $ns): string
    {
        return $ns === null ? '' : Units::us($ns / 1000);
    }
}
