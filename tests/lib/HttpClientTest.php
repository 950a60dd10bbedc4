<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\After;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\SendError;
use XHProf\Fleet\Acceptance;
use XHProf\Fleet\Rejected;
use XHProf\Fleet\Unavailable;
use XHProf\Http\HttpClient;
use XHProf\Http\HttpResponse;
use XHProf\Tests\Lib\Support\StoreServer;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/StoreServer.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** What the client posts, and what it makes of answers. */
final class HttpClientTest extends TestCase
{
    use TemporaryFolder;

    private ?StoreServer $server = null;

    private function server(string $certificate = ''): StoreServer
    {
        return $this->server = StoreServer::start("$this->folder/server", $certificate);
    }

    #[After]
    protected function stopServer(): void
    {
        $this->server?->stop();
        $this->server = null;
    }

    public function testABodyIsSentCompressedWithItsCredentials(): void
    {
        $server = $this->server();
        $client = new HttpClient(5.0, null, 'shipper', 'pass:word');
        $answer = $client->post("http://$server->address/in?token=x", 'hello', ['Content-Type' => 'text/plain'], true);
        self::assertSame([200, 'so'], [$answer->status, $answer->body]);
        [$request] = $server->requests();
        self::assertSame('/in?token=x', $request['path']);
        self::assertSame('hello', gzdecode($request['body']));
        self::assertSame('gzip', $request['headers']['content-encoding']);
        self::assertSame('text/plain', $request['headers']['content-type']);
        self::assertSame('Basic ' . base64_encode('shipper:pass:word'), $request['headers']['authorization']);
        $client->post("http://$server->address/in", 'plain');
        self::assertSame('plain', $server->requests()[1]['body']);
    }

    public function testARedirectIsNotFollowed(): void
    {
        $server = $this->server();
        $server->answers("302 Location: http://$server->address/elsewhere");
        $answer = (new HttpClient(5.0))->post("http://$server->address/in", 'x');
        self::assertTrue($answer->isRedirect());
        self::assertCount(1, $server->requests());
    }

    public function testALongAnswerIsCut(): void
    {
        $server = $this->server();
        $server->answers('long');
        $answer = (new HttpClient(5.0))->post("http://$server->address/in", 'x');
        self::assertSame([400, 65536], [$answer->status, strlen($answer->body)]);
        self::assertSame(str_repeat('x', 200), $answer->said());
    }

    public function testNoAnswerIsAnErrorThatNamesTheAddressWithoutParameters(): void
    {
        $server = $this->server();
        foreach (['cut', 'part'] as $answer) {
            $server->answers($answer);
            try {
                $status = (new HttpClient(5.0))->post("http://$server->address/in?token=secret", 'x')->status;
                self::assertSame('part', $answer);
                self::assertSame(200, $status);
            } catch (SendError $e) {
                self::assertStringStartsWith("http://$server->address/in does not answer: ", $e->getMessage());
                self::assertStringNotContainsString('secret', $e->getMessage());
            }
        }
        $this->expectException(SendError::class);
        $this->expectExceptionMessage('Connection refused');
        (new HttpClient(5.0))->post('http://127.0.0.1:1/in', 'x');
    }

    /** @return iterable<string, array{string, string}> mode of hostile-server.php; "" for an answer, else what the error says */
    public static function hostile(): iterable
    {
        yield 'headers without end' => ['headers', 'its headers are too long'];
        yield 'a header without end' => ['one header', 'its headers are too long'];
        yield 'a status without end' => ['status', 'its headers are too long'];
        yield 'interim answers without end' => ['interim', 'its headers are too long'];
        yield 'a body without end' => ['body', ''];
        yield 'a body as long as it says' => ['length', ''];
        yield 'the body of an error' => ['error', ''];
        yield 'chunks without end' => ['chunks', ''];
        yield 'a chunk of 4 GB' => ['a large chunk', ''];
        yield 'a line of a chunk without end' => ['chunk line', 'not chunked as it says'];
        foreach (['headers', 'status', 'body', 'chunks'] as $what) {
            yield "slow $what" => ["slow $what", 'it took more than 0.5 seconds'];
        }
        yield 'no answer' => ['silent', 'it took more than 0.5 seconds'];
        yield 'one that does not read' => ['deaf', 'it took more than 0.5 seconds'];
    }

    /** Whatever a server sends, and however slowly, an exchange ends, and takes little memory. */
    #[DataProvider('hostile')]
    public function testWhateverAServerSendsHasABound(string $mode, string $error): void
    {
        $command = [PHP_BINARY, '-n', __DIR__ . '/Support/hostile-server.php', $mode];
        $process = proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], STDERR], $pipes);
        self::assertIsResource($process);
        $address = trim((string) fgets($pipes[1]));
        // What is bounded in bytes has all the time it needs.
        $client = new HttpClient(str_contains($error, 'seconds') ? 0.5 : 60.0, longest: 100000);
        $body = str_repeat('x', 8 << 20);
        memory_reset_peak_usage();
        $before = memory_get_usage();
        try {
            $answer = $client->post("http://$address/in", $mode === 'deaf' ? $body : '');
            self::assertSame('', $error);
            self::assertSame($mode === 'error' ? [500, 65536] : [200, 100000], [$answer->status, strlen($answer->body)]);
        } catch (SendError $e) {
            self::assertNotSame('', $error, $e->getMessage());
            self::assertStringContainsString($error, $e->getMessage());
        } finally {
            proc_terminate($process, 9);
            proc_close($process);
        }
        self::assertLessThan(2 << 20, memory_get_peak_usage() - $before);
    }

    /** A server that speaks no TLS where it should: the handshake has the same time. */
    public function testAHandshakeEndsToo(): void
    {
        $server = stream_socket_server('tcp://127.0.0.1:0');
        self::assertNotFalse($server);
        $this->expectException(SendError::class);
        $this->expectExceptionMessage('it took more than 0.3 seconds');
        (new HttpClient(0.3))->post('https://' . stream_socket_get_name($server, false) . '/', 'x');
    }

    public function testAnswersInChunksAndAfterInterimOnesAreRead(): void
    {
        $chunks = 'Transfer-Encoding: chunked';
        $answers = [
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Made\r\nA: 1\r\na: 2\r\nContent-Length: 2\r\n\r\nokmore" => [201, 'ok'],
            "HTTP/1.1 200 OK\r\n$chunks\r\n\r\n3\r\nabc\r\n0004;x=y\r\ndefg\r\n0\r\nTrailer: x\r\n\r\n" => [200, 'abcdefg'],
            "HTTP/1.0 200 OK\n\nto the end" => [200, 'to the end'],
            "HTTP/1.1 204 None\r\n\r\n" => [204, ''],
            "HTTP/2 200\r\n\r\nx" => [200, 'x'],
            "SSH-2.0-OpenSSH\r\n\r\n" => [0, ''],
        ];
        foreach ($answers as $bytes => $expected) {
            $answer = var_export($bytes, true);
            $code = "\$s = stream_socket_server('tcp://127.0.0.1:0'); echo stream_socket_get_name(\$s, false), \"\\n\";
                \$c = stream_socket_accept(\$s, 60); fread(\$c, 9999); foreach (str_split($answer, 7) as \$piece) {
                fwrite(\$c, \$piece); usleep(100); }";
            $process = proc_open([PHP_BINARY, '-n', '-r', $code], [1 => ['pipe', 'w']], $pipes);
            self::assertIsResource($process);
            $answer = (new HttpClient(60.0))->post('http://' . trim((string) fgets($pipes[1])) . '/', '');
            self::assertSame($expected, [$answer->status, $answer->body], $bytes);
            proc_close($process);
        }
    }

    public function testACertificateIsVerified(): void
    {
        if (!extension_loaded('openssl')) {
            self::markTestSkipped('PHP has no openssl');
        }
        $key = openssl_pkey_new(['private_key_bits' => 2048]);
        self::assertNotFalse($key);
        $request = openssl_csr_new(['commonName' => 'localhost'], $key);
        self::assertInstanceOf(\OpenSSLCertificateSigningRequest::class, $request);
        $certificate = openssl_csr_sign($request, null, $key, 2);
        self::assertNotFalse($certificate);
        openssl_x509_export($certificate, $public);
        openssl_pkey_export($key, $private);
        file_put_contents("$this->folder/ca.pem", $public);
        file_put_contents("$this->folder/server.pem", $public . $private);
        $address = str_replace('127.0.0.1', 'localhost', $this->server("$this->folder/server.pem")->address);
        $answer = (new HttpClient(5.0, "$this->folder/ca.pem"))->post("https://$address/", 'x');
        self::assertSame(200, $answer->status);
        foreach ([[null, $address], ["$this->folder/ca.pem", str_replace('localhost', '127.0.0.1', $address)]] as [$ca, $to]) {
            try {
                (new HttpClient(5.0, $ca))->post("https://$to/", 'x');
                self::fail('it was trusted');
            } catch (SendError $e) {
                self::assertMatchesRegularExpression('/certificate verify failed|did not match expected/', $e->getMessage());
            }
        }
        self::assertCount(1, $this->server?->requests() ?? []);
    }

    public function testRetryAfterIsSecondsOrADate(): void
    {
        $after = static fn (string $text): ?float => (new HttpResponse(429, ['retry-after' => $text], ''))->retryAfter(784111777.0);
        self::assertSame(7.0, $after('7'));
        self::assertSame(20.0, $after('Sun, 06 Nov 1994 08:49:57 GMT'));
        self::assertSame(0.0, $after('Sat, 05 Nov 1994 08:49:37 GMT'));
        self::assertNull($after('soon'));
        self::assertNull((new HttpResponse(429, [], ''))->retryAfter(0));
    }

    public function testAnswersBlameTheRunsOrTheStore(): void
    {
        $verdict = static function (int $status, array $headers = []): string {
            try {
                Acceptance::check('the store', new HttpResponse($status, $headers, "no\n\x07"), 0.0);

                return 'taken';
            } catch (Rejected $e) {
                return "rejected: {$e->getMessage()}";
            } catch (Unavailable $e) {
                return "away $e->retryAfter: {$e->getMessage()}";
            }
        };
        self::assertSame('taken', $verdict(204));
        self::assertSame('rejected: the store refuses what was sent (413): no \x07', $verdict(413));
        self::assertStringStartsWith('rejected', $verdict(400));
        self::assertStringStartsWith('away : the store answers 404', $verdict(404));
        self::assertStringStartsWith('away : the store refuses the user or the password (401)', $verdict(401));
        self::assertStringStartsWith('away : the store redirects (301)', $verdict(301));
        self::assertStringStartsWith('away 30: the store answers 429', $verdict(429, ['retry-after' => '30']));
        self::assertStringStartsWith('away : the store does not answer as a web server does', $verdict(0));
    }
}
