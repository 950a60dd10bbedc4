<?php

declare(strict_types=1);

namespace XHProf\Tests\Server;

use XHProf\Tools\Servers\Client;
use XHProf\Tools\Servers\Daemon;
use XHProf\Tools\Servers\DevServer;
use XHProf\Tools\Servers\Folder;
use XHProf\Tools\Servers\Nginx;
use XHProf\Tools\Servers\PhpFpm;
use XHProf\Tools\Servers\Programs;

require_once __DIR__ . '/ServerTestCase.php';

/** The recipe of two pools, of which only one has the extension: its lines, as they are printed, choose by the cookie. */
final class PoolsTest extends ServerTestCase
{
    private const RECIPE = '## Two pools by cookie';
    private const SECRET = 'a-long-secret';
    private const PROFILED = ['XHPROF_TRIGGER=a-long-secret', 'a=b; XHPROF_TRIGGER=a-long-secret; c=d'];
    private const OTHERS = [
        '', 'XHPROF_TRIGGER=1', 'XHPROF_TRIGGER=a-long-secret-', 'XXHPROF_TRIGGER=a-long-secret', 'A=a-long-secret',
    ];

    private Folder $folder;
    private PhpFpm $plain;
    private PhpFpm $profiled;

    protected function setUp(): void
    {
        self::needServers();
    }

    public function testNginxChoosesByTheCookie(): void
    {
        $this->startPools();
        [$maps, $location] = $this->lines('nginx');
        $path = $this->folder->path;
        $parameters = "fastcgi_param REQUEST_METHOD \$request_method;\nfastcgi_param REQUEST_URI \$request_uri;\n";
        file_put_contents("$path/fastcgi_params", $parameters);
        $nginx = new Nginx($path, "access_log off;\n$maps", "root $path/data;\n$location");
        $this->check($nginx->client);
        $nginx->stop();
    }

    public function testApacheChoosesByTheCookie(): void
    {
        if (Programs::missingApache() !== null) {
            self::markTestSkipped(Programs::missingApache());
        }
        $this->startPools();
        [$files] = $this->lines('apache');
        $path = $this->folder->path;
        $address = DevServer::freeAddress();
        $load = '';
        foreach (['mpm_prefork', 'authz_core', 'proxy', 'proxy_fcgi'] as $name) {
            $load .= "LoadModule {$name}_module " . Programs::apacheModules() . "/mod_$name.so\n";
        }
        // Its workers never run as root.
        $user = posix_geteuid() === 0 ? "User www-data\nGroup www-data" : '';
        file_put_contents("$path/apache.conf", <<<TEXT
            $load
            ServerName shop.test
            Listen $address
            PidFile $path/apache.pid
            Mutex file:$path default
            ErrorLog $path/apache.log
            $user
            StartServers 1
            DocumentRoot $path/data
            <Directory />
            Require all granted
            </Directory>
            $files

            TEXT);
        $apache = new Daemon(
            ['setsid', Programs::program('apache2'), '-D', 'FOREGROUND', '-d', $path, '-f', "$path/apache.conf"],
            "$path/apache.out",
        );
        $apache->await(static fn(): bool => Daemon::listens("tcp://$address"));
        $this->check(new Client("http://$address"));
        $apache->stop(SIGWINCH);
    }

    /** One PHP-FPM without the extension, and one with the settings of the recipe. */
    private function startPools(): void
    {
        $this->folder = new Folder();
        $script = "{$this->folder->path}/data/index.php";
        file_put_contents($script, "<?php\necho extension_loaded('xhprof') ? 'profiled' : 'plain';\n");
        $more = 'listen.mode = 0666';
        $settings = ['xhprof.start_with_request=trigger', 'xhprof.trigger_value=' . self::SECRET, 'xhprof.flags=cpu,memory'];
        $this->plain = new PhpFpm([], 1, script: $script, more: $more);
        $this->profiled = new PhpFpm(self::loaded($settings), 1, script: $script, more: $more);
        // Apache's workers are of another user.
        foreach ([$this->folder, $this->plain->folder, $this->profiled->folder] as $folder) {
            chmod($folder->path, 0o711);
        }
        chmod("{$this->folder->path}/data", 0o711);
    }

    /** @return list<string> the recipe's blocks of a language, with the sockets of this test */
    private function lines(string $language): array
    {
        $text = (string) file_get_contents(__DIR__ . '/../../docs/recipes.md');
        $start = strpos($text, self::RECIPE);
        self::assertIsInt($start);
        $recipe = substr($text, $start, strpos($text, "\n## ", $start + 1) - $start);
        self::assertGreaterThan(0, preg_match_all("/```$language\\n(.*?)```/s", $recipe, $blocks));

        return str_replace(
            ['/run/php/php8.2-fpm.sock', '/run/php/php8.2-fpm-profiled.sock'],
            ["{$this->plain->folder->path}/fpm.sock", "{$this->profiled->folder->path}/fpm.sock"],
            $blocks[1],
        );
    }

    private function check(Client $client): void
    {
        foreach (self::OTHERS as $cookies) {
            $response = $client->get('/index.php', $cookies);
            self::assertSame([200, 'plain'], [$response->status, $response->body], "$cookies: " . $this->logs());
            self::assertArrayNotHasKey('x-xhprof-run', $response->headers);
        }
        $ids = [];
        foreach (self::PROFILED as $cookies) {
            $response = $client->get('/index.php', $cookies);
            self::assertSame([200, 'profiled'], [$response->status, $response->body], "$cookies: " . $this->logs());
            $ids[] = $response->headers['x-xhprof-run'] ?? '';
        }
        $this->plain->stop();
        $this->profiled->stop();
        $saved = array_map(static fn($run): ?string => $run->id, self::wholeRuns($this->profiled->runs()));
        self::assertEqualsCanonicalizing($ids, $saved);
        self::assertSame([], self::wholeRuns($this->plain->runs()));
    }

    private function logs(): string
    {
        $path = $this->folder->path;

        return (string) @file_get_contents("$path/nginx.log") . @file_get_contents("$path/apache.log");
    }
}
