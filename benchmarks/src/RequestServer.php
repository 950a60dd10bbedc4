<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** `php -S` on a free port of this machine. */
final class RequestServer
{
    private const PATIENCE = 60;

    /** @var resource */
    private $process;
    private readonly string $address;

    /** @param list<string> $command with "{address}" where the address goes */
    public function __construct(array $command)
    {
        $socket = stream_socket_server('tcp://127.0.0.1:0');
        if ($socket === false) {
            throw new Failure('cannot listen on 127.0.0.1');
        }
        $this->address = (string) stream_socket_get_name($socket, false);
        fclose($socket);
        $command = str_replace('{address}', $this->address, $command);
        $null = [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']];
        $process = proc_open($command, $null, $pipes, null, Php::environment());
        if ($process === false) {
            throw new Failure('cannot start php -S');
        }
        $this->process = $process;
    }

    /** @return int the number that the answer is */
    public function get(string $path): int
    {
        $deadline = microtime(true) + self::PATIENCE;
        do {
            $context = stream_context_create(['http' => ['timeout' => self::PATIENCE]]);
            $answer = @file_get_contents("http://$this->address/$path", false, $context);
            if ($answer !== false && preg_match('/^\d+$/', $answer) === 1) {
                return (int) $answer;
            }
            if ($answer !== false || !proc_get_status($this->process)['running']) {
                break;
            }
            usleep(10_000);
        } while (microtime(true) < $deadline);
        throw new Failure("php -S did not answer /$path" . ($answer === false ? '' : ' with a number'));
    }

    public function stop(): void
    {
        proc_terminate($this->process);
        proc_close($this->process);
    }
}
