<?php

declare(strict_types=1);

namespace XHProf\Runs\Web;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\StoreError;
use XHProf\Store\RunEntry;
use XHProf\Web\Api\Endpoint;
use XHProf\Web\Api\JsonResponse;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Table\Paging;

/**
 * get=runs: the list of runs, with the parameters of its page (see RunFilter) and `page`. `pending` runs of the folder are not read
 * yet: ask again.
 */
final class RunsEndpoint extends Endpoint
{
    private const PER_PAGE = 200;

    /** Largest page number, beyond any real list. */
    private const MAX_PAGES = 1000000;

    /** Time limit for reading new runs, in seconds. */
    private const PATIENCE = 2.0;

    /** @throws HttpError 400, 500 */
    public function respond(Request $request): Response
    {
        $filter = new RunFilter($request);
        if ($filter->mistakes !== []) {
            throw new HttpError(400, $filter->mistakes[0]);
        }
        $catalog = $this->runs->store->catalog();
        $page = min($request->number('page', 1), self::MAX_PAGES);
        try {
            $catalog->sync(self::PATIENCE);
            $listing = $catalog->find($filter->query, self::PER_PAGE, ($page - 1) * self::PER_PAGE);
        } catch (StoreError $e) {
            throw new HttpError(500, 'The run folder cannot be read.', $e);
        }
        $paging = new Paging($listing->matches, self::PER_PAGE, $page);

        return JsonResponse::answer('runs', [
            'total' => $listing->total,
            'matches' => $listing->matches,
            'pending' => $listing->pending,
            'page' => $page,
            'pages' => $paging->pages,
            'runs' => $this->columns($listing->runs),
        ]);
    }

    /**
     * @param list<RunEntry> $runs
     * @return array<string, list<mixed>>
     */
    private function columns(array $runs): array
    {
        $column = static fn (\Closure $of): array => array_map($of, $runs);

        return [
            'id' => $column(static fn (RunEntry $run): string => $run->id->id),
            'source' => $column(static fn (RunEntry $run): string => $run->id->source),
            'time' => $column(static fn (RunEntry $run): float => $run->time),
            'title' => $column(static fn (RunEntry $run): string => $run->title),
            'method' => $column(static fn (RunEntry $run): string => $run->meta->origin->method ?? ''),
            'url' => $column(static fn (RunEntry $run): string => $run->meta->origin->url ?? ''),
            'command' => $column(static fn (RunEntry $run): string => $run->meta->origin->command ?? ''),
            'host' => $column(static fn (RunEntry $run): string => $run->meta->origin->host ?? ''),
            'git' => $column(static fn (RunEntry $run): string => $run->meta->origin->git ?? ''),
            'release' => $column(static fn (RunEntry $run): string => $run->meta->origin->release ?? ''),
            'start' => $column(static fn (RunEntry $run): string => $run->meta->recording->start ?? ''),
            'name' => $column(static fn (RunEntry $run): string => $run->meta->origin->name ?? ''),
            'route' => $column(static fn (RunEntry $run): string => $run->meta->group()),
            'status' => $column(static fn (RunEntry $run): ?int => $run->meta->origin->status),
            'wt' => $column(static fn (RunEntry $run): ?int => $run->figure('wt')),
            'cpu' => $column(static fn (RunEntry $run): ?int => $run->figure('cpu')),
            'mu' => $column(static fn (RunEntry $run): ?int => $run->figure('mu')),
            'pmu' => $column(static fn (RunEntry $run): ?int => $run->figure('pmu')),
            'ct' => $column(static fn (RunEntry $run): ?int => $run->calls()),
            'samples' => $column(static fn (RunEntry $run): ?int => $run->meta->recording->samples),
            'size' => $column(static fn (RunEntry $run): int => $run->size),
            'pinned' => $column(static fn (RunEntry $run): bool => $run->label->pinned),
            'tags' => $column(static fn (RunEntry $run): array => $run->label->tags),
            'note' => $column(static fn (RunEntry $run): string => $run->label->note),
            'error' => $column(fn (RunEntry $run): ?string
                => $run->error === null ? null : $this->runs->publicText(new DamagedRun($run->error))),
        ];
    }
}
