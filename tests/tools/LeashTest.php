<?php

declare(strict_types=1);

namespace XHProf\Tests\Tools;

use PHPUnit\Framework\TestCase;
use XHProf\Tests\Lib\Support\TemporaryFolder;
use XHProf\Tools\Check\Lock;
use XHProf\Tools\Servers\Leash;

require_once __DIR__ . '/../../tools/check/autoload.php';
require_once __DIR__ . '/../../tools/servers/autoload.php';
require_once __DIR__ . '/../lib/Support/TemporaryFolder.php';

/** What a tool that is killed leaves behind: no server, and no lock that one holds. */
final class LeashTest extends TestCase
{
    use TemporaryFolder;

    public function testAServerEndsWithTheProcessThatStartedItEvenAfterSigkill(): void
    {
        if (Leash::command() === []) {
            self::markTestSkipped('no setpriv --pdeathsig here');
        }
        $code = 'require ' . var_export(dirname(__DIR__, 2) . '/tools/servers/autoload.php', true) . ';'
            . '$d = new XHProf\Tools\Servers\Daemon(["sleep", "600"], ' . var_export("$this->folder/log", true) . ');'
            // It is itself when setpriv has done its work.
            . 'while (trim((string) @file_get_contents("/proc/$d->pid/comm")) !== "sleep") { usleep(1000); }'
            . 'echo "$d->pid\n"; sleep(600);';
        $starter = proc_open([PHP_BINARY, '-n', '-d', 'extension=posix', '-r', $code], [1 => ['pipe', 'w']], $pipes);
        self::assertIsResource($starter);
        $server = (int) fgets($pipes[1]);
        self::assertGreaterThan(0, $server);
        self::assertTrue($this->isRunning($server));
        proc_terminate($starter, 9);
        proc_close($starter);
        for ($end = microtime(true) + 60; $this->isRunning($server) && microtime(true) < $end;) {
            usleep(1000);
        }
        $left = $this->isRunning($server);
        exec("kill -KILL $server 2>/dev/null");
        self::assertFalse($left);
    }

    public function testTheLockOfACheckIsNotInherited(): void
    {
        $lock = Lock::take("$this->folder/lock");
        self::assertNotNull($lock);
        self::assertNull(Lock::take("$this->folder/lock"), 'one at a time');
        // It has started, with all that it inherits, when it has answered.
        $child = proc_open(['sh', '-c', 'echo ready; exec sleep 600'], [1 => ['pipe', 'w']], $pipes);
        self::assertIsResource($child);
        self::assertSame("ready\n", fgets($pipes[1]));
        unset($lock);
        $again = Lock::take("$this->folder/lock");
        proc_terminate($child, 9);
        proc_close($child);
        self::assertNotNull($again, 'the child that runs on does not hold it');
    }

    /** @phpstan-impure */
    private function isRunning(int $pid): bool
    {
        return preg_match('/^State:\s+[^ZX]/m', (string) @file_get_contents("/proc/$pid/status")) === 1;
    }
}
