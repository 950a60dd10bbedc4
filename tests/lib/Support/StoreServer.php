<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use PHPUnit\Framework\Assert;

/**
 * A store that records what is posted to it: see store-server.php. It answers as a file says, a line for each request, and with 200
 * when the file has no more lines.
 */
final class StoreServer
{
    /** @var resource */
    private $process;

    private function __construct(private readonly string $folder, public readonly string $address)
    {
    }

    /** @param string $certificate PEM file with key and certificate, '' for no TLS */
    public static function start(string $folder, string $certificate = ''): self
    {
        mkdir($folder);
        $command = [PHP_BINARY, '-n', __DIR__ . '/store-server.php', $folder, $certificate];
        $process = proc_open($command, [['file', '/dev/null', 'r'], 1 => ['pipe', 'w'], 2 => STDERR], $pipes);
        Assert::assertIsResource($process);
        $self = new self($folder, trim((string) fgets($pipes[1])));
        $self->process = $process;
        fclose($pipes[1]);

        return $self;
    }

    /**
     * @param string ...$answers "500", "429 Retry-After: 7", either also with a body behind a tab, as addcslashes() writes it;
     *     "cut": no answer, "hang": none until go()
     */
    public function answers(string ...$answers): void
    {
        file_put_contents("$this->folder/answers", implode("\n", $answers));
    }

    public function go(): void
    {
        touch("$this->folder/go");
    }

    /** Waits until it has as many requests. */
    public function awaitRequests(int $count): void
    {
        for ($try = 0; count($this->requests()) < $count; $try++) {
            Assert::assertLessThan(3000, $try, "there are no $count requests");
            usleep(10000);
        }
    }

    /** @return list<array{path: string, headers: array<string, string>, body: string}> */
    public function requests(): array
    {
        $lines = @file("$this->folder/requests", FILE_IGNORE_NEW_LINES) ?: [];

        return array_map(static function (string $line): array {
            /** @var array{path: string, headers: array<string, string>, body: string} $request */
            $request = json_decode($line, true);

            return ['body' => (string) base64_decode($request['body'], true)] + $request;
        }, $lines);
    }

    public function stop(): void
    {
        proc_terminate($this->process, 9);
        proc_close($this->process);
    }
}
