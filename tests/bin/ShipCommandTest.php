<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use XHProf\Tests\Lib\Support\AutomaticRuns;
use XHProf\Tests\Lib\Support\PprofDecoder;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\ShipBench;
use XHProf\Tests\Lib\Support\StoreServer;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/AutomaticRuns.php';
require_once __DIR__ . '/../lib/Support/PprofDecoder.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';
require_once __DIR__ . '/../lib/Support/ShipBench.php';
require_once __DIR__ . '/../lib/Support/StoreServer.php';

/** `xhprof ship` and a server that takes runs, fails, hangs and is gone. */
final class ShipCommandTest extends CliTestCase
{
    private ?StoreServer $server = null;

    protected function tearDown(): void
    {
        $this->server?->stop();
        parent::tearDown();
    }

    private function server(string ...$answers): StoreServer
    {
        $this->server = StoreServer::start("$this->folder/server");
        $this->server->answers(...$answers);

        return $this->server;
    }

    private function runs(int $count): ShipBench
    {
        $bench = new ShipBench("$this->folder/runs", "$this->folder/bench");
        for ($run = 1; $run <= $count; $run++) {
            $bench->window("r$run", "GET /$run");
        }

        return $bench;
    }

    /** @return list<string> */
    private function arguments(string ...$more): array
    {
        $to = $this->server === null ? 'http://127.0.0.1:1' : "http://{$this->server->address}";

        $own = ["--to=pyroscope+$to", "--state=$this->folder/state", '--service=shop', '--host=web-1'];

        return ['ship', ...$own, ...array_values($more)];
    }

    /**
     * @param array<string, string> $environment
     *
     * @return resource
     */
    private function background(array $environment = [], string ...$more)
    {
        return $this->start([PHP_BINARY, self::program(), ...$this->arguments(...$more)], $environment);
    }

    /** @return array<string, mixed> */
    private function shipping(): array
    {
        $result = $this->xhprof(['status', "--ship-state=$this->folder/state", '--json']);
        $status = json_decode($result->out, true);
        self::assertIsArray($status['shipping'][0] ?? null, $result->err);

        return $status['shipping'][0];
    }

    /** @return array<string, int> how often each run was sent, by its route */
    private static function sent(StoreServer $server): array
    {
        $sent = [];
        foreach ($server->requests() as $request) {
            $names = array_keys(self::pprof($request)['functions']);
            $route = array_values(preg_grep('/^GET /', $names) ?: [])[0] ?? '';
            $sent[$route] = ($sent[$route] ?? 0) + 1;
        }

        return $sent;
    }

    /**
     * @param array{path: string, headers: array<string, string>, body: string} $request
     *
     * @return array{types: list<string>, default: string, samples: array<string, array<int, int>>, duration: int, time: int,
     *     comments: list<string>, functions: array<string, string>, stacks: list<string>}
     */
    private static function pprof(array $request): array
    {
        $boundary = substr((string) strstr($request['headers']['content-type'], 'boundary='), 9);
        self::assertNotSame('', $boundary);
        $parts = explode("--$boundary", $request['body']);
        self::assertStringContainsString('name="profile"', $parts[1]);

        return PprofDecoder::decode(substr(explode("\r\n\r\n", $parts[1], 2)[1], 0, -2));
    }

    public function testRunsArePostedToPyroscopeAndOnlyOnce(): void
    {
        AutomaticRuns::build("$this->folder/runs");
        foreach (range(1, AutomaticRuns::WINDOWS) as $number) { // The oldest is sent first.
            touch(RunFiles::path("$this->folder/runs", AutomaticRuns::window($number) . '.traffic'), 1763680000 + $number);
        }
        $server = $this->server();
        $result = $this->xhprof($this->arguments('--once', '--env=live', '--release=v 1'));
        self::assertSame([0, ''], [$result->exitCode, $result->err]);
        self::assertSame("Sent 12 (pyroscope+http://$server->address)\n", $result->out);
        self::assertFileDoesNotExist("$this->folder/runs/.xhprof-index.sqlite");
        $requests = $server->requests();
        self::assertCount(AutomaticRuns::WINDOWS, $requests);
        parse_str((string) parse_url($requests[0]['path'], PHP_URL_QUERY), $query);
        self::assertSame('shop{env=live,release=v_1,host=web-1,php=8.2.35,source=traffic}', $query['name']);
        self::assertSame('60', (string) ((int) $query['until'] - (int) $query['from']));
        $pprof = self::pprof($requests[0]);
        self::assertSame(['wall/nanoseconds', 'calls/count'], $pprof['types']);
        $stack = 'PDOStatement::execute < App\Kernel::handle < GET /search < main() {route=GET /search}';
        self::assertArrayHasKey($stack, $pprof['samples']);
        self::assertStringContainsString('"wall":{"units":"nanoseconds"', $requests[0]['body']);
        self::assertSame("Sent 0 (pyroscope+http://$server->address)\n", $this->xhprof($this->arguments('--once'))->out);
        self::assertCount(AutomaticRuns::WINDOWS, $server->requests());
        $status = $this->shipping();
        foreach (['sent' => 12, 'waiting' => 0, 'lag' => 0, 'dropped' => 0, 'error' => ''] as $name => $value) {
            self::assertSame($value, $status[$name]);
        }
    }

    public function testGoToolPprofReadsWhatPyroscopeGets(): void
    {
        if (trim((string) shell_exec('command -v go')) === '') {
            self::markTestSkipped('go is not installed');
        }
        AutomaticRuns::build("$this->folder/runs");
        $server = $this->server();
        $this->xhprof($this->arguments('--once'));
        $request = $server->requests()[0];
        $boundary = substr((string) strstr($request['headers']['content-type'], 'boundary='), 9);
        self::assertNotSame('', $boundary);
        $part = explode("\r\n\r\n", explode("--$boundary", $request['body'])[1], 2)[1];
        file_put_contents("$this->folder/profile.pb.gz", substr($part, 0, -2));
        $result = $this->process(['go', 'tool', 'pprof', '-tags', "$this->folder/profile.pb.gz"]);
        self::assertStringContainsString('route: Total', $result->out);
        self::assertStringContainsString('GET /search', $result->out);
    }

    public function testFaultsOfTheStoreLoseNothing(): void
    {
        $this->runs(4);
        // Two answers that ask for patience: the third attempt is taken.
        $server = $this->server('500', '429 Retry-After: 0');
        $once = fn (): ProcessResult => $this->xhprof($this->arguments('--once'));
        self::assertSame(0, $once()->exitCode);
        self::assertSame(['GET /1' => 3, 'GET /2' => 1, 'GET /3' => 1, 'GET /4' => 1], self::sent($server));
        $this->runs(5);
        $server->answers('cut', 'cut', 'cut');
        $result = $once();
        self::assertSame(1, $result->exitCode);
        self::assertStringContainsString('xhprof: 1 runs wait: ', $result->err);
        $status = $this->shipping();
        self::assertSame([4, 1], [$status['sent'], $status['waiting']]);
        self::assertStringContainsString('does not answer', $status['error']);
        $server->answers('413');
        $result = $once();
        self::assertSame("Sent 0, rejected 1 (pyroscope+http://$server->address)\n", $result->out);
        $status = $this->shipping();
        self::assertSame([4, 0, 1], [$status['sent'], $status['waiting'], $status['rejected']]);
        self::assertStringContainsString('r5.web: ', $status['run_error']);
    }

    public function testAnAbsentStoreIsNamed(): void
    {
        $this->runs(2);
        $result = $this->xhprof($this->arguments('--once'));
        self::assertSame(1, $result->exitCode);
        self::assertSame(
            "xhprof: 2 runs wait: http://127.0.0.1:1/ingest does not answer: Connection refused\n",
            $result->err,
        );
    }

    public function testARunThatWasSentAndNotConfirmedIsSentAgainAfterKill9(): void
    {
        $this->runs(3);
        $server = $this->server('hang');
        $process = $this->background();
        $server->awaitRequests(1);
        // It has sent the first run and waits for the answer.
        proc_terminate($process, 9);
        proc_close($process);
        $server->go();
        $result = $this->xhprof($this->arguments('--once'));
        self::assertSame(0, $result->exitCode, $result->err);
        self::assertSame(['GET /1' => 2, 'GET /2' => 1, 'GET /3' => 1], self::sent($server));
        self::assertSame(3, $this->shipping()['sent']);
    }

    public function testSigtermFinishesTheBatch(): void
    {
        $this->runs(3);
        $server = $this->server('hang');
        $process = $this->background();
        $server->awaitRequests(1);
        proc_terminate($process, SIGTERM);
        $server->go();
        for ($try = 0; ($status = proc_get_status($process))['running']; $try++) {
            self::assertLessThan(3000, $try);
            usleep(10000);
        }
        $errors = (string) file_get_contents("$this->folder/stderr");
        self::assertSame([false, 0], [$status['signaled'], $status['exitcode']], $errors);
        self::assertSame(['GET /1' => 1, 'GET /2' => 1, 'GET /3' => 1], self::sent($server));
        self::assertSame(3, $this->shipping()['sent']);
    }

    public function testSigtermEndsAPauseToo(): void
    {
        $this->runs(1);
        $server = $this->server('503 Retry-After: 600');
        $process = $this->background();
        $server->awaitRequests(1);
        for ($try = 0; !str_contains((string) file_get_contents("$this->folder/stderr"), 'answers 503'); $try++) {
            self::assertLessThan(3000, $try);
            usleep(10000);
        }
        for ($try = 0; proc_get_status($process)['running']; $try++) {
            // The message is written before the pause begins.
            proc_terminate($process, SIGTERM);
            self::assertLessThan(3000, $try);
            usleep(10000);
        }
        self::assertSame(1, $this->shipping()['waiting']);
    }

    public function testTwoDoNotUseOneState(): void
    {
        $this->runs(1);
        $server = $this->server('hang');
        $process = $this->background();
        $server->awaitRequests(1);
        self::assertTrue($this->shipping()['running']);
        $result = $this->process([PHP_BINARY, self::program(), ...$this->arguments('--once')]);
        self::assertOneLineError("another xhprof ship uses the state folder $this->folder/state", $result);
        proc_terminate($process, 9);
        proc_close($process);
        $server->go();
        self::assertFalse($this->shipping()['running']);
    }

    public function testCredentialsAreSentAndNeverShown(): void
    {
        $this->runs(1);
        $server = $this->server('401', '401', '401');
        $environment = ['XHPROF_SHIP_USER' => 'shipper', 'XHPROF_SHIP_PASSWORD' => 'Zq81secret'];
        $result = $this->xhprof($this->arguments('--once'), '', $environment);
        self::assertSame(1, $result->exitCode);
        self::assertStringContainsString('refuses the user or the password (401)', $result->err);
        file_put_contents("$this->folder/credentials", "user=shipper\npassword=Zq81secret\n");
        chmod("$this->folder/credentials", 0600);
        $more = $this->xhprof($this->arguments('--once', "--credentials=$this->folder/credentials"));
        self::assertSame(0, $more->exitCode, $more->err);
        $expected = 'Basic ' . base64_encode('shipper:Zq81secret');
        self::assertSame(array_fill(0, 4, $expected), array_column(array_column($server->requests(), 'headers'), 'authorization'));
        $state = implode('', array_map(file_get_contents(...), glob("$this->folder/state/*") ?: []));
        foreach ([$result->out, $result->err, $more->out, $state, json_encode($this->shipping())] as $text) {
            self::assertStringNotContainsString('Zq81secret', (string) $text);
        }
        chmod("$this->folder/credentials", 0644);
        $result = $this->xhprof($this->arguments('--once', "--credentials=$this->folder/credentials"));
        self::assertOneLineError('can be read by all users', $result);
    }

    public function testWrongCommandLines(): void
    {
        $state = "--state=$this->folder/state";
        $ship = fn (string ...$more): ProcessResult => $this->xhprof(['ship', $state, ...array_values($more)]);
        self::assertUsageError('--to is missing', $ship());
        self::assertUsageError('--to takes an address that begins with', $ship('--to=ftp://x'));
        self::assertUsageError('--to has a user or a password', $ship('--to=pyroscope+http://a:b@127.0.0.1:1'));
        self::assertUsageError('--with takes triggered, slow', $ship('--to=pyroscope+http://127.0.0.1:1', '--with=all'));
        self::assertUsageError('--label takes NAME', $ship('--to=pyroscope+http://127.0.0.1:1', '--label=le=5'));
        self::assertUsageError('--experimental sends them', $ship('--to=otlp+http://127.0.0.1:1'));
        self::assertUsageError('takes an absolute path', $ship('--to=prometheus-text:x.prom'));
        self::assertUsageError('--to takes pyroscope+http://HOST', $ship('--to=pyroscope+http:///x'));
        self::assertOneLineError('cannot be read', $ship('--to=pyroscope+http://127.0.0.1:1', '--ca-file=/nowhere'));
        $none = $this->xhprof(['ship', '--to=pyroscope+http://127.0.0.1:1'], '', [
            'HOME' => '', 'XDG_STATE_HOME' => '', 'STATE_DIRECTORY' => '',
        ]);
        self::assertUsageError('there is no home folder', $none);
        $default = $this->xhprof(['ship', '--to=prometheus-text:' . $this->folder . '/x.prom', '--once'], '', [
            'HOME' => $this->folder, 'XDG_STATE_HOME' => '', 'STATE_DIRECTORY' => '',
        ]);
        self::assertSame(0, $default->exitCode, $default->err);
        self::assertCount(1, glob("$this->folder/.local/state/xhprof-ship/*.jsonl") ?: []);
        self::assertSame([], glob("$this->folder/state/*") ?: []);
    }

    public function testStatusShowsWhatWaitsAndWhy(): void
    {
        $this->runs(2);
        self::assertSame(1, $this->xhprof($this->arguments('--once'))->exitCode);
        $result = $this->xhprof(['status', "--ship-state=$this->folder/state"], '', ['COLUMNS' => '200']);
        self::assertStringContainsString('Sent to a store of many hosts', $result->out);
        self::assertStringContainsString('ok  0 runs sent to pyroscope+http://127.0.0.1:1', $result->out);
        self::assertMatchesRegularExpression('/^!!  2 runs to send, the oldest of [0-9]+ days ago$/m', $result->out);
        $error = '/^!!  the store takes nothing: .*Connection refused \([0-9]+ s ago\)$/m';
        self::assertMatchesRegularExpression($error, $result->out);
        self::assertSame(1, $result->exitCode);
        $other = $this->xhprof(['status', "--ship-state=$this->folder/state", "--output-dir=$this->folder/bench"]);
        self::assertStringNotContainsString('store of many hosts', $other->out);
    }

    public function testTenThousandRunsNeedLittleMemory(): void
    {
        $bench = $this->runs(1);
        for ($run = 2; $run <= 10000; $run++) {
            RunFiles::copy($bench->runFolder, 'r1.web', "r$run.web");
        }
        $result = $this->process(
            [...$this->measured(), 'ship', '--once', "--to=prometheus-text:$this->folder/x.prom", "--state=$this->folder/state"],
            '',
            ['HWM_FILE' => "$this->folder/hwm"],
        );
        self::assertSame([0, ''], [$result->exitCode, $result->err]);
        self::assertSame(10000, $this->shipping()['sent']);
        $this->assertMemory();
        $figures = (string) file_get_contents("$this->folder/x.prom");
        self::assertMatchesRegularExpression('/^xhprof_requests_total\{.*\} 30000$/m', $figures);
    }

    public function testSoManyNamesNeedLittleMemory(): void
    {
        $bench = $this->runs(1);
        $server = $this->server();
        $documents = RunFiles::documents($bench->runFolder, 'r1.web');
        // Each run has names of its own: more than are remembered.
        for ($run = 2; $run <= 400; $run++) {
            $names = array_map(static fn (int $number): string => "App\\Generated\\C{$run}::method$number", range(1, 600));
            RunFiles::write($bench->runFolder, "r$run.web", ['tree' => [
                'names' => ['main()', 'GET /1', ...$names], 'fn' => range(0, 601), 'depth' => [0, 1, ...array_fill(0, 600, 2)],
                'n' => 602, 'ct' => [0, 0, ...array_fill(0, 600, 1)],
                'self' => ['wt' => [0, 0, ...array_fill(0, 600, 10000)]],
            ] + $documents['tree']] + $documents);
        }
        $result = $this->process(
            [...$this->measured(), 'ship', '--once', "--to=clickhouse://$server->address/fleet", "--state=$this->folder/state"],
            '',
            ['HWM_FILE' => "$this->folder/hwm"],
        );
        self::assertSame([0, ''], [$result->exitCode, $result->err]);
        $status = $this->shipping();
        self::assertSame([400, 0, ''], [$status['sent'], $status['damaged'], $status['run_error']]);
        $this->assertMemory();
    }

    /** A share of the machine's memory would be the store's to fill. */
    public function testItHasAMemoryLimitOfItsOwn(): void
    {
        $this->runs(1);
        $script = $this->script(
            'register_shutdown_function(static fn () => file_put_contents(getenv("LIMIT_FILE"), ini_get("memory_limit")));',
            'limit.php',
        );
        foreach (['' => (string) (256 << 20), '300M' => (string) (300 << 20)] as $given => $limit) {
            $command = [PHP_BINARY, '-d', "auto_prepend_file=$script", self::program(), 'ship', '--once'];
            $result = $this->process(
                [...$command, "--to=prometheus-text:$this->folder/x.prom", "--state=$this->folder/state"],
                '',
                ['LIMIT_FILE' => "$this->folder/limit", 'XHPROF_MEMORY_LIMIT' => $given],
            );
            self::assertSame([0, ''], [$result->exitCode, $result->err]);
            self::assertSame($limit, file_get_contents("$this->folder/limit"));
        }
    }

    /** @return list<string> bin/xhprof, which leaves its highest resident memory in HWM_FILE as it ends */
    private function measured(): array
    {
        $script = $this->script(
            'register_shutdown_function(static function (): void {'
            . 'preg_match("/VmHWM:\s+([0-9]+) kB/", (string) file_get_contents("/proc/self/status"), $match);'
            . 'file_put_contents(getenv("HWM_FILE"), $match[1] ?? "0");});',
            'hwm.php',
        );

        return [PHP_BINARY, '-d', "auto_prepend_file=$script", self::program()];
    }

    private function assertMemory(): void
    {
        $kilobytes = (int) file_get_contents("$this->folder/hwm");
        self::assertGreaterThan(5000, $kilobytes);
        // PHP reads all of a phar before it runs the first line.
        $read = self::isCheckout() ? 0 : (int) filesize(self::program()) >> 10;
        self::assertLessThan((64 << 10) + $read, $kilobytes);
    }
}
