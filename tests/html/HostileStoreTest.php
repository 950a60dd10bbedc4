<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\TestCase;
use XHProf\App\Site;
use XHProf\Exception\SendError;
use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Destination;
use XHProf\Run\RunFile;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\TemporaryFolder;
use XHProf\Web\Http\Request;

require_once __DIR__ . '/../lib/Support/TemporaryFolder.php';

/** The pages of many hosts over a store that answers anything: one bad row of one sender takes no page down. */
final class HostileStoreTest extends TestCase
{
    use TemporaryFolder;

    private const ROUNDS = 12;

    /** @var resource */
    private $process;

    private string $address;

    /** @param array<string, list<list<mixed>>|int> $figures beginning of a statement => rows, or how many empty ones */
    private function start(array $figures = []): void
    {
        $command = [PHP_BINARY, '-n', __DIR__ . '/hostile-store.php', (string) json_encode((object) $figures)];
        $process = proc_open($command, [1 => ['pipe', 'w']], $pipes);
        self::assertIsResource($process);
        $this->process = $process;
        $this->address = trim((string) fgets($pipes[1]));
    }

    protected function tearDown(): void
    {
        proc_terminate($this->process, 9);
        proc_close($this->process);
    }

    public function testNoAnswerOfTheStoreIsAFailedPage(): void
    {
        $this->start();
        $app = new Site(dirname(__DIR__, 2) . '/xhprof_html', new RunFolder($this->folder));
        $pages = ['' => [], 'routes' => ['route' => '/a'], 'functions' => ['symbol' => 'a'], 'flame' => ['base_release' => '1'],
            'regressions' => [], 'hosts' => [], 'releases' => [], 'requests' => ['kept' => 'slowest'], 'data' => []];
        $failed = [];
        $shown = 0;
        for ($round = 0; $round < self::ROUNDS; $round++) {
            foreach ($pages as $show => $more) {
                foreach ([[], $more] as $parameters) {
                    $query = ['view' => 'fleet', 'show' => $show, 'service' => 'shop'] + $parameters;
                    $status = $app->index($this->request($query))->status;
                    $shown += $status === 200 ? 1 : 0;
                    $status === 500 && $failed[] = http_build_query($query);
                }
            }
            foreach ([[], ['kept' => 'slowest'], ['base_release' => '1', 'side' => 'base']] as $parameters) {
                $query = ['get' => 'fleet-tree', 'service' => 'shop'] + $parameters;
                $status = $app->file('api.php', $this->request($query))->status;
                $status === 500 && $failed[] = http_build_query($query);
            }
        }
        self::assertSame([], array_count_values($failed));
        self::assertGreaterThan(self::ROUNDS * count($pages), $shown);
    }

    /** What one sender has made up is left out and counted; what the others have sent is there. */
    public function testDamagedRowsAreLeftOutAndCounted(): void
    {
        $sound = [['GET /a', 1, 10, 1000000, 900000], ['GET /a', 2, 5, 500000, 400000]];
        $damaged = [['GET /a', 3, 'many', 1, 1], ['GET /a', 4, -1, 1, 1], ['GET /a', 'x', 1, 1, 1], [null, 5, 1, 1, 1],
            ['GET /a', 6, PHP_INT_MAX, 1, 1], ['GET /a', 7, 1, [1], 1], ['GET /a', 8]];
        $this->start([
            'SELECT route, stack, sum(samples)' => [...$damaged, ...$sound, ['7', 9, 1, 1000, 1000]],
            'SELECT route, stack, any(frames)' => [['GET /a', 1, [11, 12]], ['GET /a', 2, [11, 13]], ['7', 9, [11]]],
            'SELECT fn, argMax(name' => [[11, 'work', 'a.php', 3], [12, '0', '', 0], [13, ['x'], '', 0]],
            'SELECT release, sum(requests)' => [['1', 4]],
        ]);
        $app = new Site(dirname(__DIR__, 2) . '/xhprof_html', new RunFolder($this->folder));
        $page = $app->index($this->request(['view' => 'fleet', 'show' => 'flame', 'service' => 'shop']));
        self::assertSame(200, $page->status);
        self::assertStringContainsString('7 damaged rows of the store are left out', $page->body);
        $answer = $app->file('api.php', $this->request(['get' => 'fleet-tree', 'service' => 'shop']));
        self::assertSame(200, $answer->status);
        $tree = RunFile::fromBytes($answer->body, 'tree')->document('tree');
        self::assertSame(['main()', 'GET /a', 'work', '(function 12)', '(function 13)', '(route 7)'], $tree['names']);
        self::assertSame(16, array_sum($tree['ct']));
    }

    /** A small text may be large when it is decoded. */
    public function testMoreValuesThanFitAreNotDecoded(): void
    {
        $this->start(['SELECT 1' => 1 << 20]);
        memory_reset_peak_usage();
        $before = memory_get_usage();
        try {
            Client::fromDestination(new Destination("clickhouse://$this->address/fleet"))->rows('SELECT 1');
            self::fail('it was decoded');
        } catch (SendError $e) {
            self::assertStringContainsString('answers with more values than fit into memory', $e->getMessage());
        }
        self::assertLessThan(16 << 20, memory_get_peak_usage() - $before);
    }

    /** @param array<string, string> $query */
    private function request(array $query): Request
    {
        return new Request('GET', $query, server: ['XHPROF_FLEET' => "clickhouse://$this->address/fleet"]);
    }
}
