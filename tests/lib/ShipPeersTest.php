<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Exception\SendError;
use XHProf\Fleet\Destination;
use XHProf\Fleet\Output;
use XHProf\Fleet\Peer\Exposition;
use XHProf\Fleet\Peer\PrometheusFile;
use XHProf\Fleet\Peer\PrometheusImport;
use XHProf\Fleet\Peer\WindowFigures;
use XHProf\Fleet\Ship\Outputs;
use XHProf\Fleet\Shipment;
use XHProf\Fleet\Unavailable;
use XHProf\Profile\CallTree;
use XHProf\Run\MadeRun;
use XHProf\Run\RequestWindow;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;
use XHProf\Stats\Buckets;
use XHProf\Tests\Lib\Support\StoreServer;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/StoreServer.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** What outputs make of runs: figures in Prometheus' format. */
final class ShipPeersTest extends TestCase
{
    use TemporaryFolder;

    /** @param list<int> $walls µs */
    private static function shipped(string $key, string $route = 'GET /', array $walls = [4000, 20000, 70_000_000]): Shipment
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', $route, 'f', 'g', 'tiny'],
            'fn' => [0, 1, 2, 3, 2, 4],
            'depth' => [0, 1, 2, 3, 4, 2],
            'ct' => [0, 0, 1, 2, 4, 0],
            'self' => ['wt' => [0, 0, 1_000_000_000, 2_000_000_000, 4_000_000_000, 1]],
        ]);
        $window = RequestWindow::fromMeta(['seconds' => 60, 'from' => 1763680000, 'to' => 1763680060, 'routes' => [$route => [
            'requests' => count($walls), 'failed' => 1, 'wall_us' => array_sum($walls), 'cpu_us' => 1500000,
            'max_us' => max([0, ...$walls]), 'wall' => Buckets::fromValues($walls)->toSteps(),
        ]]]);

        $meta = RunMeta::fromArray([
            'ts' => 1763680000.0, 'host' => 'web-1', 'php' => '8.2', 'mode' => 'aggregate', 'aggregate' => $window?->toArray(),
        ]);
        $run = new MadeRun(RunId::fromStrings($key, 'web'), $key, $meta, $tree);

        return new Shipment($key, 'shop', 'live', ['team' => 'a"b\\'], $run);
    }

    /** @return array<string, int|float> by name and the labels that tell series of one run apart */
    private static function figures(Shipment $run): array
    {
        $figures = [];
        foreach (WindowFigures::fromShipment($run) as [$name, $labels, $value]) {
            $figures[$name . Exposition::series('', array_intersect_key($labels, ['le' => 1, 'function' => 1]))] = $value;
        }

        return $figures;
    }

    public function testAWindowHasRequestsTheirDurationsAndFunctions(): void
    {
        $figures = self::figures(self::shipped('a'));
        self::assertSame([3, 1, 0, 1.5], [
            $figures['requests{}'], $figures['requests_failed{}'], $figures['requests_aborted{}'],
            $figures['request_cpu_seconds{}'],
        ]);
        self::assertSame(
            [1, 1, 2, 3],
            [
                $figures['request_duration_seconds_bucket{le="0.005"}'], $figures['request_duration_seconds_bucket{le="0.01"}'],
                $figures['request_duration_seconds_bucket{le="0.025"}'], $figures['request_duration_seconds_bucket{le="+Inf"}'],
            ],
        );
        self::assertSame(2, $figures['request_duration_seconds_bucket{le="30"}']);
        self::assertSame([3, 70.024], [$figures['request_duration_seconds_count{}'], $figures['request_duration_seconds_sum{}']]);
        // f is below g, which is below f: its time counts once. "tiny" has too small a share.
        self::assertSame(7.0, $figures['function_seconds{function="f"}']);
        self::assertSame(5.0, $figures['function_self_seconds{function="f"}']);
        self::assertSame([6.0, 2.0], [$figures['function_seconds{function="g"}'], $figures['function_self_seconds{function="g"}']]);
        self::assertArrayNotHasKey('function_seconds{function="tiny"}', $figures);
        // A program may give a route the name of the function that serves it.
        self::assertSame($figures, self::figures(self::shipped('a', 'f')));
    }

    public function testSuspendedTimeIsACounterAndWhatIsBetweenRequestsIsNoRequest(): void
    {
        $none = self::shipped('a');
        self::assertArrayNotHasKey('request_suspended_seconds{}', self::figures($none));
        $of = static function (string $route, array $more) use ($none): Shipment {
            $meta = $none->run->meta();
            $figures = ($meta->window?->routeStats('GET /')?->toArray() ?? []);
            $meta = $meta->with(['aggregate' => ['routes' => [$route => $more + $figures]] + ($meta->window?->toArray() ?? [])]);

            return new Shipment('a', 'shop', 'live', [], new MadeRun($none->run->id, 'a', $meta, $none->tree()));
        };
        $suspended = $of('GET /', ['suspended' => ['requests' => 2, 'us' => 3_250_000]]);
        self::assertSame(3.25, self::figures($suspended)['request_suspended_seconds{}']);
        $between = self::figures($of(RequestWindow::BETWEEN, ['requests' => 0, 'wall' => []]));
        self::assertSame(['request_cpu_seconds{}'], array_keys(array_filter(
            $between,
            static fn (string $name): bool => str_starts_with($name, 'request'),
            ARRAY_FILTER_USE_KEY,
        )));
        $file = "$this->folder/xhprof.prom";
        (new PrometheusFile(new Destination("prometheus-text:$file")))->send([$suspended]);
        $text = (string) file_get_contents($file);
        self::assertStringContainsString("# TYPE xhprof_request_suspended_seconds_total counter\n", $text);
        self::assertMatchesRegularExpression('/^xhprof_request_suspended_seconds_total\{.*\} 3\.25$/m', $text);
    }

    public function testTheFileHasCountersAndABatchThatComesAgainCountsOnce(): void
    {
        $file = "$this->folder/xhprof.prom";
        $out = new PrometheusFile(new Destination("prometheus-text:$file"));
        $out->send([self::shipped('a'), self::shipped('b')]);
        $first = (string) file_get_contents($file);
        self::assertMatchesRegularExpression('/^xhprof_requests_total\{.*route="GET \/".*team="a\\\\"b\\\\\\\\"\} 6$/m', $first);
        self::assertSame(1, substr_count($first, "# TYPE xhprof_request_duration_seconds histogram\n"));
        self::assertStringContainsString("# TYPE xhprof_function_self_seconds_total counter\n", $first);
        self::assertSame(0644, fileperms($file) & 0777);
        // The process was killed before it could note that; a new one sends them in another order, with more.
        $later = new PrometheusFile(new Destination("prometheus-text:$file"));
        $later->send([self::shipped('b'), self::shipped('a'), self::shipped('c')]);
        $second = (string) file_get_contents($file);
        self::assertMatchesRegularExpression('/^xhprof_requests_total\{.*\} 9$/m', $second);
        self::assertMatchesRegularExpression('/^xhprof_request_duration_seconds_sum\{.*\} 210\.072$/m', $second);
        self::assertSame(['xhprof.prom'], array_values(array_diff(scandir($this->folder) ?: [], ['.', '..'])));
    }

    public function testRunsThatComeAgainInASmallerBatchAfterAnotherCountOnce(): void
    {
        $file = "$this->folder/xhprof.prom";
        $out = new PrometheusFile(new Destination("prometheus-text:$file"));
        $out->send([self::shipped('a'), self::shipped('b'), self::shipped('b')]);
        $out->send([self::shipped('c')]);
        $out->send([self::shipped('b')]);
        $out->send([self::shipped('a')]);
        self::assertMatchesRegularExpression('/^xhprof_requests_total\{.*\} 9$/m', (string) file_get_contents($file));
    }

    public function testTheFileForgetsRunsThatWereSentLongAgo(): void
    {
        $file = "$this->folder/xhprof.prom";
        $out = new PrometheusFile(new Destination("prometheus-text:$file"));
        $keys = static function () use ($file): array {
            $lines = preg_grep('/^# xhprof keys /', file($file) ?: []) ?: [];

            return array_merge(...array_map(
                static fn (string $line): array => (array) json_decode(substr($line, 14), true),
                array_values($lines),
            ));
        };
        $runs = static fn (int $from, int $count): array => array_map(
            static fn (int $i): Shipment => self::shipped("k$i", walls: [1]),
            range($from, $from + $count - 1),
        );
        $out->send($runs(0, 900));
        $out->send($runs(900, 150));
        self::assertCount(1000, $keys());
        self::assertSame(['k50', 'k1049'], [$keys()[0], $keys()[999]]);
        // One that came again stays.
        $out->send($runs(50, 1));
        $out->send($runs(1050, 1));
        self::assertSame(['k52', 'k50', 'k1050'], [$keys()[0], $keys()[998], $keys()[999]]);
        self::assertMatchesRegularExpression('/^xhprof_requests_total\{.*\} 1051$/m', (string) file_get_contents($file));
        // All of one batch stay, so that it counts once whenever it comes again.
        $out->send($runs(2000, 1200));
        $out->send($runs(2000, 1200));
        self::assertMatchesRegularExpression('/^xhprof_requests_total\{.*\} 2251$/m', (string) file_get_contents($file));
    }

    public function testAFullDiskIsNoReasonToLoseFigures(): void
    {
        $out = new PrometheusFile(new Destination("prometheus-text:$this->folder/none/x.prom"));
        $this->expectException(Unavailable::class);
        $this->expectExceptionMessage('x.prom cannot be written');
        $out->send([self::shipped('a')]);
    }

    public function testAnImportHasASampleAtTheWindowsEnd(): void
    {
        $server = StoreServer::start("$this->folder/server");
        try {
            $out = new PrometheusImport(new Destination("prometheus+http://$server->address", 'u', 'p'));
            $out->send([self::shipped('a'), self::shipped('b')]);
            $out->send([self::shipped('a')]);
            [$request, $again] = $server->requests();
        } finally {
            $server->stop();
        }
        self::assertSame('/api/v1/import/prometheus', $request['path']);
        $lines = explode("\n", (string) gzdecode($request['body']));
        $requests = array_values(preg_grep('/^xhprof_window_requests\{/', $lines) ?: []);
        self::assertCount(2, $requests);
        foreach ($requests as $line) {
            self::assertMatchesRegularExpression('/ 3 1763680060[0-9]{3}$/', $line);
        }
        // Two windows that end together have a millisecond each, the same whenever they are sent.
        self::assertNotSame($requests[0], $requests[1]);
        self::assertStringContainsString("$requests[0]\n", (string) gzdecode($again['body']));
    }

    public function testAnOutputIsFoundByItsScheme(): void
    {
        foreach (['pyroscope+http://h:1', 'pyroscope+https://h/base', 'prometheus+http://h', 'prometheus-text:/x.prom'] as $to) {
            $output = Outputs::choose(new Destination("$to"));
            self::assertInstanceOf(Output::class, $output);
            self::assertSame($to, $output->name());
        }
        foreach (['', 'http://h', 'pyroscope://h', 'pyroscope+http://h?x=1', 'prometheus-text:relative.prom'] as $to) {
            try {
                Outputs::choose(new Destination($to));
                self::fail("$to was taken");
            } catch (SendError $e) {
                self::assertStringStartsWith('--to', $e->getMessage());
            }
        }
    }
}
