<?php

declare(strict_types=1);

namespace XHProf\Bench;

use XHProf\Tools\Servers\Extensions;
use XHProf\Tools\Servers\Folder;
use XHProf\Tools\Servers\MariaDb;

/** MediaWiki of Debian's package with its database: a view of a page from the cache of its parser, and a parse of that page. */
final class MediaWiki implements Application
{
    private const EXTENSION = 'mysqli';
    /** What its own check asks for, besides what each PHP has. */
    private const NEEDS = ['ctype', 'dom', 'fileinfo', 'iconv', 'intl', 'mbstring', 'xml', 'xmlreader'];

    private readonly MariaDb $database;
    private readonly Folder $folder;

    public function __construct()
    {
        $this->database = new MariaDb();
        $this->folder = new Folder();
        $own = dirname(__DIR__) . '/mediawiki';
        $maintenance = Installation::files(self::name()) . '/maintenance';
        $path = $this->folder->path;
        // The PHP of the command line has read its php.ini, with the extensions.
        (new Installation(self::name(), $path, $this->settings(), []))->run([
            "$maintenance/install.php", '--dbtype=mysql', "--dbserver=localhost:{$this->database->socket()}", '--dbname=shop',
            '--dbuser=root', '--dbpass=', '--installdbuser=root', '--installdbpass=', '--server=http://shop.test',
            '--scriptpath=', '--skins=Vector', '--pass=correct-horse-9', "--confpath=$path", 'Bench', 'Admin',
        ]);
        file_put_contents("$path/LocalSettings.php", "\nrequire '$own/settings.php';\n", FILE_APPEND);
        $installed = new Installation(self::name(), $path, $this->settings(), $this->environment());
        foreach (['templates' => 'Template:', 'pages' => ''] as $texts => $prefix) {
            $files = glob("$own/$texts/*.txt") ?: throw new Failure("there are no texts in $own/$texts");
            $installed->run(["$maintenance/importTextFiles.php", '--overwrite', "--prefix=$prefix", ...$files]);
        }
    }

    public static function name(): string
    {
        return 'MediaWiki';
    }

    public static function missing(): ?string
    {
        foreach (self::NEEDS as $name) {
            // Its installer runs with the extensions of this PHP, its pages with those that they load.
            if (!extension_loaded($name)) {
                return "this PHP has no $name";
            }
        }

        return Installation::missingFiles(self::name(), ['index.php', 'extensions-core/Cite/extension.json'])
            ?? MariaDb::missing() ?? Extensions::missing(self::EXTENSION);
    }

    public static function extensions(): array
    {
        return self::NEEDS;
    }

    public static function pages(): array
    {
        // A text has no place in a cache, so the page in it is parsed by each request.
        $parse = ['action' => 'parse', 'format' => 'json', 'contentmodel' => 'wikitext', 'text' => '{{:Harwick}}'];

        return [
            'MediaWiki, view of a page' => '/index.php?title=Harwick',
            'MediaWiki, parse of a page' => '/api.php?' . http_build_query($parse),
        ];
    }

    public function script(): string
    {
        return dirname(__DIR__) . '/mediawiki/page.php';
    }

    public function settings(): array
    {
        return Extensions::settings([self::EXTENSION]);
    }

    public function environment(): array
    {
        return [
            'MW_CONFIG_FILE' => "{$this->folder->path}/LocalSettings.php",
            'BENCH_MEDIAWIKI' => Installation::files(self::name()),
            'BENCH_CACHE' => "{$this->folder->path}/data",
        ];
    }
}
