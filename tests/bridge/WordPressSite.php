<?php

declare(strict_types=1);

namespace XHProf\Tests\Bridge;

use XHProf\Bench\WordPress;
use XHProf\Tools\Servers\Client;
use XHProf\Tools\Servers\Daemon;
use XHProf\Tools\Servers\DevServer;
use XHProf\Tools\Servers\Folder;
use XHProf\Tools\Servers\Response;
use XHProf\Tools\Servers\ServerFailure;

require_once __DIR__ . '/../../tools/servers/autoload.php';
require_once __DIR__ . '/../../benchmarks/src/autoload.php';

/**
 * Debian's WordPress in a folder of its own, with a database, served by PHP: `bench` (password `bench`) is its administrator,
 * `editor` (`editor`) an editor, `owner` (`owner`) another administrator, who in a network is one of the second site alone.
 */
final class WordPressSite
{
    private const PATIENCE = 120.0;

    public readonly Folder $folder;
    public readonly DevServer $server;
    public readonly Client $client;
    private readonly WordPress $wordpress;
    /** @var array<string, string> */
    private array $environment;

    /**
     * @param string $path of the site, "/" or "/blog/"
     * @param string $permalinks their structure; '': plain ones
     * @param list<string> $settings of php.ini, as "name=value"
     * @param bool $network whether it is a network of sites in sub-folders: the second one is `two/`
     * @param bool $withBridge whether the must-use plug-in is there
     */
    public function __construct(
        private readonly string $path = '/',
        string $permalinks = '/%postname%/',
        array $settings = [],
        bool $network = false,
        bool $withBridge = true,
    ) {
        $this->wordpress = new WordPress();
        $this->folder = new Folder();
        $this->copy();
        if ($withBridge) {
            $this->plugin('mu-plugins/xhprof.php', dirname(__DIR__, 2) . '/bridge/wordpress/xhprof.php');
        }
        $this->environment = [
            'SITE_FOLDER' => $this->site(), 'SITE_PATH' => $path, 'SITE_PERMALINKS' => $permalinks,
            'SITE_BRIDGE' => dirname(__DIR__, 2) . '/bridge',
        ] + $this->wordpress->environment();
        $settings = [...$this->wordpress->settings(), 'memory_limit=256M', 'error_reporting=0', ...$settings];
        $this->server = new DevServer(
            $settings,
            3,
            ['SITE_NETWORK' => $network ? '1' : ''] + $this->environment,
            __DIR__ . '/wordpress/router.php',
        );
        $this->client = $this->server->client;
        $this->setUp($network ? 'make' : '');
        if ($network) {
            $this->setUp('1');
        }
    }

    /** Its processes, which outlive the one that has started them; then the database and the folders go. */
    public function __destruct()
    {
        $this->server->stop();
    }

    public static function missing(): ?string
    {
        return WordPress::missing();
    }

    /** The folder of WordPress. */
    public function site(): string
    {
        return "{$this->folder->path}/site";
    }

    /** The URL of the site, with a slash at its end. */
    public function url(): string
    {
        return $this->client->base . $this->path;
    }

    /** Places a file in wp-content. */
    public function plugin(string $name, string $source): void
    {
        $file = $this->site() . "/wp-content/$name";
        is_dir(dirname($file)) || mkdir(dirname($file), 0o755, true);
        copy($source, $file);
    }

    /** The cookies of somebody who has logged in. */
    public function login(string $name): string
    {
        $handle = curl_init($this->url() . 'wp-login.php');
        $cookies = [];
        curl_setopt_array($handle, [
            CURLOPT_POSTFIELDS => http_build_query(['log' => $name, 'pwd' => $name, 'testcookie' => '1']),
            CURLOPT_COOKIE => 'wordpress_test_cookie=WP%20Cookie%20check',
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_HEADERFUNCTION => static function (\CurlHandle $handle, string $line) use (&$cookies): int {
                if (preg_match('/^Set-Cookie: (wordpress_[^=]+=[^;]+);/i', $line, $match) === 1) {
                    $cookies[] = $match[1];
                }

                return strlen($line);
            },
        ]);
        $body = curl_exec($handle);
        if (curl_getinfo($handle, CURLINFO_RESPONSE_CODE) !== 302) {
            throw new ServerFailure("$name cannot log in: " . strip_tags((string) $body));
        }

        return implode('; ', $cookies);
    }

    /** @param string $path below the site */
    public function get(string $path, string $cookies = ''): Response
    {
        return $this->client->get($this->path . $path, $cookies);
    }

    /** Hard links of Debian's files; those that are written are replaced. */
    private function copy(): void
    {
        $source = $this->wordpress->environment()['BENCH_WORDPRESS'];
        $command = sprintf('cp -al %1$s %2$s 2>&1 || cp -r %1$s %2$s 2>&1', escapeshellarg($source), escapeshellarg($this->site()));
        exec($command, $output, $code);
        if ($code !== 0) {
            throw new ServerFailure('WordPress cannot be copied: ' . implode("\n", $output));
        }
        unlink($this->site() . '/wp-config.php');
        copy(__DIR__ . '/wordpress/wp-config.php', $this->site() . '/wp-config.php');
    }

    private function setUp(string $network): void
    {
        $options = [];
        foreach ([...$this->wordpress->settings(), 'memory_limit=512M', 'error_reporting=0'] as $setting) {
            array_push($options, '-d', $setting);
        }
        $environment = [
            'SITE_NETWORK' => $network, 'SITE_HOST' => substr($this->client->base, strlen('http://')),
        ] + $this->environment;
        $command = [PHP_BINARY, ...$options, __DIR__ . '/wordpress/setup.php'];
        $program = new Daemon($command, "{$this->folder->path}/setup.out", $environment);
        if ($program->finish(self::PATIENCE) !== 0) {
            throw new ServerFailure("WordPress cannot be prepared: {$program->output()}");
        }
    }
}
