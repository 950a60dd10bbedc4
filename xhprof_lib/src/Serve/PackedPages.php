<?php

declare(strict_types=1);

namespace XHProf\Serve;

/**
 * The pages in xhprof.phar. PHP's web server can run no file in it as a page: it runs the phar's stub for each request, which calls
 * router.php, and that includes the page.
 */
final class PackedPages
{
    /** @return string|null the phar that has this file, null where it is a file of its own */
    public static function file(): ?string
    {
        return str_starts_with(__DIR__, 'phar://') ? \Phar::running(false) : null;
    }

    /**
     * Includes a page as if the web server had found it as a file. What it has in its own folder, beside the phar, does not count.
     *
     * @param string $root  folder of the pages
     * @param string $page  its name, "index.php"
     * @param string $after what stands behind its name in the address
     */
    public static function show(string $root, string $page, string $after): void
    {
        $_SERVER['SCRIPT_NAME'] = "/$page";
        $_SERVER['PHP_SELF'] = "/$page$after";
        $_SERVER['SCRIPT_FILENAME'] = "$root/$page";
        unset($_SERVER['PATH_INFO']);
        if ($after !== '') {
            $_SERVER['PATH_INFO'] = $after;
        }
        register_shutdown_function(self::log(...));
        require "$root/$page";
    }

    /** The line that PHP's server prints of a page that it finds itself. */
    private static function log(): void
    {
        [$address, $port, $method, $asked] = array_map(
            static fn (string $name): string => is_scalar($_SERVER[$name] ?? null) ? (string) $_SERVER[$name] : '',
            ['REMOTE_ADDR', 'REMOTE_PORT', 'REQUEST_METHOD', 'REQUEST_URI'],
        );
        $line = sprintf('[%s] %s:%s [%d]: %s %s', date('D M d H:i:s Y'), $address, $port, http_response_code(), $method, $asked);
        file_put_contents('php://stderr', preg_replace('/[^ -~]/', '?', $line) . "\n");
    }
}
