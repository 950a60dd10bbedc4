<?php

declare(strict_types=1);

namespace XHProf\Bridge;

use Throwable;
use XHProf\App\MountedSite;
use XHProf\Store\RunFolder;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;

/**
 * The pages below a path of a site, and beside them what the bridge itself needs: the form that asks for a profile of the next
 * request, the summary of a run as a piece of HTML, and its style. Who may see them was decided before respond() is called.
 * Nothing is thrown.
 */
final class Mount
{
    /** GET: the page with the button. POST: the next request is profiled. Fields: NextRequest::FIELD, and "back", a path of this site. */
    public const NEXT = 'bridge/next';

    /** GET with run and source: RunSummary as HTML. */
    public const SUMMARY = 'bridge/summary';

    public const STYLE = 'bridge/summary.css';

    /**
     * @param string|null $folder of the runs; null or '' for the one of the settings
     * @param array<string, string> $settings of the pages that count before the environment's: XHPROF_SOURCE_ROOTS, XHPROF_EDITOR,
     *     XHPROF_EDITOR_MAP, XHPROF_OWNERS...
     * @param string $askAt address of the site's own page that asks for the next request, in place of NEXT
     */
    public function __construct(
        private readonly ?string $folder = null,
        private readonly array $settings = [],
        private readonly ?NextRequest $next = null,
        private readonly string $askAt = '',
    ) {
    }

    /**
     * @param string $path decoded, behind the path at which the pages are: "", which is sent on to "/", or "/callgraph.php"
     * @param string $method in upper case
     * @param array<int|string, mixed> $query
     * @param array<int|string, mixed> $post
     * @param array<int|string, mixed> $cookies as the browser sent them
     * @param array<int|string, mixed> $server as $_SERVER
     * @param array<int|string, mixed> $files as $_FILES
     * @param bool $hasKeptFiles whether the framework has written them itself, so that PHP does not know them as uploads
     */
    public function respond(
        string $path,
        string $method,
        array $query = [],
        array $post = [],
        array $cookies = [],
        array $server = [],
        array $files = [],
        bool $hasKeptFiles = false,
    ): Response {
        try {
            $request = new Request($method, $query, '', $post, $cookies, $server, $files, $hasKeptFiles);

            return match (ltrim($path, '/')) {
                self::NEXT => $this->next($request),
                self::SUMMARY => $this->summary($request),
                self::STYLE => SummaryHtml::style($request),
                default => $path === '' ? self::slash($request) : $this->pages(substr($path, 1), $request),
            };
        } catch (Throwable $e) {
            error_log('xhprof/bridge: ' . $e);

            return Response::error(500, 'This page failed. The reason is in the error log of the web server.');
        }
    }

    /**
     * A cookie of an answer for frameworks to which one without a path is one of all of the site, and not of the pages, as it is to
     * browsers.
     *
     * @param string $line value of Set-Cookie
     * @param string $base where the pages are, with a slash at its end
     */
    public static function withPath(string $line, string $base): string
    {
        return preg_match('/;\s*path\s*=/i', $line) === 1 ? $line : "$line; Path=$base";
    }

    private function pages(string $path, Request $request): Response
    {
        // Also where nothing can be asked for: that page says why.
        $askAt = $this->askAt === '' && $this->next !== null ? self::NEXT : $this->askAt;

        return (new MountedSite(null, new RunFolder($this->folder), $this->settings, false, $askAt))->respond($path, $request);
    }

    /** Relative addresses need the slash. */
    private static function slash(Request $request): Response
    {
        [$path, $query] = explode('?', $request->server('REQUEST_URI'), 2) + [1 => ''];
        $last = substr($path, (int) strrpos($path, '/') + 1);
        if (preg_match('~\A[A-Za-z0-9_-][A-Za-z0-9._-]*\z~', $last) !== 1) {
            return Response::error(404, 'There is no such page.');
        }

        return Response::redirect("./$last/" . ($query === '' ? '' : '?' . preg_replace('/[^!-~]/', '', $query)));
    }

    private function next(Request $request): Response
    {
        if ($this->next !== null && in_array($request->method, ['GET', 'HEAD'], true)) {
            return NextPage::respond($this->next, $request);
        }
        if ($request->method !== 'POST') {
            return Response::error(405, 'This page only answers to POST.')->withHeaders(['Allow' => 'POST']);
        }
        if ($this->next === null || !in_array($request->server('HTTP_SEC_FETCH_SITE'), ['', 'same-origin'], true)) {
            return Response::error(403, 'This form was sent by another site.');
        }
        $problem = $this->next->problem();
        if ($problem !== null) {
            return Response::error(409, $problem);
        }
        if (!$this->next->isToken($request->posted(NextRequest::FIELD))) {
            return Response::error(403, 'This form is out of date: reload its page and send it again.');
        }
        $back = $request->posted('back');

        return Response::seeOther(self::isLocal($back) ? $back : '../')
            ->withCookieLine($this->next->setCookie($request->isEncrypted()));
    }

    /** Whether an address is a path of this site, and not one of another: "//other", "/\other". */
    public static function isLocal(string $address): bool
    {
        return preg_match('#\A/(?![/\\\\])[!-~]*\z#', $address) === 1;
    }

    private function summary(Request $request): Response
    {
        $summary = RunSummary::read($request->text('run'), $request->text('source'), $this->folder);

        return Response::html(SummaryHtml::of($summary, '../'));
    }
}
