<?php

declare(strict_types=1);

/*
 * Serves the folder SITE_FOLDER below SITE_PATH by the rules that WordPress writes into .htaccess: files as they are, all else by
 * index.php; in a network (SITE_NETWORK) the first part of the path may be a site's. What follows a script's name is PATH_INFO.
 */

(static function (): void {
    $folder = (string) getenv('SITE_FOLDER');
    $base = (string) getenv('SITE_PATH');
    $path = rawurldecode((string) parse_url('http://x' . $_SERVER['REQUEST_URI'], PHP_URL_PATH));
    if (!str_starts_with("$path/", $base)) {
        http_response_code(404);
        echo 'outside of the site';
        return;
    }
    $file = substr($path, strlen($base));
    $inNetwork = getenv('SITE_NETWORK') === '1';
    if ($inNetwork && preg_match('~^[_0-9a-zA-Z-]+/(wp-(?:content|admin|includes).*|.*\.php)$~', $file, $match)) {
        $file = $match[1];
    }
    $info = '';
    if (preg_match('~^(.*?\.php)(/.*)$~', $file, $match) && is_file("$folder/$match[1]")) {
        [, $file, $info] = $match;
    }
    if (is_dir("$folder/$file") && is_file("$folder/" . rtrim($file, '/') . '/index.php')) {
        $file = ltrim(rtrim($file, '/') . '/index.php', '/');
    }
    if (!is_file("$folder/$file")) {
        // A script that is not there is not WordPress' in a network either.
        if (str_ends_with($file, '.php') && $inNetwork) {
            http_response_code(404);
            echo 'no such script';
            return;
        }
        $file = 'index.php';
    }
    if (!str_ends_with($file, '.php')) {
        $types = ['css' => 'text/css', 'js' => 'text/javascript', 'svg' => 'image/svg+xml', 'woff2' => 'font/woff2'];
        header('Content-Type: ' . ($types[pathinfo($file, PATHINFO_EXTENSION)] ?? 'application/octet-stream'));
        readfile("$folder/$file");
        return;
    }
    $_SERVER['SCRIPT_NAME'] = $base . $file;
    $_SERVER['PHP_SELF'] = $base . $file . $info;
    $_SERVER['SCRIPT_FILENAME'] = "$folder/$file";
    $_SERVER['DOCUMENT_ROOT'] = $folder;
    unset($_SERVER['PATH_INFO']);
    if ($info !== '') {
        $_SERVER['PATH_INFO'] = $info;
    }
    chdir(dirname("$folder/$file"));
    $GLOBALS['site_script'] = "$folder/$file";
})();

if (isset($site_script)) {
    require $site_script;
}
