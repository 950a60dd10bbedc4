<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** The application in demo/shop: its files and settings, and requests that exercise it. */
final class Site
{
    private const PRODUCTS = 200;

    public static function script(): string
    {
        return dirname(__DIR__, 3) . '/demo/shop/index.php';
    }

    /** Fills the database. */
    public static function prepare(Folder $folder): void
    {
        $database = new \PDO("sqlite:$folder->path/data/shop.sqlite");
        $database->exec('CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT, description TEXT, cents INTEGER)');
        $database->exec('CREATE TABLE comment (id INTEGER PRIMARY KEY, product INTEGER, text TEXT)');
        $database->beginTransaction();
        $insert = $database->prepare('INSERT INTO product VALUES (?, ?, ?, ?)');
        for ($id = 1; $id <= self::PRODUCTS; $id++) {
            $words = [];
            for ($i = 0; $i < 40; $i++) {
                $words[] = substr(md5("$id $i"), 0, 3 + ($id * $i) % 9);
            }
            $insert->execute([$id, "Product & <no. $id>", implode(' ', $words), ($id * 7919) % 100000]);
        }
        $database->commit();
    }

    /**
     * @param list<string> $settings as "name=value"; {folder} is the temporary one
     * @return string a php.ini
     */
    public static function ini(Folder $folder, array $settings): string
    {
        $all = [
            'display_errors=0', 'log_errors=1', 'error_reporting=-1', 'error_log={folder}/php.log', 'memory_limit=32M',
            'session.save_path={folder}/sessions', 'upload_tmp_dir={folder}/uploads', 'opcache.file_update_protection=0',
            'session.gc_probability=0', 'xhprof.output_dir={folder}/runs', ...$settings,
        ];
        $ini = "[PHP]\n";
        foreach ($all as $setting) {
            [$name, $value] = explode('=', str_replace('{folder}', $folder->path, $setting), 2);
            $ini .= "$name = \"$value\"\n";
        }

        return $ini;
    }

    /**
     * A mix of all requests whose answers never change.
     *
     * @param int $count of requests
     * @param string $cookies sent with every one; each text has sessions of its own
     * @return list<Request>
     */
    public static function requests(int $count, string $cookies = ''): array
    {
        $upload = new \CURLFile(__FILE__, 'text/plain', 'site.php');
        $session = md5($cookies);
        $requests = [];
        for ($i = 0; $i < $count; $i++) {
            $id = 1 + $i % self::PRODUCTS;
            $requests[] = match ($i % 10) {
                0 => new Request('/', cookies: $cookies),
                1, 2, 3 => new Request("/products/$id", cookies: $cookies),
                4 => new Request("/search?q=a$id&token=hunter2-$i&page[api_key]=hunter2", cookies: $cookies),
                5 => new Request('/session', cookies: ltrim("$cookies; PHPSESSID=$session$i", '; ')),
                6 => new Request('/upload', ['name' => "n$i", 'password' => 'hunter2', 'file' => $upload], $cookies),
                7 => new Request("/report.json?from=$id", cookies: $cookies),
                8 => new Request('/comments', ['product' => (string) $id, 'text' => "Comment $i"], $cookies),
                default => new Request('/exit?at=' . $i % 3, cookies: $cookies),
            };
        }

        return $requests;
    }
}
