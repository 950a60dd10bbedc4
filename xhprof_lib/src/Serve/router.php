<?php

/**
 * Router that PHP's web server runs for every request of `xhprof serve`: it serves the pages as they are and the files of
 * assets/ with headers of their own, and refuses everything else, whether in the folder or not.
 */

declare(strict_types=1);

use XHProf\Serve\PackedPages;
use XHProf\Web\Http\AssetFile;
use XHProf\Web\Http\Request;

require_once dirname(__DIR__, 2) . '/unprofiled.php';

return (static function (): bool {
    $root = dirname(__DIR__, 3) . '/xhprof_html';
    $path = rawurldecode((string) parse_url('http://x' . (string) $_SERVER['REQUEST_URI'], PHP_URL_PATH));
    // PHP's server takes "index.php/../README.md" for README.md: no dot stands behind a page's name.
    if (preg_match('~\A/(?:((?:index|callgraph|typeahead|api)\.php)((?:/[^.]*)?))?\z~', $path, $match) === 1) {
        if (!str_starts_with(__DIR__, 'phar://')) {
            // PHP's server then handles the request itself.
            return false;
        }
        require_once __DIR__ . '/PackedPages.php';
        PackedPages::show($root, $match[1] ?? 'index.php', $match[2] ?? '');

        return true;
    }
    require_once dirname(__DIR__, 2) . '/autoload.php';
    $request = Request::fromGlobals();
    $answer = (new AssetFile($root))->respond(substr($path, 1), $request);
    $answer->send($request->method !== 'HEAD');

    return true;
})();
