<?php

declare(strict_types=1);

namespace XHProf\App;

use ErrorException;
use Throwable;
use XHProf\Compare\Web\DiffPage;
use XHProf\Compare\Web\MeanPage;
use XHProf\Compare\Web\TrendPage;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\NotOfMean;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Export\Web\ExportPage;
use XHProf\Fleet\Web\FleetForm;
use XHProf\Fleet\Web\FleetPage;
use XHProf\Fleet\Web\FleetStore;
use XHProf\Format\VisibleName;
use XHProf\Functions\Web\RunPage;
use XHProf\Functions\Web\SymbolPage;
use XHProf\Functions\Web\Typeahead;
use XHProf\Graph\Web\CallgraphPage;
use XHProf\Graph\Web\GraphPage;
use XHProf\Heap\Snapshots;
use XHProf\Heap\Web\HeapActions;
use XHProf\Heap\Web\HeapPage;
use XHProf\Import\Web\ImportPage;
use XHProf\Memory\Web\MemoryPage;
use XHProf\Operations\Web\OperationsPage;
use XHProf\Paths\Web\FlameDiffPage;
use XHProf\Paths\Web\PathsPage;
use XHProf\Paths\Web\TimelinePage;
use XHProf\Requests\Web\RequestsPage;
use XHProf\Runs\Web\LabelPage;
use XHProf\Runs\Web\PickedRuns;
use XHProf\Runs\Web\RunActions;
use XHProf\Runs\Web\RunListPage;
use XHProf\Store\RunFolder;
use XHProf\Web\Api\JsonResponse;
use XHProf\Web\Http\Csrf;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\Runs;
use XHProf\Web\Templates;

/**
 * Chooses the page that a request asks for and turns every failure into a page with a clear
 * sentence. Details of unexpected errors go to the server's log only.
 */
final class Site
{
    private readonly Templates $view;
    private readonly Runs $runs;
    private readonly Snapshots $snapshots;

    /** @param string $root the folder xhprof_html */
    public function __construct(string $root, ?RunFolder $store = null)
    {
        $this->view = new Templates($root);
        $this->runs = new Runs($store ?? new RunFolder());
        $this->snapshots = new Snapshots($this->runs->store);
        $this->view->define('snapshots', $this->snapshots);
    }

    /** index.php: the parameters select the page, as they always did. */
    public function index(Request $request): Response
    {
        return $this->handle($request, fn (): Response => match (true) {
            $request->method === 'POST' => $this->form($request),
            $request->has('run1'), $request->has('run2'), $request->has('run') => $this->runs($request),
            $request->text('view') === 'fleet' => (new FleetPage($this->runs, $this->view))->respond($request),
            $request->text('view') === 'heap' => (new HeapPage($this->snapshots, $this->view))->respond($request),
            $request->has('pick'), $request->has('do') => (new PickedRuns($this->runs))->respond($request),
            default => $this->runs($request),
        }, methods: ['POST']);
    }

    /** Lists of runs, and the views of one and of a comparison. */
    private function runs(Request $request): Response
    {
        $view = $request->text('view');
        $isSymbol = $request->has('symbol') || $request->has('symbol_hash');
        $page = match (true) {
            $request->has('run1'), $request->has('run2') => match ($isSymbol ? 'symbol' : $view) {
                'graph' => GraphPage::class,
                'flame' => FlameDiffPage::class,
                default => DiffPage::class,
            },
            !$request->has('run') => match ($view) {
                'trend' => TrendPage::class,
                'import' => ImportPage::class,
                'requests' => RequestsPage::class,
                default => RunListPage::class,
            },
            default => match ($isSymbol ? 'symbol' : $view) {
                'symbol' => SymbolPage::class,
                'memory' => MemoryPage::class,
                'operations' => OperationsPage::class,
                'label' => LabelPage::class,
                'graph' => CallgraphPage::class,
                'calltree', 'flame', 'sandwich' => PathsPage::class,
                'timeline' => TimelinePage::class,
                'export' => ExportPage::class,
                default => str_contains($request->text('run'), ',') ? MeanPage::class : RunPage::class,
            },
        };

        return (new $page($this->runs, $this->view))->respond($request);
    }

    /**
     * Handles forms that change something. Only forms of these pages get here: see Csrf.
     *
     * @throws HttpError
     */
    private function form(Request $request): Response
    {
        return match ($request->text('view')) {
            '' => (new RunActions($this->runs, $this->view))->respond($request),
            'heap' => $request->posted('do') === 'build'
                ? (new HeapPage($this->snapshots, $this->view))->build($request)
                : (new HeapActions($this->snapshots, $this->view))->respond($request),
            'fleet' => (new FleetForm($this->runs))->respond($request),
            'import' => (new ImportPage($this->runs, $this->view))->import($request),
            default => throw new HttpError(405, 'This page only answers to GET.'),
        };
    }

    public function api(Request $request): Response
    {
        return $this->handle($request, fn (): Response => (new Api($this->runs))->respond($request), JsonResponse::error(...));
    }

    public function callgraph(Request $request): Response
    {
        return $this->handle($request, fn (): Response => (new CallgraphPage($this->runs, $this->view))->respond($request));
    }

    public function typeahead(Request $request): Response
    {
        return $this->handle($request, fn (): Response => (new Typeahead($this->runs))->respond($request), Response::error(...));
    }

    /**
     * @param callable(): Response $page
     * @param (callable(int, string): Response)|null $error answers errors, by status and sentence; null for a page
     * @param list<string> $methods besides GET and HEAD
     */
    private function handle(Request $request, callable $page, ?callable $error = null, array $methods = []): Response
    {
        $csrf = new Csrf($request);
        $this->view->define('csrf', $csrf);
        $this->view->theme($request->cookie('xhprof_theme'));
        $this->view->fleet(FleetStore::isNamed($request));
        set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
            if ((error_reporting() & $level) === 0) {
                return false;
            }
            throw new ErrorException($message, 0, $level, $file, $line);
        });
        try {
            if (!in_array($request->method, ['GET', 'HEAD', ...$methods], true)) {
                throw new HttpError(405, 'This page only answers to GET.');
            }
            // Not "/" either: relative URLs would break.
            if ($request->pathInfo !== '') {
                throw new HttpError(404, 'There is no such page.');
            }

            if ($request->method === 'POST') {
                $csrf->check();
            }

            return $csrf->protect($page());
        } catch (HttpError $e) {
            return $this->error($e->status, $e->getMessage(), $error);
        } catch (DamagedRun | InvalidProfile | StoreError | RunNotFound | NotOfMean $e) {
            $known = $this->runs->httpError($e);

            return $this->error($known->status, $known->getMessage(), $error);
        } catch (Throwable $e) {
            error_log('xhprof_html: ' . $e);

            return $this->error(500, 'This page failed. The reason is in the error log of the web server.', $error);
        } finally {
            restore_error_handler();
        }
    }

    /** @param (callable(int, string): Response)|null $error */
    private function error(int $status, string $message, ?callable $error): Response
    {
        $response = $error !== null
            ? $error($status, VisibleName::text($message))
            : $this->view->page('error.html.twig', ['status' => $status, 'message' => $message], $status);

        return $status === 405 ? $response->withHeaders(['Allow' => 'GET, HEAD']) : $response;
    }
}
