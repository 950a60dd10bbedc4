<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use XHProf\Fleet\ClickHouse\Schema;
use XHProf\Fleet\Question\Kept;
use XHProf\Fleet\Question\Selection;
use XHProf\Tests\Lib\Support\KeptWindowRuns;
use XHProf\Tools\Servers\Folder;

require_once __DIR__ . '/FleetTestCase.php';
require_once __DIR__ . '/../lib/Support/KeptWindowRuns.php';

/** What requests keep, from the windows of hosts to the questions of a store. */
final class KeptTest extends FleetTestCase
{
    private const FIGURES = ['verdict', 'trend', 'route', 'path', 'bytes_per_request', 'net_bytes', 'kept_bytes', 'released_bytes'];

    public function testAStoreSaysOfAHostWhatItsFolderSays(): void
    {
        $this->init();
        $folder = $this->shipped(['w1']);
        $here = json_decode($this->xhprof(['leaks', '--from=2020-01-01', "--output-dir=$folder->path/runs", '--json']), true);
        self::assertIsArray($here);
        $there = $this->json(['leaks', '--service=shop']);
        self::assertSame(self::plain($here['paths']), self::plain($there['paths']));
        self::assertContains('grows', array_column($there['paths'], 'verdict'));
        self::assertContains('let go', array_column($there['paths'], 'verdict'));
        self::assertSame([$here['requests'], $here['windows'], $here['unfollowed']], [
            $there['requests'], $there['windows'], $there['unfollowed'],
        ]);
        $one = $this->json(['leaks', '--service=shop', '--route=App\Job\Resize']);
        self::assertSame([], $one['findings']);
        self::assertSame(['App\Job\Resize'], array_values(array_unique(array_column($one['paths'], 'route'))));
        self::assertSame([], $this->json(['leaks', '--service=other'])['paths']);
    }

    public function testHostsAreAddedUpAndNothingCountsTwice(): void
    {
        $client = $this->init();
        $folder = $this->shipped(['w1', 'w2']);
        $twice = $this->json(['leaks', '--service=shop']);
        self::assertSame(2 * 30_000, $twice['requests']);
        self::assertSame(10, $twice['windows']);
        $isLeak = static fn (array $path): bool => $path['path'][0] === 'App\Log::add';
        $leak = array_values(array_filter($twice['paths'], $isLeak))[0];
        self::assertSame(2 * KeptWindowRuns::WINDOWS * KeptWindowRuns::LEAK, $leak['kept_bytes']);
        self::assertSame('grows', $leak['verdict']);
        // As if the store had lost what it knows of the runs that have arrived.
        $client->run('TRUNCATE TABLE shipped');
        $this->ship($folder, 'w2', 'again');
        self::assertSame($twice['paths'], $this->json(['leaks', '--service=shop'])['paths']);
        $host = (new Kept($this->client('reader')))->paths(new Selection('shop', host: 'w1'));
        self::assertSame(30_000, $host->requests());
    }

    /** One of version 1, which has no table for it, takes all else. */
    public function testAnOlderStoreTakesTheRest(): void
    {
        $client = $this->init();
        $client->run('DROP TABLE ' . Schema::KEPT);
        $this->shipped(['w1']);
        self::assertSame([[KeptWindowRuns::WINDOWS]], $this->client('reader')->rows('SELECT uniqExact(run) FROM inbox'));
        self::assertSame([], $this->json(['leaks', '--service=shop'])['paths']);
        self::assertTrue((new Kept($this->client('reader')))->paths(new Selection('shop'))->isEmpty());
    }

    /** @param list<string> $hosts */
    private function shipped(array $hosts): Folder
    {
        $folder = new Folder();
        mkdir("$folder->path/runs");
        KeptWindowRuns::build("$folder->path/runs", intdiv(time(), 60) * 60 - 3600);
        foreach ($hosts as $host) {
            $this->ship($folder, $host);
        }

        return $folder;
    }

    private function ship(Folder $folder, string $host, string $state = ''): void
    {
        $this->xhprof([
            'ship', '--to=' . self::server()->url($this->database), '--once', "--state=$folder->path/$host$state", "--host=$host",
            '--service=shop', "--output-dir=$folder->path/runs",
        ], user: 'writer');
    }

    /**
     * @param array<mixed> $paths
     *
     * @return list<array<string, mixed>> their figures; names that attack readers are others in a store
     */
    private static function plain(array $paths): array
    {
        $plain = [];
        foreach ($paths as $path) {
            if (is_array($path) && str_starts_with((string) $path['route'], 'App')) {
                $plain[] = array_intersect_key($path, array_flip(self::FIGURES));
            }
        }

        return $plain;
    }
}
