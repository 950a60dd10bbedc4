<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use XHProf\Import\InputFile;
use XHProf\Import\ImportedRun;
use XHProf\Import\Xhgui;
use XHProf\Tests\Lib\Support\Runs;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/Runs.php';

/** Posting a run to a server that answers as XHGui does, and to some that do not. */
final class PostCommandTest extends CliTestCase
{
    private const EDGES = ['main()==>PDO::query#SELECT secret' => ['ct' => 1, 'wt' => 7]];

    /** @var resource|null */
    private $server = null;

    private string $url = '';

    protected function setUp(): void
    {
        parent::setUp();
        file_put_contents("$this->folder/server.php", <<<'PHP'
            <?php
            $path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
            if ($path === '/slow/run/import') {
                sleep(60);
            }
            if ($path === '/gone/run/import') {
                header('Location: http://elsewhere.invalid/', true, 302);
                return;
            }
            if ($path === '/html/run/import') {
                echo '<h1>Welcome</h1>';
                return;
            }
            if ($path !== '/run/import' && $path !== '/xhgui/run/import') {
                return http_response_code(404);
            }
            header('Content-Type: application/json');
            if (($_GET['token'] ?? '') !== "se/cret &1") {
                http_response_code(401);
                echo json_encode(['error' => true, 'message' => 'Invalid token']);
                return;
            }
            $body = file_get_contents('php://input');
            file_put_contents(__DIR__ . '/received.json', $body);
            echo json_encode(['ok' => true, 'id' => '65a1b2', 'size' => strlen($body)]);
            PHP);
        $probe = stream_socket_server('tcp://127.0.0.1:0');
        self::assertNotFalse($probe);
        $address = (string) stream_socket_get_name($probe, false);
        fclose($probe);
        $this->url = "http://$address";
        $sink = ['file', '/dev/null', 'a'];
        $command = [PHP_BINARY, '-S', $address, "$this->folder/server.php"];
        $server = proc_open($command, [['file', '/dev/null', 'r'], $sink, $sink], $pipes);
        self::assertIsResource($server);
        $this->server = $server;
        for ($try = 0; $try < 200 && @stream_socket_client("tcp://$address", $code, $message, 0.2) === false; $try++) {
            usleep(25000);
        }
        $this->store()->save(Runs::small() + self::EDGES, 'shop', 'run1', [
            'url' => '/orders?token=secret&page=2',
            'method' => 'GET',
            'host' => 'shop.example',
            'ts' => 1763680000.25,
        ]);
        // Like a run that an old version saved with secrets.
        $meta = "$this->folder/runs/run1.shop.meta.json";
        file_put_contents($meta, str_replace('REDACTED', 'secret', (string) file_get_contents($meta), $count));
        self::assertSame(1, $count);
    }

    protected function tearDown(): void
    {
        if ($this->server !== null) {
            proc_terminate($this->server, 9);
            proc_close($this->server);
        }
        parent::tearDown();
    }

    public function testXhguiGetsTheRunWithoutSecrets(): void
    {
        $result = $this->xhprof(['export', 'run1', "--to=$this->url/xhgui/", '--token=se/cret &1']);
        self::assertSame([0, ''], [$result->exitCode, $result->err]);
        self::assertSame("Posted run1 (shop); its id there is 65a1b2\n", $result->out);
        $body = (string) file_get_contents("$this->folder/received.json");
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
        foreach ((new Xhgui())->read(InputFile::at("$this->folder/received.json")) as $back) {
            self::assertInstanceOf(ImportedRun::class, $back);
            self::assertSame(1763680000.25, $back->meta['ts']);
        }
    }

    public function testSecretsAreSentWhenAskedFor(): void
    {
        $result = $this->xhprof(['export', 'run1', "--to=$this->url", '--no-redact'], '', ['XHGUI_UPLOAD_TOKEN' => 'se/cret &1']);
        self::assertSame([0, ''], [$result->exitCode, $result->err]);
        $document = json_decode((string) file_get_contents("$this->folder/received.json"), true);
        self::assertSame('/orders?token=secret&page=2', $document['meta']['url']);
        self::assertArrayHasKey('main()==>PDO::query#SELECT secret', $document['profile']);
    }

    public function testFailuresAreReported(): void
    {
        $post = fn (string $to, string ...$more) => $this->xhprof(['export', 'run1', "--to=$to", ...array_values($more)]);
        self::assertOneLineError("$this->url/run/import refuses the token (401): Invalid token", $post($this->url));
        self::assertOneLineError('refuses the token', $post($this->url, '--token=wrong'));
        self::assertOneLineError('is not an import address of XHGui (404)', $post("$this->url/other"));
        self::assertOneLineError('redirects (302)', $post("$this->url/gone"));
        self::assertOneLineError('does not answer as XHGui does', $post("$this->url/html"));
        self::assertOneLineError('does not answer: Connection refused', $post('http://127.0.0.1:1'));
        foreach (['file:///etc/passwd', 'xhgui.example', 'http://', 'php://stdin'] as $url) {
            self::assertOneLineError('must be given as http://HOST', $post($url));
        }
        self::assertOneLineError('must not have parameters', $post("$this->url/?token=x"));
        self::assertUsageError('--to goes with none of --format', $post($this->url, '--format=csv'));
        self::assertFileDoesNotExist("$this->folder/received.json");
    }

    public function testASlowServerIsNotWaitedForForever(): void
    {
        $server = new \XHProf\Export\XhguiServer("$this->url/slow", '', 0.3);
        $this->expectException(\XHProf\Exception\SendError::class);
        $server->send('{}');
    }
}
