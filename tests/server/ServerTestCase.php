<?php

declare(strict_types=1);

namespace XHProf\Tests\Server;

use PHPUnit\Framework\TestCase;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tools\Servers\Folder;
use XHProf\Tools\Servers\NextProcess;
use XHProf\Tools\Servers\PhpFpm;
use XHProf\Tools\Servers\Programs;
use XHProf\Tools\Servers\Request;
use XHProf\Tools\Servers\Response;

require_once __DIR__ . '/../../tools/servers/autoload.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** Checks for all tests with servers. */
abstract class ServerTestCase extends TestCase
{
    /** Of runs that settings start. */
    protected const SOURCE = 'auto';

    protected static function needServers(): void
    {
        if (Programs::missing() !== null) {
            self::markTestSkipped(Programs::missing());
        }
        self::needExtension();
    }

    protected static function needExtension(): void
    {
        if (!is_file(Programs::extension())) {
            self::markTestSkipped('extension/modules/xhprof.so is not built (make build)');
        }
        if (!extension_loaded('curl')) {
            self::markTestSkipped('this PHP has no curl');
        }
    }

    /**
     * @param list<string> $settings besides the one that loads the extension
     * @return list<string>
     */
    protected static function loaded(array $settings = []): array
    {
        return ['extension=' . Programs::extension(), ...$settings];
    }

    /**
     * Every request has the answer that it has without the profiler.
     *
     * @param list<Response> $expected
     * @param list<Response> $actual
     */
    protected static function assertSameAnswers(array $expected, array $actual): void
    {
        self::assertCount(count($expected), $actual);
        foreach ($expected as $index => $response) {
            self::assertSame(self::answer($response), self::answer($actual[$index]), $response->request->path);
        }
    }

    /**
     * @param list<Request> $requests
     * @return list<Response> of PHP-FPM without the extension
     */
    protected static function plainAnswers(array $requests): array
    {
        $server = new PhpFpm([]);
        $responses = $server->client->load($requests, 4);
        $server->stop();
        self::assertNotSame([], $responses);

        return $responses;
    }

    /** @return list<mixed> the parts of an answer that a client sees */
    private static function answer(Response $response): array
    {
        $body = $response->body;
        $shown = strlen($body) < 200 ? $body : substr($body, 0, 100) . '... ' . strlen($body) . ' bytes, ' . md5($body);

        return [$response->error, $response->status, $response->headers['content-type'] ?? null, $shown];
    }

    /**
     * The workers that were started serve to the end.
     *
     * @param list<int> $workers as they were at the start
     */
    protected static function assertWorkersLive(array $workers, PhpFpm $server): void
    {
        self::assertSame($workers, $server->workers(), $server->log());
        self::assertDoesNotMatchRegularExpression('/exited|signal|WARNING|ERROR|ALERT/', $server->log());
    }

    /** @return list<RunMeta> of the runs of a folder that are complete now: others may be being written */
    protected static function completeRuns(string $folder): array
    {
        $store = new RunFolder($folder);

        return array_map(
            static fn(string $run): RunMeta => $store->open(RunId::fromText($run))->meta(),
            RunFiles::runs($folder, self::SOURCE),
        );
    }

    /**
     * All files of the folder are whole, and nothing else is in it. Nothing may write to it meanwhile.
     *
     * @return list<RunMeta> of the runs of a source
     */
    protected static function wholeRuns(string $folder, string $source = self::SOURCE): array
    {
        $store = new RunFolder($folder);
        $runs = [];
        foreach (array_diff(scandir($folder) ?: [], ['.', '..']) as $name) {
            if (preg_match('/^\.xhprof-(folder|aggregate)\.[\w-]+/', $name) === 1 && !str_contains($name, '.tmp')) {
                continue;
            }
            self::assertSame(1, preg_match('/^[0-9a-f]{32}\.[\w-]+(?=\.)/', $name, $match), "$name is not a file of a run");
            $id = RunId::fromText($match[0] ?? '');
            self::assertSame(RunFiles::file($id), $name);
            $runs[] = $id;
        }
        $metas = [];
        foreach ($runs as $id) {
            self::assertArrayHasKey('meta', RunFiles::documents($folder, $id), 'each document can be read');
            $store->open($id)->profile();
            self::assertNotNull($store->open($id)->tree(), "$id has no call tree");
            $meta = $store->open($id)->meta();
            self::assertSame($id->id, $meta->id);
            if ($id->source === $source) {
                $metas[] = $meta;
            }
        }

        return $metas;
    }

    /** Whether something is in any file of a folder. */
    protected static function isInFiles(string $folder, string $text): bool
    {
        foreach (array_diff(scandir($folder) ?: [], ['.', '..']) as $name) {
            if (str_contains((string) file_get_contents("$folder/$name"), $text)) {
                return true;
            }
        }

        return false;
    }

    /** Waits for an effect of a request's end, which comes after its answer. */
    protected static function eventually(\Closure $condition, string $message): void
    {
        if (!self::within($condition)) {
            self::fail($message);
        }
    }

    /**
     * Waits until something is so.
     *
     * @param \Closure(): bool $condition
     * @return bool whether it became so
     */
    protected static function within(\Closure $condition): bool
    {
        for ($try = 0; $try < 3000; $try++) {
            if ($condition()) {
                return true;
            }
            usleep(20_000);
        }

        return false;
    }

    /** Data left by short-lived processes become a run when the next process comes after the window. */
    protected static function nextProcess(Folder $folder, int $seconds): void
    {
        sleep($seconds);
        self::assertSame(0, NextProcess::run($folder));
    }

    /** Neither PHP nor nginx has logged anything. */
    protected static function assertQuiet(PhpFpm $server): void
    {
        self::assertSame('', substr($server->errors(), 0, 1000) . substr($server->nginxErrors(), 0, 1000));
    }

    /** The number of runs in a folder, whole or not. */
    protected static function countRuns(string $folder, string $source = self::SOURCE): int
    {
        return count(RunFiles::runs($folder, $source));
    }

    /**
     * @return list<Request> many short ones
     */
    protected static function pings(int $count): array
    {
        return array_fill(0, $count, new Request('/ping'));
    }
}
