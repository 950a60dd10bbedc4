<?php

declare(strict_types=1);

namespace XHProf\Bench;

use XHProf\Tools\Servers\Extensions;
use XHProf\Tools\Servers\Folder;
use XHProf\Tools\Servers\MariaDb;

/** WordPress of Debian's package with its database: a real application, nearly all of whose calls are on paths of their own. */
final class WordPress implements Application
{
    private const EXTENSION = 'mysqli';

    private readonly MariaDb $database;

    public function __construct()
    {
        $this->database = new MariaDb();
        $folder = new Folder();
        $installation = new Installation(self::name(), $folder->path, $this->settings(), $this->environment());
        $installation->run([dirname(__DIR__) . '/wordpress/install.php']);
    }

    public static function name(): string
    {
        return 'WordPress';
    }

    public static function missing(): ?string
    {
        return Installation::missingFiles(self::name(), ['wp-settings.php'])
            ?? MariaDb::missing() ?? Extensions::missing(self::EXTENSION);
    }

    public static function extensions(): array
    {
        return [];
    }

    public static function pages(): array
    {
        return ['WordPress, front page' => '/', 'WordPress, a post with comments' => '/?p=9'];
    }

    public function script(): string
    {
        return dirname(__DIR__) . '/wordpress/page.php';
    }

    public function settings(): array
    {
        return Extensions::settings([self::EXTENSION]);
    }

    public function environment(): array
    {
        return ['BENCH_WORDPRESS' => Installation::files(self::name()), 'BENCH_SOCKET' => $this->database->socket()];
    }
}
