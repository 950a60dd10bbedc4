<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use XHProf\Import\ImportedRun;
use XHProf\Import\InputFile;
use XHProf\Import\XhguiReader;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\Runs;
use XHProf\Tests\Lib\Support\StoreServer;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';
require_once __DIR__ . '/../lib/Support/Runs.php';
require_once __DIR__ . '/../lib/Support/StoreServer.php';

/** Posting a run to a server that answers as XHGui does, and to some that do not. */
final class PostCommandTest extends CliTestCase
{
    private const EDGES = ['main()==>PDO::query#SELECT secret' => ['ct' => 1, 'wt' => 7]];

    private const TAKEN = "200 Content-Type: application/json\t{\"ok\":true,\"id\":\"65a1b2\"}";

    private ?StoreServer $server = null;

    private string $url = '';

    protected function setUp(): void
    {
        parent::setUp();
        $this->server = StoreServer::start("$this->folder/server");
        $this->url = "http://{$this->server->address}";
        $this->store()->save(Runs::small() + self::EDGES, 'shop', 'run1', [
            'url' => '/orders?token=secret&page=2',
            'method' => 'GET',
            'host' => 'shop.example',
            'ts' => 1763680000.25,
        ]);
        // Like a run that an old version saved with secrets.
        RunFiles::change("$this->folder/runs", 'run1.shop', 'meta', static function (array $meta): array {
            $meta['url'] = str_replace('REDACTED', 'secret', $meta['url'], $count);
            self::assertSame(1, $count);

            return $meta;
        });
    }

    protected function tearDown(): void
    {
        $this->server?->stop();
        parent::tearDown();
    }

    private function server(): StoreServer
    {
        self::assertNotNull($this->server);

        return $this->server;
    }

    /** @return string the body of the only request, which went to that path with the token */
    private function received(string $path): string
    {
        $requests = $this->server()->requests();
        self::assertCount(1, $requests);
        self::assertSame($path . '?token=se%2Fcret%20%261', $requests[0]['path']);
        self::assertSame((string) strlen($requests[0]['body']), $requests[0]['headers']['content-length'] ?? '');

        return $requests[0]['body'];
    }

    public function testXhguiGetsTheRunWithoutSecrets(): void
    {
        $this->server()->answers(self::TAKEN);
        $result = $this->xhprof(['export', 'run1', "--to=$this->url/xhgui/", '--token=se/cret &1']);
        self::assertSame([0, ''], [$result->exitCode, $result->err]);
        self::assertSame("Posted run1 (shop); its id there is 65a1b2\n", $result->out);
        $body = $this->received('/xhgui/run/import');
        file_put_contents("$this->folder/received.json", $body);
        self::assertStringNotContainsString('secret', $body);
        $document = json_decode($body, true);
        self::assertSame('/orders?token=REDACTED&page=REDACTED', $document['meta']['url']);
        self::assertSame('/orders', $document['meta']['simple_url']);
        self::assertSame(['sec' => 1763680000, 'usec' => 250000], $document['meta']['request_ts_micro']);
        self::assertSame('2025-11-20', $document['meta']['request_date']);
        $server = ['REQUEST_TIME', 'REQUEST_TIME_FLOAT', 'REQUEST_METHOD', 'SERVER_NAME'];
        self::assertSame($server, array_keys($document['meta']['SERVER']));
        self::assertSame(Runs::small()['main()'], $document['profile']['main()']);
        self::assertSame(['ct' => 1, 'wt' => 7], $document['profile']['main()==>PDO::query']);
        foreach ((new XhguiReader())->read(InputFile::at("$this->folder/received.json")) as $back) {
            self::assertInstanceOf(ImportedRun::class, $back);
            self::assertSame(1763680000.25, $back->meta['ts']);
        }
    }

    public function testSecretsAreSentWhenAskedFor(): void
    {
        $this->server()->answers(self::TAKEN);
        $result = $this->xhprof(['export', 'run1', "--to=$this->url", '--no-redact'], '', ['XHGUI_UPLOAD_TOKEN' => 'se/cret &1']);
        self::assertSame([0, ''], [$result->exitCode, $result->err]);
        $document = json_decode($this->received('/run/import'), true);
        self::assertSame('/orders?token=secret&page=2', $document['meta']['url']);
        self::assertArrayHasKey('main()==>PDO::query#SELECT secret', $document['profile']);
    }

    public function testFailuresAreReported(): void
    {
        $post = fn (string $to, string ...$more) => $this->xhprof(['export', 'run1', "--to=$to", ...array_values($more)]);
        $this->server()->answers(
            "401 Content-Type: application/json\t{\"error\":true,\"message\":\"Invalid token\"}",
            "401 Content-Type: application/json\t{\"error\":true,\"message\":\"Invalid token\"}",
            '404',
            '302 Location: http://elsewhere.invalid/',
            "200 Content-Type: text/html\t<h1>Welcome</h1>",
        );
        self::assertOneLineError("$this->url/run/import refuses the token (401): Invalid token", $post($this->url));
        self::assertOneLineError('refuses the token', $post($this->url, '--token=wrong'));
        self::assertOneLineError('is not an import address of XHGui (404)', $post("$this->url/other"));
        self::assertOneLineError('redirects (302)', $post("$this->url/gone"));
        self::assertOneLineError('does not answer as XHGui does', $post("$this->url/html"));
        $asked = ['/run/import', '/run/import?token=wrong', '/other/run/import', '/gone/run/import', '/html/run/import'];
        self::assertSame($asked, array_column($this->server()->requests(), 'path'));
        self::assertOneLineError('does not answer: Connection refused', $post('http://127.0.0.1:1'));
        foreach (['file:///etc/passwd', 'xhgui.example', 'http://', 'php://stdin'] as $url) {
            self::assertOneLineError('must be given as http://HOST', $post($url));
        }
        self::assertOneLineError('must not have parameters', $post("$this->url/?token=x"));
        self::assertUsageError('--to goes with none of --format', $post($this->url, '--format=csv'));
        self::assertCount(count($asked), $this->server()->requests(), 'nothing else was asked');
    }

    public function testASlowServerIsNotWaitedForForever(): void
    {
        $this->server()->answers('hang');
        $server = new \XHProf\Export\XhguiServer("$this->url/slow", '', 0.3);
        $this->expectException(\XHProf\Exception\SendError::class);
        $server->send('{}');
    }
}
