<?php

declare(strict_types=1);

namespace XHProf\Runs\Web;

use XHProf\Exception\StoreError;
use XHProf\Format\VisibleName;
use XHProf\Report\Column;
use XHProf\Run\RunRecording;
use XHProf\Runs\RunsReport;
use XHProf\Store\RunEntry;
use XHProf\Store\RunQuery;
use XHProf\Web\Http\Flash;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunOpener;
use XHProf\Web\Run\StorePage;
use XHProf\Web\Table\Paging;

/**
 * index.php without a run: all runs, newest first.
 *
 * Parameters: those of RunFilter, page; the side of a comparison that is chosen: a, b or with, see Sides.
 */
final class RunListPage extends StorePage
{
    private const PER_PAGE = 50;

    /** Largest page number, beyond any real list. */
    private const MAX_PAGES = 1000000;

    private const LONGEST_HOST = 253;

    /** Time limit for reading new runs, in seconds; the next request reads the rest. */
    private const PATIENCE = 2.0;

    public function respond(Request $request): Response
    {
        $filter = new RunFilter($request);
        $catalog = $this->runs->store->catalog();
        try {
            $catalog->sync(self::PATIENCE);
            $page = min($request->number('page', 1), self::MAX_PAGES);
            $listing = $catalog->find($filter->query, self::PER_PAGE, ($page - 1) * self::PER_PAGE);
            $paging = new Paging($listing->matches, self::PER_PAGE, $page);
            if ($paging->page !== $page) {
                $listing = $catalog->find($filter->query, self::PER_PAGE, ($paging->page - 1) * self::PER_PAGE);
            }
            $count = static fn (RunQuery $query): int => $catalog->find($query, 1)->matches;
            $windows = $filter->query->single ? $count((new RunFilter($request->with('start', RunRecording::WINDOW)))->query) : 0;
            $singles = $count(new RunQuery(single: true));
            $choices = $catalog->choices();
            // A name that a form would not send back unchanged is not offered.
            $isSendable = static fn (string $host): bool => VisibleName::text(trim($host), self::LONGEST_HOST) === $host;
            $choices['hosts'] = array_values(array_filter($choices['hosts'], $isSendable));
        } catch (StoreError) {
            return $this->view->page('runs_empty.html.twig', ['unreadable' => true, 'folder' => $this->folder()], 500);
        }
        if ($listing->total === 0) {
            $empty = $this->view->page('runs_empty.html.twig', [
                'unreadable' => false,
                'folder' => $this->folder(),
                'waiting' => $catalog->waiting()->text(),
            ]);

            return Flash::clear($empty, $request);
        }
        $sides = ComparisonSide::fromRequest($request);
        $lines = new RunLines($this->runs, $filter, $sides);
        $chosen = $sides->ids === [] ? null : $catalog->entry($sides->ids[0]);
        $state = $filter->state() + $sides->state();

        $revisions = array_map(static fn (RunEntry $run): string => $run->meta->origin->revision(), $listing->runs);
        $response = $this->view->page('runs.html.twig', [
            'head' => $this->head($filter, $state, $choices),
            'rows' => $rows = $lines->of($listing->runs),
            'has_git' => array_filter($revisions) !== [],
            'has_routes' => in_array(false, array_column(array_column($rows, 'route'), 'is_same'), true),
            'paging' => $paging,
            'pages' => $paging->links(static fn (int $page): string => Url::index($state + ['page' => $page])),
            'typed' => $filter->typed,
            'mistakes' => $filter->mistakes,
            'more' => $filter->hasMore(),
            'is_filtered' => $filter->query->isFiltered(),
            'choices' => $choices,
            'times' => $filter->periods(),
            'starts' => RunFilter::STARTS,
            'order' => $filter->order(),
            'sorts' => $this->sorts($filter),
            'back' => $filter->text() . ($paging->page > 1 ? "&page=$paging->page" : ''),
            'total' => $listing->total,
            'windows' => $windows,
            'windows_url' => Url::index(['start' => RunRecording::WINDOW] + $filter->parameters()),
            'requests_url' => Url::index(['view' => 'requests']),
            'waiting' => $catalog->waiting()->text(),
            'singles' => $singles,
            'pending' => $listing->pending,
            'is_indexed' => $catalog->isIndexed(),
            'is_writable' => $this->runs->store->isWritable(),
            'told' => Flash::message($request),
            'sides' => $sides,
            'chosen' => $chosen === null ? null : $lines->line($chosen) + ['count' => count($sides->ids)],
            'related' => $chosen === null ? [] : RelatedRuns::find($catalog, $chosen, $sides),
            'most' => RunOpener::MAX_RUNS,
        ]);

        return Flash::clear($listing->pending > 0 ? $response->withHeaders(['Refresh' => '1']) : $response, $request);
    }

    /**
     * @param array<string, ?string> $state
     * @param array{sources: list<string>, hosts: list<string>, ...} $choices of all runs: a column of one word is left out
     * @return list<array{key: string, label: string, title: string, url: ?string, aria: ?string, numeric: bool, main: bool}>
     */
    private function head(RunFilter $filter, array $state, array $choices): array
    {
        $head = [];
        $alike = ['source' => count($choices['sources']) < 2, 'host' => count($choices['hosts']) < 2];
        foreach (self::columns() as $column) {
            if ($alike[$column->key] ?? false) {
                continue;
            }
            $isText = $column->unit->isWords();
            $url = static fn (array $sort): string => Url::index($sort + $state);
            $head[] = [
                'key' => $column->key,
                'label' => $column->label,
                'title' => $column->help,
                'numeric' => !$isText && !$column->unit->isTime(),
                'main' => $filter->sorting->by === $column->key,
                'url' => $url([
                    'sort' => $column->key,
                    'dir' => $filter->sorting->next($column->key, $isText)->dir($isText),
                ]),
                'aria' => $filter->sorting->aria($column->key, $isText),
            ];
        }

        return $head;
    }

    /** @return list<array{key: string, label: string, selected: bool}> for narrow screens */
    private function sorts(RunFilter $filter): array
    {
        return array_map(static fn (Column $column): array => [
            'key' => $column->key,
            'label' => $column->help,
            'selected' => $filter->sorting->by === $column->key,
        ], self::columns());
    }

    /** @return list<Column> */
    private static function columns(): array
    {
        return array_values(array_filter(RunsReport::columns(), static fn (Column $column): bool => $column->label !== ''));
    }

    /**
     * The run folder, shown only by PHP's development server: a public server must not reveal a path,
     * on one's own machine it is the first thing to check.
     */
    private function folder(): ?string
    {
        return PHP_SAPI === 'cli-server' ? $this->runs->store->directory() : null;
    }
}
