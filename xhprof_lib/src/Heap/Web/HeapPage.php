<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Format\Units;
use XHProf\Heap\Snapshots;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\StorePage;

/**
 * index.php?view=heap: the contents of a process's memory, and their referrers.
 *
 * Parameters: heap (a snapshot) with show (classes, largest, strings, tree, map, leaks), or class, owner, type, or node (an
 * address); heap1 and heap2 (a comparison); those of the pages. A form (POST: do=build, back) builds the index of a large snapshot.
 */
final class HeapPage extends StorePage
{
    /** Seconds that making an index may take. */
    private float $patience = HeapOpener::PATIENCE;

    /** Whether indexes are made whatever it takes. */
    private bool $builds = false;

    /** Returns this page with other limits for making an index. */
    public function within(float $patience, bool $builds = false): self
    {
        $page = clone $this;
        $page->patience = $patience;
        $page->builds = $builds;

        return $page;
    }

    /** @throws HttpError */
    public function respond(Request $request): Response
    {
        if ($request->method !== 'POST') {
            return $this->page($request);
        }

        return $request->posted('do') === 'build'
            ? $this->build($request)
            : (new HeapActions($this->snapshots(), $this->view))->respond($request);
    }

    /**
     * Builds the indexes that a page needs, then opens it.
     *
     * @throws HttpError as the page
     */
    private function build(Request $request): Response
    {
        parse_str($request->posted('back'), $parameters);
        $parameters = self::texts(['view' => 'heap'] + $parameters);
        $page = $this->within($this->patience, true)->page(new Request('GET', $parameters));

        return $page->status === 200 ? Response::seeOther(Url::index($parameters)) : $page;
    }

    private function snapshots(): Snapshots
    {
        return new Snapshots($this->runs->store);
    }

    /** @throws HttpError */
    private function page(Request $request): Response
    {
        $snapshots = $this->snapshots();
        $opener = new HeapOpener($snapshots, $this->patience, $this->builds);
        try {
            if ($request->has('heap1') || $request->has('heap2')) {
                return (new HeapDiffPage($opener, $this->view))->respond($request);
            }
            if (!$request->has('heap')) {
                return (new HeapListPage($snapshots, $this->view))->respond($request);
            }

            return $this->snapshot($request, $snapshots, $opener);
        } catch (IndexNotReady $e) {
            return $this->wait($e, $request);
        }
    }

    /** @throws HttpError|IndexNotReady */
    private function snapshot(Request $request, Snapshots $snapshots, HeapOpener $opener): Response
    {
        $name = $opener->named($request, 'heap');
        $index = $opener->open($name);
        $page = match (true) {
            $request->text('show') === 'map' => HeapMapData::class,
            $request->text('show') === 'tree' => HeapTreePage::class,
            $request->text('show') === 'strings' => HeapStringsPage::class,
            $request->has('node') => HeapNodePage::class,
            $request->has('class') || $request->has('class_hash') || $request->has('owner') || $request->has('owner_hash')
                || $request->has('type') => HeapGroupPage::class,
            $request->text('show') === 'classes' => HeapClassesPage::class,
            $request->text('show') === 'largest' => HeapLargestPage::class,
            $request->text('show') === 'leaks' => HeapLeaksPage::class,
            default => HeapSummaryPage::class,
        };

        return (new $page($snapshots, $this->view, $index, $name, $snapshots->head($name)))->respond($request);
    }

    /** Shows that the index is missing, with the form that builds it; or that building takes longer than a page may. */
    private function wait(IndexNotReady $wait, Request $request): Response
    {
        $parameters = self::texts($request->parameters());

        return $this->view->page('heap_wait.html.twig', [
            'name' => $wait->snapshot,
            'size' => Units::bytes($wait->size),
            'tried' => $wait->tried,
            'url' => Url::index($parameters),
            'back' => http_build_query($parameters),
            'list_url' => HeapUrl::list(),
            'file' => "$wait->snapshot.heap.jsonl",
        ], $wait->tried ? 503 : 200);
    }

    /**
     * @param array<mixed> $parameters
     * @return array<string, string>
     */
    private static function texts(array $parameters): array
    {
        return array_filter($parameters, static fn (mixed $value, mixed $key): bool
            => is_string($key) && is_string($value), ARRAY_FILTER_USE_BOTH);
    }
}
