<?php

declare(strict_types=1);

namespace XHProf\App;

use ErrorException;
use Throwable;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\NotOfMean;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Fleet\Web\FleetStore;
use XHProf\Format\VisibleName;
use XHProf\Heap\Snapshots;
use XHProf\Store\RunFolder;
use XHProf\Web\Api\JsonResponse;
use XHProf\Web\Http\Csrf;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\NearRuns;
use XHProf\Web\Run\RunOpener;
use XHProf\Web\Run\StorePage;
use XHProf\Web\Templates;

/**
 * Chooses the page that a request asks for and turns every failure into a page with a clear
 * sentence. Details of unexpected errors go to the server's log only.
 */
final class Site
{
    private readonly Templates $view;
    private readonly RunOpener $runs;

    /**
     * @param string $root the folder xhprof_html
     * @param string $askAt see MountedSite
     */
    public function __construct(string $root, ?RunFolder $store = null, string $askAt = '')
    {
        $this->view = new Templates($root);
        $this->runs = new RunOpener($store ?? new RunFolder(), Pages::all());
        $this->view->askAt($askAt);
        $this->view->define('snapshots', new Snapshots($this->runs->store));
    }

    /** index.php: the parameters select the page, as they always did. */
    public function index(Request $request): Response
    {
        return $this->handle($request, fn (): Response => $this->respond(
            // Only forms of these pages get here: see Csrf.
            $request->method === 'POST' ? $this->runs->pages->form($request) : $this->runs->pages->page($request)->page,
            $request,
        ), methods: ['POST']);
    }

    /** @param class-string<StorePage> $page */
    private function respond(string $page, Request $request): Response
    {
        return (new $page($this->runs, $this->view))->respond($request);
    }

    /** callgraph.php, typeahead.php, api.php. Errors of the last two are text and JSON. */
    public function file(string $name, Request $request): Response
    {
        $error = match ($name) {
            'api.php' => JsonResponse::error(...),
            'typeahead.php' => Response::error(...),
            default => null,
        };

        return $this->handle($request, fn (): Response => $this->respond($this->runs->pages->file($name), $request), $error);
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
            return $this->error($e->status, $e->getMessage(), $error, $request);
        } catch (DamagedRun | InvalidProfile | StoreError | RunNotFound | NotOfMean $e) {
            $known = $this->runs->httpError($e);

            return $this->error($known->status, $known->getMessage(), $error, $request);
        } catch (Throwable $e) {
            error_log('xhprof_html: ' . $e);

            return $this->error(500, 'This page failed. The reason is in the error log of the web server.', $error);
        } finally {
            restore_error_handler();
        }
    }

    /** @param (callable(int, string): Response)|null $error */
    private function error(int $status, string $message, ?callable $error, ?Request $request = null): Response
    {
        $response = $error !== null
            ? $error($status, VisibleName::text($message))
            : $this->view->page('error.html.twig', ['status' => $status, 'message' => $message] + (
                $status === 404 && $request !== null ? NearRuns::of($this->runs->store, $request) : []
            ), $status);

        return $status === 405 ? $response->withHeaders(['Allow' => 'GET, HEAD']) : $response;
    }
}
