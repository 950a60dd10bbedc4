<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use PHPUnit\Framework\TestCase;
use XHProf\Demo\Fleet\RealProfile;
use XHProf\Tools\Servers\Programs;

require_once __DIR__ . '/../../demo/fleet/autoload.php';
require_once __DIR__ . '/../../tools/servers/autoload.php';

/** The requests that the demo of many hosts repeats: recorded now, and those that the tests have. */
final class RealProfileTest extends TestCase
{
    public function testIsOfTheRequestsThatWereSent(): void
    {
        if (!is_file(Programs::extension()) || !extension_loaded('curl')) {
            self::markTestSkipped('the extension is not built, or this PHP has no curl');
        }
        $real = RealProfile::record(40);
        self::assertSame(40, $real->window->requests);
        self::assertContains('GET /products/{id}', $real->tree->names);
    }

    public function testTheRecordedOneHasTheSameRoutes(): void
    {
        $real = RealProfile::read(__DIR__ . '/recorded');
        self::assertSame(600, $real?->window->requests);
        self::assertContains('GET /products/{id}', $real->tree->names);
    }
}
