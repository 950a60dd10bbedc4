<?php

declare(strict_types=1);

namespace XHProf\App;

use XHProf\Store\RunFolder;
use XHProf\Web\Http\AssetFile;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;

/**
 * The pages below any path of another program's site, with their assets: the router of `xhprof serve` in one file, frameworks.
 * Their addresses are relative, so the path has to end with a slash. Who may see them is that program's business; that no other
 * site works in its visitors' names is looked after here. What a page changes of the process is put back, and the request is not
 * profiled.
 */
final class MountedSite
{
    /** The script that answers, by the path. */
    private const PAGES = '~\A(index|callgraph|typeahead|api)(?:\.php)?(/.*)?\z~s';

    private readonly string $root;

    /**
     * @param string|null $root the folder xhprof_html; null for the one beside this library
     * @param RunFolder|null $store null for the run folder of the settings
     * @param array<string, string> $settings that count before the environment's: XHPROF_SOURCE_ROOTS, XHPROF_EDITOR...
     * @param bool $hasFiles whether addresses name files, "callgraph.php", for which the web servers of frameworks answer 404
     * @param string $askAt where the program's site lets a visitor ask for a profile of the next request, relative to these pages:
     *     the list of runs has a link to it; '' for nowhere
     */
    public function __construct(
        ?string $root = null,
        private readonly ?RunFolder $store = null,
        private readonly array $settings = [],
        private readonly bool $hasFiles = true,
        private readonly string $askAt = '',
    ) {
        $this->root = $root ?? dirname(__DIR__, 3) . '/xhprof_html';
    }

    /** @param string $path decoded, below the place of the pages, without a slash before it: "", "callgraph.php", "assets/app.css" */
    public function respond(string $path, Request $request): Response
    {
        require dirname(__DIR__, 2) . '/unprofiled.php';
        if (str_starts_with($path, 'assets/')) {
            return (new AssetFile($this->root))->respond($path, $request);
        }
        if (!$request->isOfThisSite()) {
            return Response::text("Other sites may link to these pages, but not use them.\n", 403);
        }
        if ($path !== '' && preg_match(self::PAGES, $path, $match) !== 1) {
            return AssetFile::missing();
        }
        $page = $match[1] ?? 'index';
        $asked = $request->withPathInfo($match[2] ?? '')->withSettings($this->settings);

        return $this->confined(function () use ($page, $asked): Response {
            $site = new Site($this->root, $this->store, $this->askAt);
            $response = $page === 'index' ? $site->index($asked) : $site->file("$page.php", $asked);

            return $response->within($this->confined(...));
        });
    }

    /**
     * @template T
     * @param \Closure(): T $work
     * @return T
     */
    private function confined(\Closure $work): mixed
    {
        $limits = PageLimits::begin();
        try {
            return $this->hasFiles ? $work() : Url::withoutFiles($work);
        } finally {
            $limits->end();
        }
    }
}
