<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Serve\WebServer;
use XHProf\Tests\Html\Page;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../html/Page.php';

/** `xhprof serve`: pages on loopback, a port of its own, a clean end. */
final class ServeCommandTest extends CliTestCase
{
    private string $token = '';

    /** @return iterable<string, array{int}> */
    public static function endings(): iterable
    {
        yield 'Ctrl-C' => [2];
        yield 'SIGTERM' => [15];
        yield 'SIGHUP' => [1];
    }

    #[DataProvider('endings')]
    public function testServesTheRunsAndEndsCleanly(int $signal): void
    {
        $this->store()->save(['main()' => ['ct' => 1, 'wt' => 9], 'main()==>findMe' => ['ct' => 1, 'wt' => 8]], 'cli', 'run1');
        [$process, $url] = $this->serve(['--port=0']);
        $list = $this->get($url);
        $report = $this->get("{$url}index.php?run=run1&source=cli");
        $port = self::port($url);
        while (count(self::servers($port)) < 6) {
            usleep(5000); // the shell, PHP and four workers
        }
        proc_terminate($process, $signal);

        self::assertSame(0, $this->exitCode($process));
        self::assertSame([], self::servers($port));
        self::assertSame('', file_get_contents("$this->folder/stderr"));
        self::assertStringContainsString('200', $list[0]);
        self::assertStringContainsString('run1', $list[1]);
        self::assertStringContainsString('200', $report[0]);
        self::assertStringContainsString('findMe', $report[1]);
        self::assertFalse(@stream_socket_client("tcp://127.0.0.1:$port"), 'the server is gone');
    }

    public function testItsServerEndsWithItHoweverItEnds(): void
    {
        [$process, $url] = $this->serve(['--port=0']);
        $port = self::port($url);
        self::assertNotSame([], self::servers($port));
        proc_terminate($process, 9);

        self::assertSame(-9, $this->exitCode($process));
        while (self::servers($port) !== []) {
            usleep(5000);
        }
    }

    public function testItEndsWithItsServer(): void
    {
        [$process, $url] = $this->serve(['--port=0']);
        // PHP leads a group of its own, with its workers.
        posix_kill(-self::servers(self::port($url))[1], 9);

        self::assertSame(1, $this->exitCode($process));
        self::assertStringContainsString('the web server ended', (string) file_get_contents("$this->folder/stderr"));
        self::assertSame([], self::servers(self::port($url)));
    }

    /** The first page waits for a lock that the test holds until another page has been answered. */
    public function testOnePageDoesNotWaitForAnother(): void
    {
        if (!is_readable('/proc/locks')) {
            self::markTestSkipped('who waits for a lock is in /proc/locks');
        }
        $this->store()->save(['main()' => ['ct' => 1, 'wt' => 9]], 'cli', 'run1');
        mkdir("$this->folder/cache", 0700);
        $password = ['XHPROF_UI_PASSWORD' => 'open sesame!', 'XDG_CACHE_HOME' => "$this->folder/cache"];
        [$process, $url] = $this->serve(['--port=0'], $password);
        self::assertStringContainsString('401', $this->get($url)[0]);
        $lock = fopen("$this->folder/cache/xhprof/wrong-passwords", 'r');
        self::assertIsResource($lock);
        flock($lock, LOCK_EX);
        $port = self::port($url);
        $first = stream_socket_client("tcp://127.0.0.1:$port");
        self::assertIsResource($first);
        $user = base64_encode('me:open sesame!');
        fwrite($first, "GET / HTTP/1.0\r\nHost: 127.0.0.1:$port\r\nAuthorization: Basic $user\r\n\r\n");
        $waiter = '/-> FLOCK .*:' . (fstat($lock)['ino'] ?? 0) . ' /';
        while (preg_match($waiter, (string) file_get_contents('/proc/locks')) !== 1) {
            usleep(5000);
        }
        $second = $this->get($url, ['Sec-Fetch-Site: cross-site']);
        $asset = $this->get("{$url}assets/app.css");
        flock($lock, LOCK_UN);
        $answer = (string) stream_get_contents($first);
        proc_terminate($process);

        self::assertSame(0, $this->exitCode($process));
        self::assertStringContainsString('403', $second[0]);
        self::assertStringContainsString('200', $asset[0]);
        self::assertStringContainsString('run1', $answer);
    }

    public function testCtrlCOnTheWholeGroup(): void
    {
        $code = '$p = proc_open([PHP_BINARY, ...array_slice($argv, 1)], [], $pipes); pcntl_signal(2, fn () => 0);'
            . 'do { usleep(9000); $s = proc_get_status($p); } while ($s["running"]); exit($s["exitcode"]);';
        $arguments = [self::program(), 'serve', '--port=0'];
        $process = $this->start(['setsid', PHP_BINARY, $this->script($code), ...$arguments]);
        $this->url($process);
        // setsid makes the process a group of its own, with xhprof and php -S in it
        posix_kill(-proc_get_status($process)['pid'], 2);

        self::assertSame(0, $this->exitCode($process));
        self::assertSame('', file_get_contents("$this->folder/stderr"));
    }

    public function testTakesTheNextFreePortUnlessOneIsGiven(): void
    {
        $taken = stream_socket_server('tcp://127.0.0.1:0');
        self::assertIsResource($taken);
        $port = (int) substr((string) strrchr((string) stream_socket_get_name($taken, false), ':'), 1);
        self::assertOneLineError("cannot listen on 127.0.0.1:$port", $this->xhprof(['serve', "--port=$port"]));

        $default = @stream_socket_server('tcp://127.0.0.1:8000');
        [$process, $url] = $this->serve([]);
        proc_terminate($process);
        self::assertGreaterThan(8000, (int) parse_url($url, PHP_URL_PORT));
        self::assertSame(0, $this->exitCode($process));
        if (is_resource($default)) {
            fclose($default);
        }
    }

    public function testVerbosePrintsRequests(): void
    {
        [$process, $url] = $this->serve(['--port=0', '-v']);
        $this->get($url);
        proc_terminate($process);

        self::assertSame(0, $this->exitCode($process));
        self::assertStringContainsString('GET /', (string) file_get_contents("$this->folder/stderr"));
    }

    public function testOtherMachinesNeedAPassword(): void
    {
        foreach (['0.0.0.0', '192.0.2.1', '::', 'example.org', '127.evil.org'] as $host) {
            self::assertOneLineError('XHPROF_UI_PASSWORD', $this->xhprof(['serve', "--host=$host", '--port=0']));
        }
        $password = ['XHPROF_UI_PASSWORD' => 'open sesame!'];
        self::assertOneLineError(
            'cannot listen on 192.0.2.1',
            $this->xhprof(['serve', '--host=192.0.2.1', '--port=8000'], environment: $password),
        );
        $short = $this->xhprof(['serve', '--port=0'], environment: ['XHPROF_UI_PASSWORD' => 'sesame']);
        self::assertOneLineError('too short', $short);
        $this->store()->save(['main()' => ['ct' => 1, 'wt' => 9]], 'cli', 'run1');
        [$process, $url] = $this->serve(['--host=0.0.0.0', '--port=0'], $password);
        $local = str_replace('0.0.0.0', '127.0.0.1', $url);
        $here = $this->get($local);
        // Like a request of another machine, through a proxy.
        $none = $this->get($local, ['X-Forwarded-For: 192.0.2.7']);
        $right = $this->get($local, ['X-Forwarded-For: 192.0.2.7', 'Authorization: Basic ' . base64_encode('me:open sesame!')]);
        proc_terminate($process);
        self::assertSame(0, $this->exitCode($process));
        self::assertStringContainsString('401', $here[0]);
        self::assertStringContainsString('401', $none[0]);
        self::assertStringNotContainsString('run1', $none[1]);
        self::assertStringContainsString('200', $right[0]);
        self::assertStringContainsString('run1', $right[1]);
    }

    public function testAStoreOfManyHostsIsNamedByTheEnvironment(): void
    {
        $this->store()->save(['main()' => ['ct' => 1, 'wt' => 9]], 'cli', 'run1');
        $wrong = ['http://db/fleet' => 'clickhouse://', 'clickhouse://me:secret@db/fleet' => 'user or a password'];
        foreach ($wrong as $address => $why) {
            $refused = $this->xhprof(['serve', '--port=0'], environment: ['XHPROF_FLEET' => $address]);
            self::assertOneLineError($why, $refused);
            self::assertStringNotContainsString('secret', $refused->out . $refused->err);
        }
        // Nothing is asked of the store before a page of it is opened.
        [$process, $url] = $this->serve(['--port=0'], ['XHPROF_FLEET' => 'clickhouse://127.0.0.1:1/fleet']);
        $list = $this->get($url);
        proc_terminate($process);
        self::assertSame(0, $this->exitCode($process));
        self::assertStringContainsString('href="index.php?view=fleet"', $list[1]);
    }

    public function testOnlyWhoeverHasTheAddressSeesThePages(): void
    {
        $this->store()->save(['main()' => ['ct' => 1, 'wt' => 9]], 'cli', 'run1');
        [$process, $url] = $this->serve(['--port=0']);
        $token = $this->token;
        self::assertSame(32, strlen($token));
        $with = $this->get($url);
        $this->token = '';
        foreach (
            ['', 'index.php?run=run1&source=cli', 'api.php?get=runs', 'typeahead.php?q=m&run=run1&source=cli', 'callgraph.php',
            '?token=0', '?token=' . strrev($token)] as $path
        ) {
            [$status, $body] = $this->get($url . $path);
            self::assertStringContainsString('403', $status, $path);
            self::assertStringNotContainsString('run1', $body, $path);
            self::assertStringContainsString('--no-token', $body, $path);
        }
        $headers = $this->headers("{$url}index.php?run=run1&token=$token&source=cli");
        self::assertSame('index.php?run=run1&source=cli', $headers['location']);
        $port = parse_url($url, PHP_URL_PORT);
        self::assertSame("xhprof_token_$port=$token; HttpOnly; SameSite=Strict", $headers['set-cookie']);
        $again = $this->get($url, ['Cookie: ' . explode(';', $headers['set-cookie'])[0]]);
        proc_terminate($process);
        self::assertSame(0, $this->exitCode($process));
        self::assertStringContainsString('run1', $with[1]);
        self::assertStringContainsString('run1', $again[1]);

        [$process, $url] = $this->serve(['--port=0', '--no-token']);
        $open = $this->get($url);
        proc_terminate($process);
        self::assertSame(0, $this->exitCode($process));
        self::assertSame('', $this->token);
        self::assertStringContainsString('run1', $open[1]);
    }

    /** @return iterable<string, array{string, int}> */
    public static function limits(): iterable
    {
        yield 'as given' => ['1G', 1 << 30];
        yield 'no less than the pages need' => ['10M', 512 << 20];
        yield 'no share of the machine' => ['', 512 << 20];
    }

    /** PHP reads a form into memory before the pages run: memory_limit does not count all of it. */
    #[DataProvider('limits')]
    public function testTheServerHasAMemoryLimitOfItsOwn(string $limit, int $bytes): void
    {
        if (getenv('ASAN_OPTIONS') !== false) {
            self::markTestSkipped('sanitizers reserve terabytes');
        }
        [$process, $url] = $this->serve(['--port=0'], ['XHPROF_MEMORY_LIMIT' => $limit]);
        $server = self::servers(self::port($url))[1];
        $limits = (string) file_get_contents("/proc/$server/limits");
        $command = explode("\0", (string) file_get_contents("/proc/$server/cmdline"));
        proc_terminate($process);

        self::assertSame(0, $this->exitCode($process));
        self::assertContains("memory_limit=$bytes", $command);
        self::assertSame(1, preg_match('/^Max address space +(\d+) +(\d+) +bytes/m', $limits, $match), $limits);
        $most = (string) ($bytes + (2 << 30));
        self::assertSame([$most, $most], array_slice($match, 1));
    }

    /** Where php.ini profiles all programs, and a shell has XHPROF_TRIGGER. */
    public function testThePagesAreNotProfiled(): void
    {
        self::needExtension();
        mkdir("$this->folder/conf.d");
        $load = extension_loaded('xhprof') ? '' : 'extension=' . realpath(self::ROOT . '/extension/modules/xhprof.so');
        foreach (['exact', 'aggregate'] as $mode) {
            file_put_contents("$this->folder/conf.d/xhprof.ini", "$load\nxhprof.start_with_request=yes\nxhprof.mode=$mode\n");
            [$process, $url] = $this->serve(['--port=0'], [
                'PHP_INI_SCAN_DIR' => getenv('PHP_INI_SCAN_DIR') . PATH_SEPARATOR . "$this->folder/conf.d",
                'XHPROF_TRIGGER' => '1',
            ]);
            foreach (['', 'index.php?view=requests', 'api.php?get=runs', 'assets/app.css', 'none', 'callgraph.php'] as $path) {
                self::assertArrayNotHasKey('x-xhprof-run', $this->headers("$url$path"));
            }
            self::assertStringContainsString('403', Page::ask($url)->status . '', 'without the token');
            proc_terminate($process);
            self::assertSame(0, $this->exitCode($process));
            $files = array_diff(scandir("$this->folder/runs") ?: [], ['.', '..']);
            self::assertSame([], array_values(preg_grep('/\A\.xhprof-index/', $files, PREG_GREP_INVERT) ?: []), $mode);
        }
    }

    public function testNothingButThePagesAndTheirAssets(): void
    {
        // A run folder where none belongs.
        $documents = self::ROOT . '/xhprof_html';
        $planted = [
            "$documents/.planted.sqlite", "$documents/planted.xhprof", "$documents/planted.web.run",
            "$documents/assets/.planted.css",
        ];
        [$process, $url] = $this->serve(['--port=0']);
        try {
            foreach ($planted as $file) {
                file_put_contents($file, 'secret');
            }
            $secrets = [
                '.planted.sqlite', 'planted.xhprof', 'planted.web.run', 'assets/.planted.css', 'assets/%2eplanted.css', 'README.md',
                'templates/base.html.twig', 'assets/../README.md', 'assets/..%2fREADME.md', 'assets/%2e%2e/README.md',
                'assets//../README.md', '..%2f..%2f..%2fetc%2fpasswd', 'assets/app.css%00.txt', 'assets/', 'assets', 'router.php',
                'bootstrap.php', 'index.php%00', 'assets\\app.css', 'Index.php', 'index.php/../README.md', 'api.php/..%2fREADME.md',
                'index.php/%2e%2e/.planted.sqlite', 'callgraph.php/x/../../templates/base.html.twig',
            ];
            foreach ($secrets as $path) {
                $answer = $this->get($url . $path);
                self::assertStringContainsString('404', $answer[0], $path);
                self::assertSame("There is no such page.\n", $answer[1], $path);
            }
        } finally {
            array_map(unlink(...), array_filter($planted, is_file(...)));
        }
        foreach (['' => 'text/html', 'typeahead.php' => 'text/plain', 'assets/app.css?v=1' => 'text/css'] as $path => $type) {
            $headers = $this->headers("$url$path");
            self::assertStringStartsWith($type, $headers['content-type']);
            self::assertSame('nosniff', $headers['x-content-type-options']);
            self::assertSame('same-origin', $headers['cross-origin-resource-policy']);
            self::assertArrayNotHasKey('x-powered-by', $headers);
        }
        $tag = $this->headers("{$url}assets/js/app.js")['etag'];
        [$status, $body] = $this->get("{$url}assets/js/app.js", ["If-None-Match: $tag"]);
        proc_terminate($process);
        self::assertSame(0, $this->exitCode($process));
        self::assertStringContainsString('304', $status);
        self::assertSame('', $body);
    }

    public function testLoopback(): void
    {
        foreach (['127.0.0.1', '127.1.2.3', '::1', '[::1]', 'localhost', 'LocalHost'] as $host) {
            self::assertTrue(WebServer::isLoopback($host), $host);
        }
        foreach (['0.0.0.0', '128.0.0.1', '127.0.0.1.example.org', '::', '', '127.0.0', "127.0.0.1\n"] as $host) {
            self::assertFalse(WebServer::isLoopback($host), $host);
        }
    }

    /**
     * @param list<string> $options
     * @param array<string, string> $environment
     * @return array{resource, string} the process and its URL
     */
    private function serve(array $options, array $environment = []): array
    {
        $process = $this->start([PHP_BINARY, self::program(), 'serve', ...$options], $environment);

        return [$process, $this->url($process)];
    }

    /**
     * Without the token, which get() and headers() send.
     *
     * @param resource $process that prints it
     */
    private function url($process): string
    {
        while (proc_get_status($process)['running']) {
            $printed = (string) @file_get_contents("$this->folder/stdout");
            if (preg_match('~(http://[^\s?]+/)(?:\?token=([0-9a-f]{32}))?  \(~', $printed, $match) === 1) {
                $this->token = $match[2] ?? '';

                return $match[1];
            }
            usleep(5000);
        }
        self::fail('no address: ' . file_get_contents("$this->folder/stderr"));
    }

    /**
     * @param list<string> $headers
     * @return array{string, string} status and body
     */
    private function get(string $url, array $headers = []): array
    {
        $page = $this->ask($url, $headers);

        return [(string) $page->status, $page->body];
    }

    /** @return array<string, string> by name in lower case */
    private function headers(string $url): array
    {
        return $this->ask($url)->headers;
    }

    /** @param list<string> $headers */
    private function ask(string $url, array $headers = []): Page
    {
        return Page::ask($url, ['header' => [...$headers, ...($this->token === '' ? [] : ["Authorization: Bearer $this->token"])]]);
    }

    private static function port(string $url): int
    {
        return (int) parse_url($url, PHP_URL_PORT);
    }

    /** @return list<int> the processes of the server at a port: the shell, PHP, its workers */
    private static function servers(int $port): array
    {
        $found = [];
        foreach (glob('/proc/[0-9]*/cmdline') ?: [] as $file) {
            if (str_contains((string) @file_get_contents($file), "\0-S\x00127.0.0.1:$port\0")) {
                $found[] = (int) basename(dirname($file));
            }
        }
        sort($found);

        return $found;
    }

    /** @param resource $process */
    private function exitCode($process): int
    {
        while (($status = proc_get_status($process))['running']) {
            usleep(5000);
        }

        return $status['signaled'] ? -$status['termsig'] : $status['exitcode'];
    }
}
