<?php

declare(strict_types=1);

namespace XHProf\Bridge\WordPress;

use Composer\Autoload\ClassLoader;
use XHProf\Bridge\NextRequest;

/**
 * What the must-use plug-in does in each request: it names the hooks. Where nothing is asked for, no other file is loaded: the
 * cookie of the next request and the path of the pages are looked for by the texts below, and all else begins in hooks that only
 * run for people who see the admin bar or wp-admin.
 */
final class Plugin
{
    /** Of NextRequest, which is not loaded to look for it. */
    private const COOKIE = 'xhprof_next';

    /** The form of the next request: admin-post.php. */
    public const NEXT = 'xhprof_next';

    /** What the admin bar asks for: admin-ajax.php. */
    public const RUN = 'xhprof_run';

    /** The page below Tools. */
    public const TOOLS = 'xhprof';

    private static string $package = '';

    /** @param string $package the folder of xhprof/bridge */
    public static function load(string $package): void
    {
        if (self::$package !== '') {
            return;
        }
        self::$package = $package;
        if (isset($_COOKIE[self::COOKIE])) {
            self::classes();
            Recording::begin($_COOKIE[NextRequest::COOKIE]);
        }
        // The name in Address, or the site's own.
        $name = defined('XHPROF_PATH') ? (string) constant('XHPROF_PATH') : '_xhprof';
        if (str_contains((string) ($_SERVER['REQUEST_URI'] ?? ''), $name)) {
            add_action('init', self::later([Pages::class, 'serve']), 0);
        }
        add_action('admin_bar_menu', self::later([AdminBar::class, 'add']), 100);
        add_filter('qm/collectors', self::later([QueryMonitor::class, 'collectors']));
        add_filter('qm/outputter/html', self::later([QueryMonitor::class, 'outputs']), 200);
        if (is_admin()) {
            add_action('admin_menu', self::later([ToolsPage::class, 'menu']));
            add_action('admin_notices', self::later([ToolsPage::class, 'notice']));
            add_action('admin_post_' . self::NEXT, self::later([Recording::class, 'ask']));
            add_action('wp_ajax_' . self::RUN, self::later([RunAnswer::class, 'send']));
        }
    }

    /**
     * A hook that loads the package's classes when it runs.
     *
     * @param array{class-string, string} $method
     */
    private static function later(array $method): \Closure
    {
        return static function (mixed ...$arguments) use ($method): mixed {
            self::classes();
            $call = $method[0] . '::' . $method[1];

            return is_callable($call) ? $call(...$arguments) : $arguments[0] ?? null;
        };
    }

    /** Lets the package's own classes be loaded, and those of the library from the vendor folder that the package is in. */
    private static function classes(): void
    {
        static $isRegistered = false;
        if ($isRegistered) {
            return;
        }
        $isRegistered = true;
        $package = self::$package;
        spl_autoload_register(static function (string $class) use ($package): void {
            if (str_starts_with($class, 'XHProf\\Bridge\\')) {
                $file = "$package/src/" . strtr(substr($class, strlen('XHProf\\Bridge\\')), '\\', '/') . '.php';
                if (is_file($file)) {
                    require $file;
                }
            } elseif (str_starts_with($class, 'XHProf\\')) {
                self::library()?->loadClass($class);
            }
        });
    }

    /** @return ClassLoader|null Composer's, of the folder that has the library; null where there is none */
    private static function library(): ?ClassLoader
    {
        static $loader = null;
        // In the package itself, in a clone of the project, in the vendor folder of a site.
        foreach ($loader === null ? ['vendor', '../vendor', '../..'] : [] as $folder) {
            $file = self::$package . "/$folder/autoload.php";
            if (is_file($file)) {
                $loader = require $file;
                break;
            }
        }

        return $loader instanceof ClassLoader ? $loader : null;
    }
}
