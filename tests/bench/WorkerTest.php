<?php

declare(strict_types=1);

namespace XHProf\Tests\Bench;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Bench\Opcache;
use XHProf\Bench\Php;
use XHProf\Bench\Workloads;

require_once __DIR__ . '/../../benchmarks/src/autoload.php';

/** Nanoseconds per call are right only when the number of calls made is the divisor. */
final class WorkerTest extends TestCase
{
    /** @return iterable<string, array{string, string}> */
    public static function callWorkloads(): iterable
    {
        foreach (Workloads::all() as $name => $workload) {
            foreach ($workload->isProgram ? [] : Opcache::STATES as $state) {
                yield "$name, opcache $state" => [$name, $state];
            }
        }
    }

    #[DataProvider('callWorkloads')]
    public function testTheCallsAreMade(string $name, string $state): void
    {
        if ($state !== Opcache::OFF && !is_file(PHP_EXTENSION_DIR . '/opcache.so')) {
            self::markTestSkipped('this PHP has no opcache');
        }
        $root = dirname(__DIR__, 2);
        $php = new Php(pin: false);
        $workload = Workloads::all()[$name];
        foreach ($workload->extensions as $extension) {
            if ($php->extension($extension) === null) {
                self::markTestSkipped("this PHP has no $extension");
            }
        }
        $load = $php->load($workload->extensions);
        $settings = [...Opcache::settings($state), ...$load, "extension=$root/extension/modules/xhprof.so"];
        $units = (string) $workload->quickUnits;
        $result = $php->json($settings, ["$root/benchmarks/worker.php", $name, 'none', 'xhprof:0', $units, '0']);
        self::assertIsArray($result);
        self::assertSame($state !== Opcache::OFF, $result['opcache']);
        if ($state === Opcache::JIT && !$result['jit']) {
            self::markTestSkipped('no JIT here');
        }
        self::assertSame(1, $result['runs']);
        self::assertGreaterThan(400, $result['calls']);
        // The worker's own calls, main() and xhprof_disable() are in the profile too.
        self::assertGreaterThanOrEqual($result['calls'], $result['profiled']);
        self::assertLessThanOrEqual($result['calls'] + 20, $result['profiled']);
    }
}
