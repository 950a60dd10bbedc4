<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use RuntimeException;

/** PHP's development server on a free loopback port, for as long as this object lives. */
final class PageServer
{
    public readonly string $url;

    /** @var resource */
    private $process;

    private readonly string $log;

    /**
     * @param string $root document root
     * @param string $runs the run folder
     * @param list<string> $settings of php.ini, as "name=value"
     */
    public function __construct(string $root, string $runs, array $settings = [])
    {
        $address = self::freeAddress();
        $this->url = "http://$address/";
        $this->log = (string) tempnam(sys_get_temp_dir(), 'xhprof-pages-');
        $sink = ['file', $this->log, 'a'];
        // Errors are to be shown, so that a page that lets one through is caught.
        $command = [PHP_BINARY, '-S', $address, '-t', $root];
        foreach (['display_errors=1', 'error_reporting=-1', ...$settings] as $setting) {
            array_push($command, '-d', $setting);
        }
        $environment = ['XHPROF_OUTPUT_DIR' => $runs, 'XDEBUG_MODE' => 'off'] + getenv();
        $process = proc_open($command, [['file', '/dev/null', 'r'], $sink, $sink], $pipes, null, $environment);
        if (!is_resource($process)) {
            throw new RuntimeException('The server could not be started.');
        }
        $this->process = $process;
        for ($try = 0; $try < 200; $try++) {
            $connection = @stream_socket_client("tcp://$address", $code, $message, 0.2);
            if ($connection !== false) {
                fclose($connection);

                return;
            }
            usleep(25000);
        }
        throw new RuntimeException("The server does not answer: $message");
    }

    public function __destruct()
    {
        proc_terminate($this->process, 9);
        proc_close($this->process);
        @unlink($this->log);
    }

    /**
     * @param string $method HTTP method
     * @param string|null $host value of the Host header, null for the server's address
     * @param list<string> $headers further ones
     */
    public function get(string $path, string $method = 'GET', ?string $host = null, array $headers = []): Page
    {
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => [...($host === null ? [] : ["Host: $host"]), ...$headers],
            'ignore_errors' => true,
            'follow_location' => 0,
            'timeout' => 30.0,
        ]]);
        $body = file_get_contents($this->url . $path, false, $context);
        if ($body === false) {
            throw new RuntimeException("No answer to $path");
        }

        /** @var list<string> $http_response_header set by file_get_contents */
        return new Page($http_response_header, $body);
    }

    /**
     * @param string $body of a form
     * @param list<string> $headers further ones
     */
    public function post(string $path, string $body, array $headers): Page
    {
        $context = stream_context_create(['http' => [
            'method' => 'POST',
            'header' => ['Content-Type: application/x-www-form-urlencoded', ...$headers],
            'content' => $body,
            'ignore_errors' => true,
            'follow_location' => 0,
            'timeout' => 30.0,
        ]]);
        $answer = file_get_contents($this->url . $path, false, $context);
        if ($answer === false) {
            throw new RuntimeException("No answer to $path");
        }

        /** @var list<string> $http_response_header set by file_get_contents */
        return new Page($http_response_header, $answer);
    }

    /** What the server wrote: PHP's errors among it. */
    public function log(): string
    {
        return (string) file_get_contents($this->log);
    }

    private static function freeAddress(): string
    {
        $probe = stream_socket_server('tcp://127.0.0.1:0');
        if ($probe === false) {
            throw new RuntimeException('There is no free port.');
        }
        $address = (string) stream_socket_get_name($probe, false);
        fclose($probe);

        return $address;
    }
}
