<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use XHProf\Demo\Fleet\Plan;
use XHProf\Demo\Fleet\Simulation;
use XHProf\Fleet\ClickHouse\ClickHouseOutput;
use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\ClickHouse\Ddl;
use XHProf\Fleet\ClickHouse\Migrations;
use XHProf\Fleet\ClickHouse\QueryFailed;
use XHProf\Fleet\ClickHouse\Schema;
use XHProf\Fleet\ClickHouse\TableRetention;
use XHProf\Fleet\Destination;
use XHProf\Fleet\Question\Flame;
use XHProf\Fleet\Question\Functions;
use XHProf\Fleet\Question\Requests;
use XHProf\Fleet\Question\SampledClock;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\Shipment;
use XHProf\Fleet\Unavailable;
use XHProf\Profile\CallTree;

require_once __DIR__ . '/FleetTestCase.php';

/** What the store holds is what was sent, once. */
final class StoreTest extends FleetTestCase
{
    public function testInitMayBeInterruptedAndRepeated(): void
    {
        $client = $this->client('admin');
        $migrations = new Migrations($client, new Ddl());
        self::assertSame(0, $migrations->version());
        $client->run((new Ddl())->database($this->database), isGlobal: true);
        // As far as it came before it was interrupted.
        foreach (array_slice(Migrations::steps(new Ddl())[1], 0, 7) as $statement) {
            $client->run($statement);
        }
        self::assertSame(array_keys(Migrations::steps(new Ddl())), $migrations->init());
        self::assertSame([], $migrations->init());
        self::assertSame(Migrations::newest(), $migrations->version());
        $tables = array_column($client->rows("SELECT name FROM system.tables WHERE database = currentDatabase()"), 0);
        foreach (Schema::tables() as $table) {
            self::assertContains($table->name, $tables);
            if ($table->from !== '') {
                self::assertContains($table->view(), $tables);
            }
        }
    }

    public function testHowLongRowsAreKeptCanBeChanged(): void
    {
        $client = $this->init();
        (new Migrations($client, new Ddl(days: ['raw' => 3, '1h' => 0])))->keep([TableRetention::Raw, TableRetention::Hours]);
        $made = $client->rows("SELECT name, create_table_query FROM system.tables WHERE database = currentDatabase()");
        $made = array_combine(array_column($made, 0), array_column($made, 1));
        self::assertStringContainsString('toIntervalDay(3)', $made['samples']);
        self::assertStringNotContainsString('TTL', $made['samples_1h']);
        self::assertStringContainsString('toIntervalDay(30)', $made['samples_10m']);
    }

    public function testFiguresAreTheSumsOfWhatWasSent(): void
    {
        $this->init();
        $runs = self::listed((new Simulation(self::real(), new Plan(1, hosts: 3, windows: 2, badHosts: 1)))->runs());
        $this->send(array_slice($runs, 0, 5));
        $this->send(array_slice($runs, 5));
        $sums = new Sums($runs);
        self::assertGreaterThan(10000, $sums->samples);
        $this->assertSums($sums);

        $reader = $this->client('reader');
        foreach (self::FUNCTIONS as $table) {
            $self = $total = [];
            $rows = $reader->rows("SELECT route, f.name, sum(self_ns), sum(total_ns) FROM $table AS t"
                . ' LEFT JOIN functions AS f FINAL ON t.fn = f.fn AND t.route = f.route GROUP BY route, f.name');
            foreach ($rows as [$route, $name, $own, $all]) {
                $self["$route > $name"] = $own;
                $total["$route > $name"] = $all;
            }
            $self = array_filter($self);
            $total = array_filter($total);
            ksort($self);
            ksort($total);
            self::assertSame($sums->self, $self, $table);
            self::assertSame($sums->total, $total, $table);
        }
        $services = (new Requests($reader))->services(new Selection());
        self::assertCount(1, $services);
        self::assertSame([Plan::SERVICE, 3], [$services[0]['service'], $services[0]['hosts']]);
        foreach ([0.5, 0.95, 0.99] as $share) {
            self::assertSame($sums->walls->quantile($share), $services[0]['figures']->walls->quantile($share));
        }
        $tree = (new Flame($reader))->tree(new Selection(Plan::SERVICE), SampledClock::Wall);
        self::assertNotNull($tree);
        self::assertSame($sums->paths, self::paths($tree));
        $ofHost = (new Flame($reader))->tree(new Selection(Plan::SERVICE, host: 'web-02'), SampledClock::Wall);
        self::assertNotNull($ofHost);
        $one = new Sums(array_filter($runs, static fn (Shipment $one): bool => $one->run->meta()->origin->host === 'web-02'));
        self::assertSame($one->paths, self::paths($ofHost));
    }

    public function testARunThatComesTwiceCountsOnce(): void
    {
        $admin = $this->init();
        $runs = self::listed((new Simulation(self::real(), new Plan(2, hosts: 4, windows: 1)))->runs());
        $sums = new Sums($runs);
        $output = $this->store();
        self::sendBy($output, array_slice($runs, 0, 3));
        // The same ones, alone and with others, of this process and of another.
        $output->send([$runs[1]]);
        $this->send([$runs[2], $runs[0], ...array_slice($runs, 3)]);
        $this->send([$runs[4], $runs[4], $runs[1]]);
        $this->assertSums($sums);
        // The store has them, but the confirmation was lost: it is not known that they are complete.
        $admin->run('TRUNCATE TABLE shipped');
        $this->send([$runs[5], $runs[0]]);
        $this->send(array_reverse($runs));
        $this->assertSums($sums);
    }

    public function testTokensOutliveTheServer(): void
    {
        $admin = $this->init();
        $runs = self::listed((new Simulation(self::real(), new Plan(3, hosts: 1, windows: 1)))->runs());
        $this->send($runs);
        self::server()->kill();
        self::server()->restart();
        // It is not known that they are complete.
        $admin->run('TRUNCATE TABLE shipped');
        $this->send($runs);
        $this->assertSums(new Sums($runs));
    }

    public function testWhatIsMissingOfARunIsAdded(): void
    {
        $admin = $this->init();
        $runs = self::listed((new Simulation(self::real(), new Plan(3, hosts: 2, windows: 1)))->runs());
        // As if the server had ended between two tables.
        foreach (['samples_1h', 'functions_10m', 'requests_1d'] as $table) {
            $admin->run("DROP VIEW {$table}_view");
        }
        $this->send($runs);
        self::assertSame([[0]], $admin->rows('SELECT count() FROM samples_1h'));
        $admin->run('TRUNCATE TABLE shipped');
        foreach (Migrations::steps(new Ddl())[1] as $statement) {
            $admin->run($statement);
        }
        $this->send(array_reverse($runs));
        $this->assertSums(new Sums($runs));
    }

    public function testAKilledServerLosesNothingAndCountsNothingTwice(): void
    {
        $this->init();
        $runs = self::listed((new Simulation(self::real(), new Plan(4, hosts: 9, windows: 1)))->runs());
        $output = $this->store();
        $failures = 0;
        foreach (array_chunk($runs, 6) as $round => $some) {
            $killer = self::killer(self::server(), 15 + 13 * $round);
            try {
                foreach ($some as $run) {
                    $output->send([$run]);
                }
            } catch (Unavailable) {
                $failures++;
            }
            proc_close($killer);
            self::server()->kill();
            self::server()->restart();
            self::sendBy($output, $some);
        }
        self::assertGreaterThan(0, $failures, 'the server was never killed while it had work');
        $this->assertSums(new Sums($runs));
    }

    public function testNamesAreNeverStatements(): void
    {
        $this->init();
        $names = [
            "'; DROP TABLE samples; --", "a' OR 1=1 OR 'a'='", 'back\\slash\\\'', "tab\tand\nline", '{route:String}',
            '%s %00 ?&=', '日本語 "x" `y`',
            '$(reboot)', "\\N", "') UNION ALL SELECT 1 --",
        ];
        $runs = [];
        foreach ($names as $i => $name) {
            $runs[] = self::run1("key$i $name", $name, $name, $name, $name);
        }
        $this->send($runs);
        $this->send($runs);
        $reader = $this->client('reader');
        foreach ($names as $name) {
            $which = new Selection($name, $name, $name, $name, $name);
            $routes = (new Requests($reader))->routes($which);
            self::assertSame([[$name, $name, 4]], array_map(
                static fn (array $one): array => [$one['route'], $one['release'], $one['figures']->requests],
                $routes,
            ));
            $functions = (new Functions($reader))->top($which, SampledClock::Wall, 10);
            self::assertSame([$name, 3, 30000, 30000], [
                $functions[0]->name, $functions[0]->samples(), $functions[0]->self(), $functions[0]->total(),
            ]);
            $tree = (new Flame($reader))->tree($which, SampledClock::Wall);
            self::assertNotNull($tree);
            self::assertSame(3, array_sum($tree->ct));
            self::assertSame([['host' => $name, 'is_outlier' => false]], array_map(
                static fn (array $host): array => ['host' => $host['host'], 'is_outlier' => $host['is_outlier']],
                (new Requests($reader))->hosts($which, SampledClock::Wall),
            ));
        }
        self::assertSame(count($names), count((new Requests($reader))->services(new Selection())));
    }

    public function testUsersMayDoWhatTheyAreFor(): void
    {
        $this->init();
        $run = self::run1('k', 'shop', 'GET /', 'f', 'web-1');
        $this->send([$run]);
        $others = [
            'reader' => "INSERT INTO shipped (key) FORMAT JSONCompactEachRow\n[\"a\"]",
            'writer' => 'SELECT count() FROM samples',
        ];
        foreach ($others as $user => $sql) {
            foreach ([$sql, 'DROP TABLE samples', 'ALTER TABLE samples DELETE WHERE 1'] as $statement) {
                try {
                    $this->client($user)->run($statement);
                    self::fail("$user may $statement");
                } catch (QueryFailed $e) {
                    self::assertSame(497, $e->error, $e->getMessage());
                }
            }
        }
        $wrong = new ClickHouseOutput($this->client('writer', 'guessed'));
        try {
            $wrong->send([$run]);
            self::fail('any password will do');
        } catch (Unavailable $e) {
            self::assertStringContainsString('Authentication failed', $e->getMessage());
            self::assertStringNotContainsString('guessed', $e->getMessage());
        }
        self::assertSame([[1]], $this->client('reader')->rows('SELECT uniqExact(route) FROM samples'));
    }

    public function testNoServerAndNoTablesAreReasonsToWait(): void
    {
        $run = self::run1('k', 'shop', 'GET /', 'f', 'web-1');
        $nowhere = Client::fromDestination(new Destination('clickhouse://127.0.0.1:1/fleet'));
        foreach ([$this->store(), new ClickHouseOutput($nowhere)] as $output) {
            try {
                $output->send([$run]);
                self::fail('it was sent nowhere');
            } catch (Unavailable $e) {
                self::assertStringContainsString('127.0.0.1', $e->getMessage());
            }
        }
    }

    /** @return array<string, int> */
    private static function paths(CallTree $tree): array
    {
        $paths = [];
        $path = [];
        foreach ($tree->fn as $node => $fn) {
            $path = [...array_slice($path, 0, $tree->depth[$node]), $tree->names[$fn]];
            $paths[implode(' > ', array_slice($path, 1))] = $tree->ct[$node];
        }
        $paths = array_filter($paths);
        ksort($paths);

        return $paths;
    }
}
