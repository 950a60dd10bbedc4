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
    /** Where tools/bench-deps.sh, or tools/frameworks.sh, unpacks Debian's. */
    private const FOLDERS = [
        __DIR__ . '/../../build/bench/debian/usr/share/wordpress', __DIR__ . '/../../build/frameworks/debian/usr/share/wordpress',
    ];
    private const EXTENSIONS = ['mysqli'];

    private readonly MariaDb $database;
    /** @var array<string, string> environment of PHP */
    public readonly array $environment;

    public function __construct()
    {
        $this->database = new MariaDb();
        $this->environment = [
            'BENCH_WORDPRESS' => (string) self::folder(), 'BENCH_SOCKET' => $this->database->socket(),
        ];
        $folder = new Folder();
        $options = ['-d', 'error_reporting=0'];
        foreach ([...self::settings(), 'memory_limit=256M'] as $setting) {
            array_push($options, '-d', $setting);
        }
        $install = new Daemon(
            [PHP_BINARY, ...$options, dirname(__DIR__) . '/wordpress/install.php'],
            "$folder->path/install.out",
            $this->environment,
        );
        if ($install->finish(120.0) !== 0) {
            throw new Failure('WordPress cannot be installed: ' . $install->output());
        }
    }

    /** The reason why it cannot run here, or null. */
    public static function missing(): ?string
    {
        return self::folder() !== null
            ? MariaDb::missing() ?? Extensions::missing('mysqli')
            : 'no WordPress in build/bench/debian (tools/bench-deps.sh fetches Debian\'s)';
    }

    private static function folder(): ?string
    {
        foreach (self::FOLDERS as $folder) {
            if (is_file("$folder/wp-settings.php")) {
                return (string) realpath($folder);
            }
        }

        return null;
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
