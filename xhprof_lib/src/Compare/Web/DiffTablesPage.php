<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Compare\DiffTables;
use XHProf\Report\Table;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\StorePage;
use XHProf\Web\Table\ReportTable;

/**
 * index.php?run1=A&run2=B&view=operations, and view=memory: what the sides waited for, and who holds their memory.
 *
 * Parameters: those of DiffPage; sort, dir, all, page.
 */
final class DiffTablesPage extends StorePage
{
    /** Rows of a file that is sent, which has one page. */
    private const IN_FILE = 300;

    public function respond(Request $request): Response
    {
        $pair = DiffPair::named($request, $this->runs);
        $view = $request->text('view') === 'memory' ? 'memory' : 'operations';
        $report = DiffTables::of($view, $pair->report->a, $pair->report->b);
        $parameters = $pair->parameters() + ['view' => $view];
        $url = static fn (array $more): string => Url::index(['all' => null] + $more + $parameters);
        $badges = static fn (array $row, string $key): array => match ($key) {
            'text', 'path' => in_array($row['what'], ['new', 'gone'], true) ? ['badge' => $row['what']] : [],
            'what' => in_array($row['what'], ['new', 'gone'], true) ? ['text' => ''] : [],
            default => [],
        };
        $top = $this->view->isFile ? self::IN_FILE : 50;
        $tables = array_map(static fn (Table $table): array => (new ReportTable($table, $badges, class: "diff-$view", top: $top))
            ->ordered($request, $url)->toArray(), $report->tables);

        return $this->view->page('diff_tables.html.twig', $pair->top($request, $view) + [
            'label' => $view === 'memory' ? 'Memory' : 'Operations',
            'sentences' => $report->notes,
            'tables' => $tables,
        ], $report->tables === [] ? 404 : 200);
    }
}
