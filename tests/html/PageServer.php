<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use RuntimeException;

/**
 * PHP's development server on a free loopback port, for as long as this object lives. Where XHPROF_BIN names a phar, the pages are
 * those in it.
 */
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
     * @param array<string, string> $variables of the environment
     */
    public function __construct(string $root, string $runs, array $settings = [], array $variables = [])
    {
        $this->log = (string) tempnam(sys_get_temp_dir(), 'xhprof-pages-');
        $sink = ['file', $this->log, 'a'];
        // Shows errors, so that a test finds a page that lets one through.
        $options = [];
        foreach (['display_errors=1', 'error_reporting=-1', ...$settings] as $setting) {
            array_push($options, '-d', $setting);
        }
        $phar = realpath((string) getenv('XHPROF_BIN'));
        $isPacked = is_string($phar) && is_file($phar) && realpath($root) === dirname(__DIR__, 2) . '/xhprof_html';
        $served = $isPacked ? [dirname($phar), ...$options, $phar] : [$root, ...$options];
        $environment = ['XHPROF_OUTPUT_DIR' => $runs, 'XDEBUG_MODE' => 'off'] + $variables + getenv();
        // Another process may take the port before the server: then it ends.
        for ($try = 0; $try < 10; $try++) {
            $address = self::freeAddress();
            $command = [PHP_BINARY, '-S', $address, '-t', ...$served];
            $process = proc_open($command, [['file', '/dev/null', 'r'], $sink, $sink], $pipes, null, $environment);
            if (!is_resource($process)) {
                throw new RuntimeException('The server could not be started.');
            }
            if (self::answers($process, $address)) {
                $this->process = $process;
                $this->url = "http://$address/";

                return;
            }
            proc_close($process);
        }
        throw new RuntimeException('The server ends by itself: ' . $this->log());
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
        return Page::ask($this->url . $path, [
            'method' => $method,
            'header' => [...($host === null ? [] : ["Host: $host"]), ...$headers],
        ]);
    }

    /**
     * @param string $body of a form
     * @param list<string> $headers further ones
     */
    public function post(
        string $path,
        string $body,
        array $headers,
        string $type = 'application/x-www-form-urlencoded',
    ): Page {
        return Page::ask($this->url . $path, [
            'method' => 'POST',
            'header' => ["Content-Type: $type", ...$headers],
            'content' => $body,
        ]);
    }

    /** The server's output, including PHP's errors. */
    public function log(): string
    {
        return (string) file_get_contents($this->log);
    }

    /**
     * Waits for it as long as it runs.
     *
     * @param resource $process
     */
    private static function answers($process, string $address): bool
    {
        while (proc_get_status($process)['running']) {
            $connection = @stream_socket_client("tcp://$address", $code, $message, 10);
            if ($connection !== false) {
                fclose($connection);

                return proc_get_status($process)['running'];
            }
            usleep(10000);
        }

        return false;
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
