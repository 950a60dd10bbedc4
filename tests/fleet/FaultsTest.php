<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Demo\Fleet\Hosts;
use XHProf\Demo\Fleet\Plan;
use XHProf\Demo\Fleet\SentWindow;
use XHProf\Demo\Fleet\Simulation;
use XHProf\Demo\Fleet\XhprofCommand;
use XHProf\Fleet\ClickHouse\Ddl;
use XHProf\Fleet\ClickHouse\Migrations;
use XHProf\Fleet\ClickHouse\QueryFailed;
use XHProf\Fleet\ClickHouse\Schema;
use XHProf\Fleet\ClickHouse\TableRetention;
use XHProf\Fleet\Question\Ingestion;
use XHProf\Fleet\Shipment;
use XHProf\Profile\CallTree;
use XHProf\Run\RequestWindow;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tools\Servers\ClickHouse;
use XHProf\Tools\Servers\Folder;

require_once __DIR__ . '/FleetTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** Whatever fails: what was confirmed is there, and nothing counts twice. */
final class FaultsTest extends FleetTestCase
{
    private const HOUR = 3600;

    public function testAServerThatIsKilledWhileItMergesHasTheSameSums(): void
    {
        $admin = $this->init();
        $runs = self::simulated(new Plan(11, hosts: 3, windows: 2, badHosts: 0));
        $this->send($runs);
        // So many rows that a merge takes a while; half of their keys are in two parts.
        foreach (['samples', 'samples_10m'] as $table) {
            $admin->run("SYSTEM STOP MERGES $table");
            foreach ([0, 300000] as $first) {
                $admin->run(
                    "INSERT INTO $table (service, route, ts, stack, samples, wall_ns)"
                        . " SELECT 'other', 'r', toDateTime({at:UInt32}), number, 1, number FROM numbers({first:UInt64}, 600000)",
                    ['first' => $first, 'at' => $runs[0]->from()],
                );
            }
        }
        $before = $this->sums();
        $isInTheMiddle = false;
        foreach (['samples', 'samples_10m'] as $table) {
            $killer = self::killer(self::server(), 1, self::MERGES);
            $admin->run("SYSTEM START MERGES $table");
            $query = $this->begin("OPTIMIZE TABLE $table FINAL");
            proc_close($killer);
            $isInTheMiddle = $isInTheMiddle || glob(self::server()->data() . '/' . self::MERGES, GLOB_ONLYDIR) !== [];
            fclose($query);
            self::server()->kill();
            self::server()->restart();
            self::assertSame($before, $this->sums(), $table);
        }
        self::assertTrue($isInTheMiddle, 'no merge was interrupted');
        $this->optimize();
        self::assertSame($before, $this->sums());
        self::assertSame([[900000]], $admin->rows("SELECT count() FROM samples_10m WHERE service = 'other'"));
        $this->send($runs);
        self::assertSame($before, $this->sums());
    }

    /** @return iterable<string, array{string, string, int}> */
    public static function faultsOfTheStore(): iterable
    {
        $full = 'min_free_disk_bytes_to_perform_insert = 1000000000000000000';
        $slow = 'parts_to_delay_insert = 1, parts_to_throw_insert = 1';
        // The first table, one in the middle of an insert, and the last one.
        yield 'full disk' => [Schema::INBOX, $full, 243];
        yield 'full disk, half way' => ['functions_10m', $full, 243];
        yield 'full disk at the end' => ['shipped', $full, 243];
        yield 'too many parts' => ['samples_1h', $slow, 252];
    }

    #[DataProvider('faultsOfTheStore')]
    public function testAStoreThatTakesNoMoreMakesRunsWait(string $table, string $setting, int $error): void
    {
        $admin = $this->init();
        $runs = self::simulated(new Plan(12, hosts: 2, windows: 2, badHosts: 0));
        $folder = self::folder($runs);
        $other = self::run1('other', 'other', 'GET /', 'f', 'web-0');
        $this->send([$other]);
        $admin->run("ALTER TABLE $table MODIFY SETTING $setting");
        [$code, $text] = $this->ship($folder);
        self::assertSame(1, $code, $text);
        self::assertStringContainsString("Code: $error", $text);
        $status = $this->shipping($folder);
        self::assertSame([0, 8, 0, 0], [$status['sent'], $status['waiting'], $status['rejected'], $status['dropped']]);
        self::assertStringContainsString("Code: $error", $status['error']);

        foreach (explode(', ', $setting) as $one) {
            $admin->run("ALTER TABLE $table RESET SETTING " . explode(' ', $one)[0]);
        }
        [$code, $text] = $this->ship($folder);
        self::assertSame(0, $code, $text);
        $status = $this->shipping($folder);
        self::assertSame([8, 0, ''], [$status['sent'], $status['waiting'], $status['error']]);
        $this->assertSums(new Sums([...$runs, $other]));
    }

    public function testAFullDiskOfTheHostCountsNothingTwice(): void
    {
        $this->init();
        $runs = [];
        for ($run = 10; $run < 40; $run++) {
            $route = "GET /a/rather/long/name/of/a/route/that/the/state/remembers/$run";
            $runs[] = self::run1("k$run", 'shop', $route, 'f', 'web-1', id: "run$run");
        }
        $folder = self::folder($runs);
        // The state has room for what waits, but not for what was confirmed and its routes.
        [$code, $text] = $this->ship($folder, blocks: 4);
        self::assertSame(1, $code, $text);
        self::assertStringContainsString('cannot be written', $text);
        $status = $this->shipping($folder);
        self::assertSame([0, 30], [$status['sent'], $status['waiting']]);
        $this->assertSums(new Sums($runs));
        // As long as it is full nothing more is sent.
        [$code, $text] = $this->ship($folder, blocks: 0);
        self::assertSame(1, $code, $text);
        self::assertStringContainsString('cannot be written', $text);

        [$code, $text] = $this->ship($folder);
        self::assertSame(0, $code, $text);
        $status = $this->shipping($folder);
        self::assertSame([30, 0, 0], [$status['sent'], $status['waiting'], $status['dropped']]);
        $this->assertSums(new Sums($runs));
    }

    public function testRunsMayComeInAnyOrder(): void
    {
        $this->init();
        $runs = self::simulated(new Plan(14, hosts: 4, windows: 3, badHosts: 0));
        $random = new \Random\Randomizer(new \Random\Engine\Xoshiro256StarStar(14));
        foreach (array_chunk($random->shuffleArray([...$runs, ...$runs]), 7) as $some) {
            $this->send($some);
        }
        $this->assertSums(new Sums($runs));
        $this->optimize();
        $this->assertSums(new Sums($runs));
        $expected = [];
        foreach ($runs as $one) {
            $release = (string) $one->run->meta()->origin->release;
            $known = $expected[$release] ?? [$release, PHP_INT_MAX, 0];
            $expected[$release] = [$release, min($known[1], (int) $one->from()), max($known[2], (int) $one->to())];
        }
        $rows = $this->client('reader')->rows('SELECT release, toUnixTimestamp(min(first)), toUnixTimestamp(max(last))'
            . ' FROM releases GROUP BY release ORDER BY release');
        self::assertSame(array_values($expected), $rows);
    }

    public function testAClockThatIsAnHourOffMovesItsRunsAndNoMore(): void
    {
        $admin = $this->init();
        // The shortest that rows can be kept.
        $days = array_fill_keys(['inbox', 'raw', '10m', '1h', '1d', 'exemplars'], 1);
        (new Migrations($admin, new Ddl(days: $days)))->keep(TableRetention::cases());
        $now = time();
        $runs = [];
        foreach (['ahead' => self::HOUR, 'behind' => -self::HOUR, 'right' => 0] as $host => $off) {
            $runs[] = self::run1("k $host", 'shop', 'GET /', 'f', $host, (float) ($now + $off));
        }
        $this->send($runs);
        $this->optimize();
        $this->assertSums(new Sums($runs));
        $rows = $this->client('reader')->rows('SELECT host, toUnixTimestamp(ts), sum(requests) FROM requests_10m'
            . ' GROUP BY host, ts ORDER BY host');
        self::assertSame(array_map(static fn (Shipment $one): array
            => [$one->run->meta()->origin->host, intdiv((int) $one->from(), 600) * 600, 4], $runs), $rows);

        // The store's own clock says when they came.
        [[$came]] = $this->client('reader')->rows('SELECT toUnixTimestamp(max(at)) FROM shipped');
        self::assertGreaterThanOrEqual($now, $came);
        $hosts = (new Ingestion($this->client('reader')))->hosts('shop', $came + 30);
        $second = 1_000_000;
        $late = self::HOUR * $second + ($came + 30 - $now) * $second;
        usort($hosts, static fn (array $a, array $b): int => $a['host'] <=> $b['host']);
        self::assertSame([
            ['ahead', 30 * $second, 30 * $second, (self::HOUR - ($came - $now)) * $second],
            ['behind', $late, 30 * $second, 0],
            ['right', ($came + 30 - $now) * $second, 30 * $second, 0],
        ], array_map(static fn (array $host): array
            => [$host['host'], $host['late_us'], $host['arrived_us'], $host['ahead_us']], $hosts));
        [, $text] = $this->asked(['status']);
        self::assertMatchesRegularExpression('/1 host has a clock that is ahead/', $text);
    }

    public function testADamagedRunHoldsUpNoOther(): void
    {
        $this->init();
        $runs = self::simulated(new Plan(15, hosts: 1, windows: 2, badHosts: 0));
        $folder = self::folder($runs);
        $damaged = array_splice($runs, 1, 1)[0];
        RunFiles::cut("$folder->path/runs", (string) $damaged->run->id, 100);
        [$code, $text] = $this->ship($folder);
        self::assertSame(0, $code, $text);
        $status = $this->shipping($folder);
        self::assertSame([3, 0, 1], [$status['sent'], $status['waiting'], $status['damaged']]);
        $this->assertSums(new Sums($runs));
    }

    public function testTheRoutesOfAScannerHaveABound(): void
    {
        $this->init();
        $runs = [];
        $at = (float) time() - self::HOUR;
        for ($run = 0; $run < 10; $run++) {
            $routes = $names = [];
            foreach (range(1, 1000) as $number) {
                $name = sprintf('GET /scan/%d/%d', $run, $number);
                $names[] = $name;
                $routes[$name] = ['requests' => 1, 'samples' => 1, 'wall_us' => 10, 'max_us' => 10, 'wall' => [10, 1]];
            }
            $window = RequestWindow::fromMeta([
                'seconds' => 60, 'from' => $at, 'to' => $at += 60, 'requests' => 1000, 'processes' => 1, 'routes' => $routes,
            ]);
            $tree = CallTree::fromArray([
                'names' => ['main()', ...$names], 'fn' => range(0, 1000), 'depth' => [0, ...array_fill(0, 1000, 1)],
                'ct' => [0, ...array_fill(0, 1000, 1)], 'self' => ['wt' => [0, ...array_fill(0, 1000, 10000)]],
            ]);
            self::assertNotNull($window);
            $runs[] = SentWindow::shipment("k$run", "scan$run.auto", 'shop', 'shop', 'shop', 'web-1', $window, $tree, 10);
        }
        $folder = self::folder($runs);
        [$code, $text] = $this->ship($folder);
        self::assertSame(0, $code, $text);
        $status = $this->shipping($folder);
        self::assertSame([10, 8000], [$status['sent'], $status['other_values']]);
        $reader = $this->client('reader');
        foreach (['requests_10m' => 'requests', 'samples_10m' => 'samples'] as $table => $column) {
            self::assertSame(
                [[10000, 2001]],
                $reader->rows("SELECT sum($column), uniqExact(route) FROM $table"),
                $table,
            );
        }
        self::assertSame([[8000]], $reader->rows("SELECT sum(requests) FROM requests_10m WHERE route = '(other)'"));
    }

    public function testAHostileHostWritesFiguresAndNothingElse(): void
    {
        $this->init();
        $good = self::run1('good', 'shop', 'GET /', 'f', 'web-1');
        $this->send([$good]);
        // What bin/xhprof ship cleans and cuts: it speaks to the store by itself. It knows another service's name.
        $long = str_repeat('x', 1 << 20);
        $texts = ["a\nb", "\x1b[2J\x1b]0;title\x07", "'; DROP TABLE samples; --", "\0", "\u{202e}evil", "\xff\xfe", $long];
        foreach ($texts as $i => $text) {
            $this->send([self::run1("evil$i", "$text", "GET /$text", $text, $text)]);
        }
        $this->send([self::run1('claimed', 'shop', 'GET /', 'f', 'evil')]);
        // It counts there, as that host's: a writer may write for all. So does what the good host had sent.
        $reader = $this->client('reader');
        self::assertSame(
            [['evil', 4], ['web-1', 4]],
            $reader->rows("SELECT host, sum(requests) FROM requests_10m WHERE service = 'shop' GROUP BY host ORDER BY host"),
        );
        foreach ([['services'], ['status'], ['routes', '--service=shop'], ['hosts', '--service=shop']] as $question) {
            [$code, $text] = $this->asked($question);
            self::assertSame(0, $code, $text);
            self::assertDoesNotMatchRegularExpression('/[^\P{C}\n]/u', $text, $question[0]);
            self::assertLessThan(1 << 20, strlen($text), $question[0]);
        }
        $writer = $this->client('writer');
        $forbidden = ['SELECT * FROM shipped', 'SELECT key FROM inbox', 'DROP TABLE samples', 'TRUNCATE TABLE shipped'];
        foreach ($forbidden as $sql) {
            try {
                $writer->run($sql);
                self::fail("a host may $sql");
            } catch (QueryFailed $e) {
                self::assertSame(497, $e->error);
            }
        }
    }

    /** @return non-empty-list<Shipment> */
    private static function simulated(Plan $plan): array
    {
        $runs = self::listed((new Simulation(self::real(), $plan))->runs());

        return $runs === [] ? self::fail('the plan has no runs') : $runs;
    }

    /**
     * A host's run folder.
     *
     * @param list<Shipment> $runs
     */
    private static function folder(array $runs): Folder
    {
        $folder = new Folder();
        mkdir("$folder->path/runs");
        foreach ($runs as $run) {
            Hosts::write("$folder->path/runs", $run);
        }

        return $folder;
    }

    /** @return array<string, list<list<mixed>>> of each table that adds up */
    private function sums(): array
    {
        $sums = [];
        foreach ([...self::SAMPLED, ...self::FUNCTIONS] as $table) {
            $times = in_array($table, self::SAMPLED, true) ? 'sum(wall_ns)' : 'sum(self_ns), sum(total_ns)';
            $sums[$table] = $this->client('reader')->rows("SELECT sum(samples), $times FROM $table");
        }
        foreach (self::COUNTED as $table) {
            $sums[$table] = $this->client('reader')->rows("SELECT sum(requests), sum(wall_us), sumMap(walls) FROM $table");
        }

        return $sums;
    }

    /** Merges all, so that what is to expire has expired. */
    private function optimize(): void
    {
        foreach (Schema::tables() as $table) {
            $this->client('admin')->run("OPTIMIZE TABLE $table->name FINAL");
        }
    }

    /**
     * Begins a statement, and does not wait for its end.
     *
     * @return resource
     */
    private function begin(string $sql)
    {
        $stream = stream_socket_client('tcp://127.0.0.1:' . self::server()->port);
        self::assertIsResource($stream);
        $key = ClickHouse::USERS['admin'];
        fwrite($stream, "POST /?database=$this->database HTTP/1.1\r\nHost: localhost\r\nX-ClickHouse-User: admin\r\n"
            . "X-ClickHouse-Key: $key\r\nContent-Length: " . strlen($sql) . "\r\n\r\n$sql");

        return $stream;
    }

    /**
     * Sends the runs of a host's folder by bin/xhprof ship.
     *
     * @param int|null $blocks of 512 bytes, which is as long as a file may become: as if the disk were full
     *
     * @return array{int, string} exit code, and what it says
     */
    private function ship(Folder $folder, ?int $blocks = null): array
    {
        $starter = $blocks === null ? [] : ['sh', '-c', "trap '' XFSZ; ulimit -f $blocks; exec \"$@\"", 'sh'];

        return $this->process([
            'ship', '--once', '--to=' . self::server()->url($this->database), '--service=shop', '--env=production', '--host=web-1',
            "--output-dir=$folder->path/runs", "--state=$folder->path/state",
        ], 'writer', $starter);
    }

    /** @return array<string, mixed> */
    private function shipping(Folder $folder): array
    {
        $status = ['status', '--json', "--output-dir=$folder->path/runs", "--ship-state=$folder->path/state"];
        [, $text] = $this->process($status, 'writer');
        $status = json_decode($text, true);
        self::assertIsArray($status['shipping'][0] ?? null, $text);

        return $status['shipping'][0];
    }

    /**
     * @param list<string> $question
     *
     * @return array{int, string}
     */
    private function asked(array $question): array
    {
        return $this->process(['fleet', ...$question, '--to=' . self::server()->url($this->database)], 'reader');
    }

    /**
     * @param list<string>              $arguments
     * @param key-of<ClickHouse::USERS> $user
     * @param list<string>              $starter   see XhprofCommand
     *
     * @return array{int, string}
     */
    private function process(array $arguments, string $user, array $starter = []): array
    {
        $command = XhprofCommand::run($arguments, $user, ['COLUMNS' => '120'], $starter);

        return [$command->exitCode, $command->out . $command->err];
    }
}
