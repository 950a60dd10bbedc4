<?php

declare(strict_types=1);

namespace XHProf\Tests\Server;

use PHPUnit\Framework\TestCase;
use XHProf\Fleet\Destination;
use XHProf\Fleet\Peer\PrometheusImport;
use XHProf\Tests\Lib\Support\ShipBench;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/../lib/Support/AutomaticRuns.php';
require_once __DIR__ . '/../lib/Support/ShipBench.php';
require_once __DIR__ . '/../lib/Support/TemporaryFolder.php';

/** VictoriaMetrics itself takes the figures of windows, and counts a window that comes twice once. */
final class VictoriaMetricsTest extends TestCase
{
    use TemporaryFolder;

    private const PROGRAM = __DIR__ . '/../../build/servers/victoria-metrics';

    public function testAWindowThatIsSentTwiceCountsOnce(): void
    {
        if (!is_executable(self::PROGRAM)) {
            self::markTestSkipped('there is no VictoriaMetrics (tools/servers.sh)');
        }
        $probe = stream_socket_server('tcp://127.0.0.1:0');
        self::assertNotFalse($probe);
        $address = (string) stream_socket_get_name($probe, false);
        fclose($probe);
        $process = proc_open(
            [self::PROGRAM, "-httpListenAddr=$address", "-storageDataPath=$this->folder/data", '-retentionPeriod=100y',
                '-dedup.minScrapeInterval=1ms', '-search.latencyOffset=0s'],
            [['file', '/dev/null', 'r'], ['file', "$this->folder/log", 'a'], ['file', "$this->folder/log", 'a']],
            $pipes,
        );
        self::assertIsResource($process);
        try {
            for ($try = 0; @file_get_contents("http://$address/health") !== 'OK'; $try++) {
                self::assertLessThan(1000, $try, (string) file_get_contents("$this->folder/log"));
                usleep(10000);
            }
            $bench = new ShipBench("$this->folder/runs", "$this->folder/state");
            $bench->window('r1');
            $bench->window('r2');
            self::assertTrue($bench->shipper()->pass());
            $out = new PrometheusImport(new Destination("prometheus+http://$address"));
            $out->send([$bench->shipments['r1'], $bench->shipments['r2']]);
            $out->send([$bench->shipments['r2']]);
            file_get_contents("http://$address/internal/force_flush");
            $sum = static function (string $series) use ($address): string {
                $query = http_build_query(['query' => "sum(sum_over_time({$series}[1h]))", 'time' => ShipBench::START + 600]);
                $answer = json_decode((string) file_get_contents("http://$address/api/v1/query?$query"), true);

                return (string) ($answer['data']['result'][0]['value'][1] ?? 'none');
            };
            self::assertSame('6', $sum('xhprof_window_requests{route="GET /",service="shop",env="live",host="web-1"}'));
            self::assertSame('2', $sum('xhprof_window_requests_failed'));
            self::assertSame('6', $sum('xhprof_window_request_duration_seconds_bucket{le="+Inf"}'));
            self::assertSame('0.1', $sum('xhprof_window_function_seconds{function="App\\\\Kernel::handle"}'));
        } finally {
            proc_terminate($process, 9);
            proc_close($process);
        }
    }
}
