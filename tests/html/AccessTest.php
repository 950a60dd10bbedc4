<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Web\Http\Access;
use XHProf\Web\Http\Request;

/** Who may see the pages. */
final class AccessTest extends TestCase
{
    private const HERE = ['REMOTE_ADDR' => '127.0.0.1', 'HTTP_HOST' => 'localhost:8000'];

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

    /** @param array<string, string> $server */
    #[DataProvider('places')]
    public function testWithoutAPasswordOnlyThisMachineIsServed(array $server, bool $served): void
    {
        $refusal = (new Access(''))->refusal(self::request($server));
        self::assertSame($served ? null : 403, $refusal?->status);
        self::assertTrue($refusal === null || str_contains($refusal->body, 'XHPROF_UI_PASSWORD'));
        // A password is asked for everywhere: a proxy on this machine may say nothing of whom it speaks for.
        $refusal = (new Access('sesame', 0))->refusal(self::request($server));
        self::assertSame(401, $refusal?->status);
        self::assertSame('Basic realm="XHProf", charset="UTF-8"', $refusal->allHeaders()['WWW-Authenticate']);
        self::assertNull((new Access('sesame', 0))->refusal(self::request($server + ['PHP_AUTH_PW' => 'sesame'])));
    }

    /** @return array<string, array{array<string, string>, bool}> */
    public static function passwords(): array
    {
        $basic = static fn (string $pair): array => ['HTTP_AUTHORIZATION' => 'Basic ' . base64_encode($pair)];

        return [
            'right' => [$basic('anybody:se:same'), true],
            'right, no name' => [$basic(':se:same'), true],
            'as PHP gives it' => [['PHP_AUTH_USER' => 'x', 'PHP_AUTH_PW' => 'se:same'], true],
            'behind a rewrite' => [['REDIRECT_HTTP_AUTHORIZATION' => 'basic ' . base64_encode('a:se:same')], true],
            'wrong' => [$basic('anybody:Se:same'), false],
            'longer' => [$basic('anybody:se:same2'), false],
            'empty' => [$basic('anybody:'), false],
            'no colon' => [$basic('se'), false],
            'no base64' => [['HTTP_AUTHORIZATION' => 'Basic %%%'], false],
            'another scheme' => [['HTTP_AUTHORIZATION' => 'Bearer se:same'], false],
            'long' => [$basic('a:' . str_repeat('se:same', 100000)), false],
            'a proxy of this machine, no password' => [['REMOTE_ADDR' => '127.0.0.1', 'HTTP_HOST' => '127.0.0.1:8000'], false],
            'hash of it' => [$basic('a:' . hash('sha256', 'se:same')), false],
        ];
    }

    /** @param array<string, string> $server */
    #[DataProvider('passwords')]
    public function testPasswords(array $server, bool $right): void
    {
        $refusal = (new Access('se:same', 0))->refusal(self::request(['REMOTE_ADDR' => '10.0.0.1'] + $server));
        self::assertSame($right ? null : 401, $refusal?->status);
    }

    public function testAWrongPasswordTakesTime(): void
    {
        $access = new Access('sesame', 50000);
        $started = hrtime(true);
        $access->refusal(self::request(['REMOTE_ADDR' => '10.0.0.1', 'PHP_AUTH_PW' => 'wrong']));
        self::assertGreaterThan(45e6, hrtime(true) - $started);
        // The first question does not: this would never end.
        $first = (new Access('sesame', PHP_INT_MAX))->refusal(self::request(['REMOTE_ADDR' => '10.0.0.1']));
        self::assertSame(401, $first?->status);
    }

    public function testThePasswordIsTheEnvironmentsOrTheServers(): void
    {
        $far = ['REMOTE_ADDR' => '10.0.0.1', 'PHP_AUTH_PW' => 'sesame'];
        $request = self::request($far + ['XHPROF_UI_PASSWORD' => 'sesame']);
        self::assertNull(Access::fromEnvironment($request)->refusal($request));
        self::assertSame(403, Access::fromEnvironment(self::request($far))->refusal(self::request($far))?->status);
        putenv('XHPROF_UI_PASSWORD=sesame');
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
}
