<?php

declare(strict_types=1);

namespace XHProf\Tests\Inspector;

use PHPUnit\Framework\Attributes\Group;
use XHProf\Tools\Servers\PhpFpm;
use XHProf\Tools\Servers\Programs;

require_once __DIR__ . '/InspectorTestCase.php';
require_once __DIR__ . '/../../tools/servers/autoload.php';

/** Workers of PHP-FPM that serve requests, all of which allocate and free all the time. */
#[Group('inspect')]
final class LoadTest extends InspectorTestCase
{
    private const WORKERS = 3;
    private const WORKS = ['small', 'huge', 'objects', 'growing', 'code', 'calls'];

    /** SNAPSHOTS=n sets their number; every fifth is an image. */
    public function testNoSnapshotFails(): void
    {
        if (Programs::missing() !== null) {
            self::markTestSkipped(Programs::missing());
        }
        $server = new PhpFpm([], self::WORKERS, script: __DIR__ . '/busy.php');
        $workers = $server->workers();
        $clients = $this->clients($server);
        $count = max(1, (int) (getenv('SNAPSHOTS') ?: 60));
        $output = "$this->folder/of";
        $failures = $codes = [];
        for ($i = 0; $i < $count; $i++) {
            $command = $i % 5 === 4 ? 'image' : 'memory';
            $result = $this->inspect([$command, '-p', (string) $workers[$i % self::WORKERS], '-o', $output]);
            $problem = $result->exitCode === 0 ? ($command === 'memory' ? self::problem($output) : null) : trim($result->err);
            if ($problem !== null) {
                $failures[] = "$i $command: $problem";
            }
            $codes[$result->exitCode] = ($codes[$result->exitCode] ?? 0) + 1;
            @unlink($output);
        }
        foreach ($clients as $client) {
            self::assertTrue(proc_get_status($client)['running'], 'a client has ended: a request has failed');
            proc_terminate($client);
        }

        self::assertSame([], $failures, 'exit codes and how often: ' . json_encode($codes));
        self::assertSame($workers, $server->workers(), $server->log());
        $server->stop();
    }

    /** The error of a snapshot, of which only both ends are read. */
    private static function problem(string $file): ?string
    {
        $text = (string) file_get_contents($file);
        $header = json_decode(substr($text, 0, (int) strpos($text, "\n")), true);
        $footer = json_decode(substr($text, (int) strrpos(rtrim($text), "\n")), true);
        if (!is_array($header) || !is_array($footer) || ($footer['end'] ?? false) !== true) {
            return 'it is not whole';
        }

        return $header['usage'] === $footer['summary']['usage'] && $footer['summary']['incomplete'] === false
            ? null
            : "usage {$header['usage']}, but all blocks have {$footer['summary']['usage']}";
    }

    /** @return list<resource> processes that send requests until one fails, as many as there are workers */
    private function clients(PhpFpm $server): array
    {
        file_put_contents("$this->folder/client.php", <<<'PHP'
            <?php
            require $argv[1];
            $client = new XHProf\Tools\Servers\Client('http://shop.test', $argv[2]);
            do {
                $path = '/?what=' . $argv[3 + mt_rand(0, $argc - 4)] . '&for=' . mt_rand(0, 80);
            } while ($client->get($path)->body === 'done');
            PHP);
        $clients = [];
        for ($i = 0; $i < self::WORKERS; $i++) {
            $autoload = (string) realpath(self::ROOT . '/tools/servers/autoload.php');
            $arguments = [$autoload, "{$server->folder->path}/nginx.sock", ...self::WORKS];
            $clients[] = $this->start([PHP_BINARY, "$this->folder/client.php", ...$arguments], "$this->folder/client$i");
        }

        return $clients;
    }
}
