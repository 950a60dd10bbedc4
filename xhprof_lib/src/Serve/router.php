<?php

/**
 * Router that PHP's web server runs for every request of `xhprof serve`: it serves the pages as they are and the files of
 * assets/ with headers of their own, and refuses everything else, whether in the folder or not.
 */

declare(strict_types=1);

require_once dirname(__DIR__, 2) . '/unprofiled.php';

return (static function (): bool {
    $root = (string) $_SERVER['DOCUMENT_ROOT'];
    $path = rawurldecode((string) parse_url('http://x' . (string) $_SERVER['REQUEST_URI'], PHP_URL_PATH));
    // PHP's server takes "index.php/../README.md" for README.md: no dot stands behind a page's name.
    if (preg_match('~\A/(?:(?:index|callgraph|typeahead|api)\.php(?:/[^.]*)?)?\z~', $path) === 1) {
        // PHP's server then handles the request itself.
        return false;
    }
    $types = [
        'css' => 'text/css; charset=utf-8',
        'js' => 'text/javascript; charset=utf-8',
        'mjs' => 'text/javascript; charset=utf-8',
        'json' => 'application/json',
        'svg' => 'image/svg+xml',
        'png' => 'image/png',
        'wasm' => 'application/wasm',
        'txt' => 'text/plain; charset=utf-8',
    ];
    // No part of the path begins with a dot: neither dotfiles nor "..".
    $isAsset = preg_match('~\A/assets(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)+\.([a-z]+)\z~', $path, $match) === 1;
    $file = $root . $path;
    header_remove('X-Powered-By');
    header('X-Content-Type-Options: nosniff');
    header('Cross-Origin-Resource-Policy: same-origin');
    if (!$isAsset || !isset($types[$match[1]]) || !is_file($file)) {
        http_response_code(404);
        header('Content-Type: text/plain; charset=utf-8');
        header("Content-Security-Policy: default-src 'none'; frame-ancestors 'none'");
        echo "There is no such page.\n";

        return true;
    }
    // Revalidated each time, with a short answer: modules import each other without a version.
    $tag = sprintf('"%x-%x"', (int) filemtime($file), (int) filesize($file));
    header('Cache-Control: no-cache');
    header("ETag: $tag");
    header("Content-Type: {$types[$match[1]]}");
    if (($_SERVER['HTTP_IF_NONE_MATCH'] ?? '') === $tag) {
        http_response_code(304);

        return true;
    }
    header('Content-Length: ' . (int) filesize($file));
    if (($_SERVER['REQUEST_METHOD'] ?? 'GET') !== 'HEAD') {
        readfile($file);
    }

    return true;
})();
