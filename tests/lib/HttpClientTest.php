<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\After;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\SendError;
use XHProf\Fleet\Acceptance;
use XHProf\Fleet\Rejected;
use XHProf\Fleet\Unavailable;
use XHProf\Http\HttpAnswer;
use XHProf\Http\HttpClient;
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
        $after = static fn (string $text): ?float => (new HttpAnswer(429, ['retry-after' => $text], ''))->retryAfter(784111777.0);
        self::assertSame(7.0, $after('7'));
        self::assertSame(20.0, $after('Sun, 06 Nov 1994 08:49:57 GMT'));
        self::assertSame(0.0, $after('Sat, 05 Nov 1994 08:49:37 GMT'));
        self::assertNull($after('soon'));
        self::assertNull((new HttpAnswer(429, [], ''))->retryAfter(0));
    }

    public function testAnswersBlameTheRunsOrTheStore(): void
    {
        $verdict = static function (int $status, array $headers = []): string {
            try {
                Acceptance::check('the store', new HttpAnswer($status, $headers, "no\n\x07"), 0.0);

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
