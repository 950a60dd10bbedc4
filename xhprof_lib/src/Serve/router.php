<?php

/**
 * Router that PHP's web server runs for every request of `xhprof serve`: it serves the pages as they are and the files of
 * assets/ with headers of their own, and refuses everything else, whether in the folder or not.
 */

declare(strict_types=1);

use XHProf\Web\Http\AssetFile;
use XHProf\Web\Http\Request;

require_once dirname(__DIR__, 2) . '/unprofiled.php';

return (static function (): bool {
    $path = rawurldecode((string) parse_url('http://x' . (string) $_SERVER['REQUEST_URI'], PHP_URL_PATH));
    // PHP's server takes "index.php/../README.md" for README.md: no dot stands behind a page's name.
    if (preg_match('~\A/(?:(?:index|callgraph|typeahead|api)\.php(?:/[^.]*)?)?\z~', $path) === 1) {
        // PHP's server then handles the request itself.
        return false;
    }
    require_once dirname(__DIR__, 2) . '/autoload.php';
    $request = Request::fromGlobals();
    $answer = (new AssetFile((string) $_SERVER['DOCUMENT_ROOT']))->respond(substr($path, 1), $request);
    $answer->send($request->method !== 'HEAD');

    return true;
})();
