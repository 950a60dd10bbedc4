<?php

declare(strict_types=1);

namespace XHProf\Bench;

use XHProf\Tools\Servers\Daemon;
use XHProf\Tools\Servers\Extensions;
use XHProf\Tools\Servers\Folder;
use XHProf\Tools\Servers\MariaDb;

/** WordPress of Debian's package with its database: a real application, nearly all of whose calls are on paths of their own. */
final class WordPress
{
    private const FOLDER = __DIR__ . '/../../build/bench/debian/usr/share/wordpress';
    private const EXTENSIONS = ['mysqli'];

    private ?MariaDb $database = null;

    /**
     * Environment of PHP. The first call starts the database and installs WordPress.
     *
     * @return array<string, string>
     */
    public function environment(): array
    {
        $started = $this->database !== null;
        $this->database ??= new MariaDb();
        $environment = [
            'BENCH_WORDPRESS' => (string) realpath(self::FOLDER), 'BENCH_SOCKET' => $this->database->socket(),
        ];
        if (!$started) {
            self::install($environment);
        }

        return $environment;
    }

    /** @param array<string, string> $environment */
    private static function install(array $environment): void
    {
        $folder = new Folder();
        $options = ['-d', 'error_reporting=0'];
        foreach ([...self::settings(), 'memory_limit=256M'] as $setting) {
            array_push($options, '-d', $setting);
        }
        $install = new Daemon(
            [PHP_BINARY, ...$options, dirname(__DIR__) . '/wordpress/install.php'],
            "$folder->path/install.out",
            $environment,
        );
        if ($install->finish(120.0) !== 0) {
            throw new Failure('WordPress cannot be installed: ' . $install->output());
        }
    }

    /** The reason why it cannot run here, or null. */
    public static function missing(): ?string
    {
        if (!is_file(self::FOLDER . '/wp-settings.php')) {
            return 'no WordPress in build/bench/debian (tools/bench-deps.sh fetches Debian\'s)';
        }
        $missing = array_filter(array_map(Extensions::missing(...), self::EXTENSIONS));

        return MariaDb::missing() ?? array_shift($missing);
    }

    public static function script(): string
    {
        return dirname(__DIR__) . '/wordpress/page.php';
    }

    /** @return list<string> what PHP needs for it */
    public static function settings(): array
    {
        return Extensions::settings(self::EXTENSIONS);
    }
}
