<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use XHProf\Web\Http\LocalHost;

require_once __DIR__ . '/PagesTestCase.php';

/** The development server answers only requests for hosts that no foreign site can have. */
final class LocalHostTest extends PagesTestCase
{
    public function testAddressesAndLocalhostAreLocal(): void
    {
        foreach (['localhost', 'LOCALHOST:8000', '127.0.0.1', '192.168.1.7:80', '[::1]', '[fe80::1]:8000', '0.0.0.0:1'] as $host) {
            self::assertTrue(LocalHost::accepts($host), $host);
        }
        $foreign = ['evil.example', 'evil.example:8000', 'localhost.evil.example', '127.0.0.1.evil.example',
            '127.0.0.1@evil.example', 'localhost:8000:80',
            '::1', '[127.0.0.1]', '[evil]', '', ':8000', "localhost\n", '2130706433', 'localhost:'];
        foreach ($foreign as $host) {
            self::assertFalse(LocalHost::accepts($host), $host);
        }
    }

    public function testAForeignHostIsForbidden(): void
    {
        $pages = ['', 'index.php', 'index.php?run=' . Fixtures::BEFORE . '&source=shop', 'callgraph.php', 'typeahead.php'];
        foreach ($pages as $path) {
            $page = self::$server->get($path, 'GET', 'evil.example:8000');
            self::assertSame(403, $page->status, $path);
            self::assertSame('nosniff', $page->headers['x-content-type-options']);
            self::assertStringNotContainsString('Runs', $page->body);
            self::assertStringContainsString('localhost', $page->body);
        }
        self::assertSame(200, self::$server->get('index.php', 'GET', 'localhost:8000')->status);
        self::assertSame(200, self::$server->get('index.php', 'GET', '[::1]:8000')->status);
    }
}
