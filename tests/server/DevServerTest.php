<?php

declare(strict_types=1);

namespace XHProf\Tests\Server;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Run\RunMeta;
use XHProf\Tools\Servers\DevServer;
use XHProf\Tools\Servers\Site;

require_once __DIR__ . '/ServerTestCase.php';

/** `php -S`, with one process and with four. */
final class DevServerTest extends ServerTestCase
{
    private const REQUESTS = 100;

    protected function setUp(): void
    {
        self::needExtension();
    }

    /** @return iterable<string, array{list<string>, int}> settings, processes */
    public static function ways(): iterable
    {
        foreach (['exact', 'sample', 'aggregate'] as $mode) {
            foreach ([1, 4] as $workers) {
                $settings = ["xhprof.mode=$mode", 'xhprof.sampling_interval=1000', 'xhprof.flush_seconds=1'];
                yield "$mode, $workers" => [$settings, $workers];
            }
        }
    }

    /** @param list<string> $settings */
    #[DataProvider('ways')]
    public function testAnswersAndRuns(array $settings, int $workers): void
    {
        $requests = Site::requests(self::REQUESTS);
        $plain = new DevServer([], $workers);
        $expected = $plain->client->load($requests, 4);
        $plain->stop();
        $server = new DevServer(self::loaded(['xhprof.start_with_request=yes', ...$settings]), $workers);
        self::assertSameAnswers($expected, $server->client->load($requests, 4));
        $server->stop();
        self::assertSame('', substr($server->errors(), 0, 1000));
        self::assertStringNotContainsString('exited', $server->log());
        if ($settings[0] === 'xhprof.mode=aggregate') {
            self::nextProcess($server->folder, 1);
            $runs = self::wholeRuns($server->runs());
            $requests = array_sum(array_map(static fn(RunMeta $run): int => $run->window->requests ?? 0, $runs));
            self::assertContains($requests, [self::REQUESTS, self::REQUESTS + 1]);
        } else {
            $runs = self::wholeRuns($server->runs());
            self::assertCount(self::REQUESTS, $runs);
        }
        self::assertFalse(self::isInFiles($server->runs(), 'hunter2'), 'a secret is on the disk');
    }

    public function testTheHeaderNamesTheRun(): void
    {
        $server = new DevServer(self::loaded(['xhprof.start_with_request=trigger', 'xhprof.trigger_value=open-sesame']));
        self::assertNull($server->client->get('/products/3')->run());
        $id = $server->client->get('/products/3', 'XHPROF_TRIGGER=open-sesame')->run();
        self::assertNotNull($id);
        $server->stop();
        self::assertSame([$id], array_map(static fn(RunMeta $run): ?string => $run->id, self::wholeRuns($server->runs())));
    }

    /** All requests of a server started like this trigger their runs. */
    public function testTheEnvironmentAsks(): void
    {
        $settings = self::loaded(['xhprof.start_with_request=trigger']);
        $server = new DevServer($settings, 1, ['XHPROF_TRIGGER' => '1']);
        $ids = [];
        foreach ($server->client->load(self::pings(5), 1) as $response) {
            $ids[] = $response->run();
        }
        $server->stop();
        self::assertEqualsCanonicalizing(
            $ids,
            array_map(static fn(RunMeta $run): ?string => $run->id, self::wholeRuns($server->runs())),
        );
    }
}
