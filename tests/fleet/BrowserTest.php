<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use XHProf\Demo\Fleet\Plan;
use XHProf\Demo\Fleet\SentWindow;
use XHProf\Demo\Fleet\Simulation;
use XHProf\Tools\Servers\ClickHouse;

require_once __DIR__ . '/FleetTestCase.php';

/** The fleet's pages in a browser: tests/fleet/browser, over a store with what was planted. */
final class BrowserTest extends FleetTestCase
{
    private const ROUTE = 'GET /products/{id}';
    private const FUNCTION = 'PDO::prepare';

    public function testTheBrowserShowsThePages(): void
    {
        $root = dirname(__DIR__, 2);
        if (!is_dir("$root/node_modules/playwright-core")) {
            self::markTestSkipped('there is no playwright-core: npm ci');
        }
        $this->init();
        $plan = new Plan(12, hosts: 6, windows: 4, route: self::ROUTE, function: self::FUNCTION, badHosts: 1);
        $runs = [];
        foreach ((new Simulation(self::real(), $plan))->runs() as $one) {
            $runs[] = $one->run->meta()->origin->release === Plan::NEW ? SentWindow::with($one, self::ROUTE, 123456, 1000) : $one;
        }
        $this->send($runs);
        $out = (string) tempnam(sys_get_temp_dir(), 'xhf');
        $process = proc_open(
            ['node', '--test', '--test-reporter=tap', "$root/tests/fleet/browser/pages.test.mjs"],
            [['file', '/dev/null', 'r'], ['file', $out, 'a'], ['file', $out, 'a']],
            $pipes,
            $root,
            [
                'XHPROF_FLEET' => self::server()->url($this->database), 'XHPROF_SHIP_USER' => 'reader',
                'XHPROF_SHIP_PASSWORD' => ClickHouse::USERS['reader'], 'PHP_BINARY' => PHP_BINARY,
            ] + getenv(),
        );
        self::assertIsResource($process);
        $code = proc_close($process);
        $text = (string) file_get_contents($out);
        unlink($out);
        self::assertSame(0, $code, $text);
        self::assertMatchesRegularExpression('/^# pass [1-9]/m', $text);
    }
}
