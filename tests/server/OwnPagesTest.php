<?php

declare(strict_types=1);

namespace XHProf\Tests\Server;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tools\Servers\Apache;
use XHProf\Tools\Servers\PhpFpm;
use XHProf\Tools\Servers\Programs;

require_once __DIR__ . '/ServerTestCase.php';

/** A server whose settings profile all requests does not profile XHProf's own pages, unless it is asked for. */
final class OwnPagesTest extends ServerTestCase
{
    /** nginx gives both to the pages. */
    private const PASSWORD = [
        'REMOTE_ADDR' => '127.0.0.1', 'XHPROF_UI_PASSWORD' => 'a-long-password', 'PHP_AUTH_PW' => 'a-long-password',
    ];

    private const ROOT = __DIR__ . '/../..';

    /** @return iterable<string, array{list<string>}> */
    public static function settings(): iterable
    {
        foreach (['exact', 'sample', 'alloc'] as $mode) {
            yield $mode => [["xhprof.mode=$mode", 'xhprof.start_with_request=yes']];
        }
        yield 'aggregate' => [['xhprof.mode=aggregate', 'xhprof.start_with_request=yes', 'xhprof.flush_seconds=1']];
        yield 'trigger' => [['xhprof.start_with_request=trigger', 'xhprof.trigger_value=open-sesame']];
    }

    /** @param list<string> $settings */
    #[DataProvider('settings')]
    public function testPagesUnderPhpFpm(array $settings): void
    {
        self::needServers();
        $server = new PhpFpm(
            self::loaded(['memory_limit=256M', ...$settings]),
            1,
            script: (string) realpath(self::ROOT . '/xhprof_html/index.php'),
            parameters: self::PASSWORD,
        );
        foreach (['/', '/?view=requests', '/?run=none', '/?XHPROF_TRIGGER=open-sesame'] as $path) {
            $answer = $server->client->get($path, 'XHPROF_TRIGGER=open-sesame');
            self::assertContains($answer->status, [200, 404], $answer->body);
            self::assertArrayNotHasKey('x-xhprof-run', $answer->headers);
        }
        $server->stop();
        self::assertNothingIsLeft($server->runs());
        self::assertSame('', $server->errors());
    }

    /** @param list<string> $settings */
    #[DataProvider('settings')]
    public function testTheSameUnderApache(array $settings): void
    {
        self::needServers();
        if (Programs::missingApache() !== null) {
            self::markTestSkipped(Programs::missingApache());
        }
        $prepended = 'auto_prepend_file=' . realpath(self::ROOT . '/xhprof_lib/unprofiled.php');
        $server = new Apache(self::loaded([$prepended, ...$settings]), 1);
        self::assertSame(200, $server->client->get('/products/1', 'XHPROF_TRIGGER=open-sesame')->status);
        $server->stop();
        self::assertNothingIsLeft($server->runs());
    }

    public function testPagesAreProfiledWhenAskedFor(): void
    {
        self::needServers();
        $server = new PhpFpm(
            self::loaded(['memory_limit=256M', 'xhprof.start_with_request=yes']),
            1,
            ['XHPROF_PROFILE_SELF' => '1'],
            (string) realpath(self::ROOT . '/xhprof_html/index.php'),
            parameters: self::PASSWORD,
        );
        $server->client->get('/');
        $server->stop();
        self::assertCount(1, RunFiles::runs($server->runs()));
    }

    /** No run, nothing counted, nothing that waits to be counted. */
    private static function assertNothingIsLeft(string $folder): void
    {
        $files = array_diff(scandir($folder) ?: [], ['.', '..']);
        self::assertSame([], array_values(preg_grep('/\A\.xhprof-index/', $files, PREG_GREP_INVERT) ?: []));
    }
}
