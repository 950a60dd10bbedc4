<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Web\Http\Access;
use XHProf\Web\Http\ClientAddress;
use XHProf\Web\Http\LoginFailures;
use XHProf\Web\Http\Request;

/** Who may see the pages. */
final class AccessTest extends TestCase
{
    private const HERE = ['REMOTE_ADDR' => '127.0.0.1', 'HTTP_HOST' => 'localhost:8000'];

    /** @var list<string> */
    private static array $files = [];

    protected function tearDown(): void
    {
        foreach (self::$files as $file) {
            if (is_file($file)) {
                unlink($file);
            }
        }
        self::$files = [];
    }

    /** @return array<string, array{array<string, string>, bool}> */
    public static function places(): array
    {
        return [
            'this machine' => [self::HERE, true],
            'its other addresses' => [['REMOTE_ADDR' => '127.8.9.1'] + self::HERE, true],
            'by IPv6' => [['REMOTE_ADDR' => '::1', 'HTTP_HOST' => '[::1]:8000'], true],
            'IPv4 in IPv6' => [['REMOTE_ADDR' => '::ffff:127.0.0.1'] + self::HERE, true],
            'another machine' => [['REMOTE_ADDR' => '192.168.1.7'] + self::HERE, false],
            'another machine by IPv6' => [['REMOTE_ADDR' => 'fe80::1'] + self::HERE, false],
            'IPv4 in IPv6 of another' => [['REMOTE_ADDR' => '::ffff:10.0.0.1'] + self::HERE, false],
            'any' => [['REMOTE_ADDR' => '0.0.0.0'] + self::HERE, false],
            'nobody knows' => [['HTTP_HOST' => 'localhost'], false],
            'no address' => [['REMOTE_ADDR' => '127.0.0.1.evil.example'] + self::HERE, false],
            'a foreign name' => [['HTTP_HOST' => 'evil.example'] + self::HERE, false],
            'no name' => [['REMOTE_ADDR' => '127.0.0.1'], false],
            'through a proxy' => [self::HERE + ['HTTP_X_FORWARDED_FOR' => '127.0.0.1'], false],
            'through another' => [self::HERE + ['HTTP_FORWARDED' => 'for=127.0.0.1'], false],
            'through a third' => [self::HERE + ['HTTP_X_REAL_IP' => '127.0.0.1'], false],
            'that says nothing else' => [self::HERE + ['HTTP_VIA' => '1.1 proxy'], false],
        ];
    }

    /** @return iterable<string, array{string, bool}> */
    public static function headers(): iterable
    {
        $proxies = ['Forwarded', 'X-Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Port', 'X-Forwarded-Prefix',
            'X-Forwarded-Scheme', 'X-Forwarded-Proto', 'X-Forwarded-Server', 'X-Forwarded-Anything', 'Forwarded-For', 'X-Real-IP',
            'X-Real-Port', 'X-Original-For', 'X-Original-Host', 'X-Original-URL', 'X-Client-IP', 'Client-IP', 'True-Client-IP',
            'CF-Connecting-IP', 'CF-Ray', 'CDN-Loop', 'Fastly-Client-IP', 'X-Cluster-Client-IP', 'X-Envoy-External-Address',
            'X-Amzn-Trace-Id', 'X-Azure-ClientIP', 'X-Appengine-User-IP', 'Via', 'X-Proxy-User-Ip', 'X-Remote-Addr'];
        foreach ($proxies as $header) {
            yield $header => [$header, false];
        }
        $browsers = ['Origin', 'Referer', 'User-Agent', 'Accept', 'Accept-Encoding', 'Accept-Language', 'Cookie', 'DNT',
            'Upgrade-Insecure-Requests', 'Cache-Control', 'Priority', 'X-Requested-With', 'Sec-CH-UA', 'If-None-Match'];
        foreach ($browsers as $header) {
            yield $header => [$header, true];
        }
    }

    #[DataProvider('headers')]
    public function testForwardedRequestsAreNotLocal(string $header, bool $served): void
    {
        $request = self::request(self::HERE + ['HTTP_' . strtoupper(strtr($header, '-', '_')) => 'x']);
        self::assertSame($served ? null : 403, (new Access(''))->refusal($request)?->status);
    }

    /** @return array<string, array{array<string, string>, bool}> */
    public static function sites(): array
    {
        $navigation = ['HTTP_SEC_FETCH_MODE' => 'navigate', 'HTTP_SEC_FETCH_DEST' => 'document'];

        return [
            'no browser' => [[], true],
            'typed' => [['HTTP_SEC_FETCH_SITE' => 'none'] + $navigation, true],
            'a page of these' => [['HTTP_SEC_FETCH_SITE' => 'same-origin', 'HTTP_SEC_FETCH_MODE' => 'cors'], true],
            'a link' => [['HTTP_SEC_FETCH_SITE' => 'cross-site'] + $navigation, true],
            'an image' => [['HTTP_SEC_FETCH_SITE' => 'cross-site', 'HTTP_SEC_FETCH_MODE' => 'no-cors',
                'HTTP_SEC_FETCH_DEST' => 'image'], false],
            'a frame' => [['HTTP_SEC_FETCH_SITE' => 'cross-site', 'HTTP_SEC_FETCH_DEST' => 'iframe'] + $navigation, false],
            'a script' => [['HTTP_SEC_FETCH_SITE' => 'cross-site', 'HTTP_SEC_FETCH_MODE' => 'cors',
                'HTTP_SEC_FETCH_DEST' => 'empty'], false],
            'another port' => [['HTTP_SEC_FETCH_SITE' => 'same-site', 'HTTP_SEC_FETCH_MODE' => 'cors'], false],
            'something new' => [['HTTP_SEC_FETCH_SITE' => 'other'], false],
        ];
    }

    /** @param array<string, string> $headers */
    #[DataProvider('sites')]
    public function testAnotherSiteMayOnlyLinkHere(array $headers, bool $served): void
    {
        foreach ([new Access(''), self::withPassword('open sesame!')] as $access) {
            $request = self::request(self::HERE + ['PHP_AUTH_PW' => 'open sesame!'] + $headers);
            self::assertSame($served ? null : 403, $access->refusal($request)?->status);
        }
    }

    public function testTheTokenOpensThePagesOnceAndTheCookieFromThen(): void
    {
        $token = str_repeat('5e', 16);
        $access = new Access('', token: $token);
        $refusal = $access->refusal(self::request(self::HERE));
        self::assertSame(403, $refusal?->status);
        self::assertStringContainsString('bin/xhprof serve', $refusal->body);
        self::assertSame([], $refusal->cookies);
        foreach (['', 'x', strrev($token) . '0', strtoupper($token), [$token]] as $wrong) {
            $asked = new Request('GET', ['token' => $wrong], server: self::HERE);
            self::assertSame(403, $access->refusal($asked)?->status);
        }
        $urls = [
            "/?token=$token" => './',
            "/index.php?token=$token" => 'index.php',
            "/a/index.php?run=a%26b&token=$token&source=x" => 'index.php?run=a%26b&source=x',
            "//evil.example/?token=$token&x=//y" => './?x=//y',
            "/evil.example?token=$token" => './',
        ];
        foreach ($urls as $url => $location) {
            $asked = new Request('GET', ['token' => $token], server: ['REQUEST_URI' => $url] + self::HERE);
            $answer = $access->refusal($asked);
            self::assertNotNull($answer);
            self::assertSame([302, $location], [$answer->status, $answer->headers['Location']]);
            self::assertSame(["xhprof_token_8000=$token; HttpOnly; SameSite=Strict"], $answer->cookies);
        }
        self::assertNull($access->refusal(new Request('GET', [], cookies: ['xhprof_token_8000' => $token], server: self::HERE)));
        self::assertNull($access->refusal(self::request(self::HERE + ['HTTP_AUTHORIZATION' => "Bearer $token"])));
        foreach ([['xhprof_token_8001' => $token], ['xhprof_token_8000' => 'x'], ['xhprof_token_8000' => '']] as $cookies) {
            self::assertSame(403, $access->refusal(new Request('GET', [], cookies: $cookies, server: self::HERE))?->status);
        }
        $far = self::request(['REMOTE_ADDR' => '10.0.0.1', 'HTTP_AUTHORIZATION' => "Bearer $token"] + self::HERE);
        self::assertSame(403, $access->refusal($far)?->status, 'of this machine only');
    }

    /** @param array<string, string> $server */
    #[DataProvider('places')]
    public function testWithoutAPasswordOnlyThisMachineIsServed(array $server, bool $served): void
    {
        $refusal = (new Access(''))->refusal(self::request($server));
        self::assertSame($served ? null : 403, $refusal?->status);
        self::assertTrue($refusal === null || str_contains($refusal->body, 'XHPROF_UI_PASSWORD'));
        // A password is required everywhere: a proxy on this machine may not name its client.
        $refusal = self::withPassword('open sesame!')->refusal(self::request($server));
        self::assertSame(401, $refusal?->status);
        self::assertSame('Basic realm="XHProf", charset="UTF-8"', $refusal->allHeaders()['WWW-Authenticate']);
        self::assertNull(self::withPassword('open sesame!')->refusal(self::request($server + ['PHP_AUTH_PW' => 'open sesame!'])));
    }

    /** @return array<string, array{array<string, string>, bool}> */
    public static function passwords(): array
    {
        $basic = static fn (string $pair): array => ['HTTP_AUTHORIZATION' => 'Basic ' . base64_encode($pair)];

        return [
            'right' => [$basic('anybody:open se:same'), true],
            'right, no name' => [$basic(':open se:same'), true],
            'as PHP gives it' => [['PHP_AUTH_USER' => 'x', 'PHP_AUTH_PW' => 'open se:same'], true],
            'behind a rewrite' => [['REDIRECT_HTTP_AUTHORIZATION' => 'basic ' . base64_encode('a:open se:same')], true],
            'wrong' => [$basic('anybody:Open se:same'), false],
            'longer' => [$basic('anybody:open se:same2'), false],
            'empty' => [$basic('anybody:'), false],
            'no colon' => [$basic('se'), false],
            'no base64' => [['HTTP_AUTHORIZATION' => 'Basic %%%'], false],
            'another scheme' => [['HTTP_AUTHORIZATION' => 'Bearer open se:same'], false],
            'long' => [$basic('a:' . str_repeat('open se:same', 100000)), false],
            'a proxy of this machine, no password' => [['REMOTE_ADDR' => '127.0.0.1', 'HTTP_HOST' => '127.0.0.1:8000'], false],
            'hash of it' => [$basic('a:' . hash('sha256', 'open se:same')), false],
        ];
    }

    /** @param array<string, string> $server */
    #[DataProvider('passwords')]
    public function testPasswords(array $server, bool $right): void
    {
        $refusal = self::withPassword('open se:same')->refusal(self::request(['REMOTE_ADDR' => '10.0.0.1'] + $server));
        self::assertSame($right ? null : 401, $refusal?->status);
    }

    public function testTooManyWrongPasswordsHaveToWait(): void
    {
        $file = self::file();
        $now = 1000;
        $failures = new LoginFailures($file, static function () use (&$now): int {
            return $now;
        });
        $ask = static fn (string $from, string ...$password): int => (new Access('open sesame!', $failures))
            ->refusal(self::request(['REMOTE_ADDR' => $from, 'PHP_AUTH_PW' => $password[0] ?? '']))->status ?? 200;
        for ($try = 1; $try <= LoginFailures::MAX_TRIES; $try++) {
            self::assertSame(401, $ask('10.0.0.1', 'wrong'), "try $try");
        }
        $now = 1013;
        $later = (new Access('open sesame!', $failures))->refusal(self::request(['REMOTE_ADDR' => '10.0.0.1']));
        self::assertNotNull($later);
        self::assertSame([429, '47'], [$later->status, $later->headers['Retry-After']]);
        self::assertSame(429, $ask('10.0.0.1', 'open sesame!'), 'before anything else');
        self::assertSame(429, $ask('10.0.0.1'));
        self::assertSame(200, $ask('10.0.0.2', 'open sesame!'), 'nobody else waits');
        self::assertSame(200, $ask('::1', 'open sesame!'));
        $now = 1060;
        self::assertSame(200, $ask('10.0.0.1', 'open sesame!'), 'the minute is over');
        self::assertSame(401, $ask('10.0.0.1', 'wrong'));
        for ($try = 0; $try < 11; $try++) {
            $ask("2001:db8:0:1::$try", 'wrong');
        }
        self::assertSame(429, $ask('2001:db8:0:1::99', 'wrong'), 'a network');
        for ($address = 0; $address < 1100; $address++) {
            $ask('11.0.' . intdiv($address, 256) . '.' . $address % 256, 'wrong');
        }
        self::assertLessThan(40000, filesize($file));
        self::assertSame(429, $ask('12.0.0.1', 'open sesame!'), 'a hundred of all addresses are enough');
        self::assertSame(200, $ask('10.0.0.2', 'open sesame!'), 'who gave the right one does not wait for others');
        self::assertSame(429, $ask('2001:db8:0:1::99', 'wrong'), 'nor does anybody lose its count');
        $now = 1120;
        self::assertSame(200, $ask('12.0.0.1', 'open sesame!'), 'that minute is over');
        self::assertSame(0600, fileperms($file) & 0777);
        file_put_contents($file, str_repeat("\0what is this\n", 1000));
        self::assertSame(401, $ask('10.0.0.1', 'wrong'));
    }

    /** @return iterable<string, array{string, string, string, string}> proxies, connection, header, and whose count it is */
    public static function clients(): iterable
    {
        yield 'a header alone' => ['', '127.0.0.1', '10.9.1.1', '127.0.0.1'];
        yield 'not of the proxy' => ['10.0.0.1', '10.0.0.2', '10.9.1.1', '10.0.0.2'];
        yield 'of the proxy' => ['10.0.0.1', '10.0.0.1', '192.0.2.7', '192.0.2.7'];
        yield 'made up before it' => ['10.0.0.1', '10.0.0.1', '10.9.1.1, 192.0.2.7', '192.0.2.7'];
        yield 'two proxies' => ['10.0.0.0/8, 127.0.0.1', '127.0.0.1', '6.6.6.6, 192.0.2.7, 10.200.3.4', '192.0.2.7'];
        yield 'a network that ends within a byte' => ['10.0.16.0/20', '10.0.31.255', '192.0.2.7', '192.0.2.7'];
        yield 'outside of it' => ['10.0.16.0/20', '10.0.32.0', '192.0.2.7', '10.0.32.0'];
        yield 'IPv6 proxy' => ['fd00::/8', 'fd12::1', '2001:db8:5:6::1', '2001:db8:5:6:ffff::2'];
        yield 'IPv4 in IPv6' => ['127.0.0.1', '::ffff:127.0.0.1', '192.0.2.7', '192.0.2.7'];
        yield 'with ports' => ['127.0.0.1', '127.0.0.1', '[2001:db8::1]:443', '2001:db8::2'];
        yield 'IPv4 with a port' => ['127.0.0.1', '127.0.0.1', '192.0.2.7:5000', '192.0.2.7'];
        yield 'nothing that is an address' => ['127.0.0.1', '127.0.0.1', 'unknown', '127.0.0.1'];
        yield 'no header' => ['127.0.0.1', '127.0.0.1', '', '127.0.0.1'];
        yield 'a setting that is none' => ['*, all, 10.0.0.0/99, 0.0.0.0/x', '10.0.0.1', '192.0.2.7', '10.0.0.1'];
        yield 'proxies all the way' => ['0.0.0.0/0', '10.0.0.1', '192.0.2.7', '192.0.2.7'];
    }

    #[DataProvider('clients')]
    public function testAHeaderNamesTheClientOnlyWhereTheOperatorNamesTheProxy(
        string $proxies,
        string $connection,
        string $header,
        string $client,
    ): void {
        $server = ['XHPROF_TRUSTED_PROXIES' => $proxies, 'REMOTE_ADDR' => $connection, 'HTTP_X_FORWARDED_FOR' => $header];
        $others = ['HTTP_FORWARDED' => 'for=7.7.7.7', 'HTTP_X_REAL_IP' => '7.7.7.7', 'HTTP_CLIENT_IP' => '7.7.7.7',
            'HTTP_HOST' => '7.7.7.7', 'HTTP_XHPROF_TRUSTED_PROXIES' => '0.0.0.0/0'];
        self::assertSame(
            bin2hex(ClientAddress::fromRequest(self::request(['REMOTE_ADDR' => $client]))),
            bin2hex(ClientAddress::fromRequest(self::request($server + $others))),
        );
    }

    public function testWherePasswordsCannotBeCountedNoneIsTaken(): void
    {
        $folder = sys_get_temp_dir() . '/xhprof-uncounted-' . bin2hex(random_bytes(6));
        mkdir($folder);
        symlink('/dev/null', "$folder/link");
        mkdir("$folder/folder");
        foreach ([null, "$folder/none/file", "$folder/link", "$folder/folder"] as $file) {
            $access = new Access('open sesame!', new LoginFailures($file));
            foreach (['open sesame!', 'wrong', null] as $given) {
                $asked = self::request(self::HERE + ($given === null ? [] : ['PHP_AUTH_PW' => $given]));
                $refusal = $access->refusal($asked);
                self::assertSame(403, $refusal?->status, "$file $given");
                self::assertStringContainsString('cannot be counted', $refusal->body);
            }
        }
        unlink("$folder/link");
        rmdir("$folder/folder");
        rmdir($folder);
    }

    /** Many requests that are judged at once do not get more tries than one after the other. */
    public function testTriesAreCountedBeforeTheyAreJudged(): void
    {
        $failures = new LoginFailures(self::file());
        $request = self::request(self::HERE);
        $begun = array_map(static fn (): ?int => $failures->begin($request), range(1, LoginFailures::MAX_TRIES + 5));
        self::assertSame(array_fill(0, LoginFailures::MAX_TRIES, 0), array_slice($begun, 0, LoginFailures::MAX_TRIES));
        self::assertGreaterThan(0, min(array_slice($begun, LoginFailures::MAX_TRIES)));
    }

    /** Two first requests at once: the one that comes second neither fills the file nor reads it before the first is done. */
    public function testAnotherProcessWaitsWithAllThatItDoes(): void
    {
        if (!is_readable('/proc/locks')) {
            self::markTestSkipped('who waits for a lock is in /proc/locks');
        }
        $file = self::file();
        $lock = fopen($file, 'x+');
        self::assertIsResource($lock);
        flock($lock, LOCK_EX);
        $code = 'require $argv[1]; $request = new XHProf\Web\Http\Request("GET", [], server: ["REMOTE_ADDR" => $argv[3]]);'
            . 'echo (new XHProf\Web\Http\LoginFailures($argv[2]))->begin($request);';
        $arguments = [dirname(__DIR__, 2) . '/vendor/autoload.php', $file, self::HERE['REMOTE_ADDR']];
        $process = proc_open([PHP_BINARY, '-r', $code, '--', ...$arguments], [1 => ['pipe', 'w']], $pipes);
        self::assertIsResource($process);
        $waiter = '/-> FLOCK .*:' . (fstat($lock)['ino'] ?? 0) . ' /';
        while (preg_match($waiter, (string) file_get_contents('/proc/locks')) !== 1) {
            usleep(5000);
        }
        self::assertSame(0, fstat($lock)['size'] ?? null);
        $key = substr(hash('sha256', ClientAddress::fromRequest(self::request(self::HERE))), 0, 15);
        fwrite($lock, "a$key " . time() . ' ' . (LoginFailures::MAX_TRIES - 1) . "\n");
        fflush($lock);
        flock($lock, LOCK_UN);
        self::assertSame('0', stream_get_contents($pipes[1]));
        proc_close($process);
        self::assertStringContainsString(" " . LoginFailures::MAX_TRIES . "\n", (string) file_get_contents($file));
    }

    public function testAFullDiskDoesNotStopTheCount(): void
    {
        $file = self::file();
        $failures = new LoginFailures($file);
        $failures->begin(self::request(self::HERE));
        clearstatcache();
        $bytes = filesize($file);
        for ($address = 0; $address < 90; $address++) {
            $failures->begin(self::request(['REMOTE_ADDR' => "10.0.0.$address"]));
        }
        clearstatcache();
        self::assertSame($bytes, filesize($file), 'all of its bytes are there from the first');
    }

    public function testAShortPasswordIsRefused(): void
    {
        $request = self::request(self::HERE + ['PHP_AUTH_PW' => 'elevenbytes']);
        $refusal = (new Access('elevenbytes'))->refusal($request);
        self::assertSame(403, $refusal?->status);
        self::assertStringContainsString('too short', $refusal->body);
        self::assertStringNotContainsString('elevenbytes', $refusal->body);
    }

    public function testThePasswordIsTheEnvironmentsOrTheServers(): void
    {
        $far = ['REMOTE_ADDR' => '10.0.0.1', 'PHP_AUTH_PW' => 'open sesame!'];
        $request = self::request($far + ['XHPROF_UI_PASSWORD' => 'open sesame!']);
        self::assertNull(Access::fromEnvironment($request)->refusal($request));
        self::assertSame(403, Access::fromEnvironment(self::request($far))->refusal(self::request($far))?->status);
        putenv('XHPROF_UI_PASSWORD=open sesame!');
        try {
            self::assertNull(Access::fromEnvironment(self::request($far))->refusal(self::request($far)));
        } finally {
            putenv('XHPROF_UI_PASSWORD');
        }
    }

    /** @param array<string, string> $server */
    private static function request(array $server): Request
    {
        return new Request('GET', [], server: $server);
    }

    /** The pages with a password, and a file of their own that counts the wrong ones. */
    private static function withPassword(string $password): Access
    {
        return new Access($password, new LoginFailures(self::file()));
    }

    /** @return string a file that is not there yet, and removed after the test */
    private static function file(): string
    {
        return self::$files[] = sys_get_temp_dir() . '/xhprof-failures-' . bin2hex(random_bytes(6));
    }
}
