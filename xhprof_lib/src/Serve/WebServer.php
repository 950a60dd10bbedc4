<?php

declare(strict_types=1);

namespace XHProf\Serve;

use XHProf\Cli\CliError;
use XHProf\Cli\MemoryLimit;

/**
 * PHP's built-in web server, with workers: one page does not wait for another. They are in a session of their own, which ends with
 * this process, however that ends.
 */
final class WebServer
{
    /** Processes beside the first, which answers too. */
    private const WORKERS = 4;
    private const WORKERS_VARIABLE = 'PHP_CLI_SERVER_WORKERS';

    /** php.ini usually lets forms send 2 MB: less than a run to import. */
    private const SETTINGS = ['-d', 'upload_max_filesize=64M', '-d', 'post_max_size=65M'];

    /** Bytes of address space that PHP and its libraries reserve. */
    private const RESERVED = 2 << 30;

    /**
     * Shell that starts PHP and ends all of its processes when its own input ends. By itself PHP's server leaves its workers
     * behind. setsid is Linux's; elsewhere the shell's job control makes the group, if it can.
     */
    private const KEEPER = <<<'SH'
        trap : HUP INT TERM
        if command -v setsid > /dev/null 2>&1; then
            setsid "$@" < /dev/null &
        else
            set -m 2> /dev/null
            "$@" < /dev/null &
        fi
        exec 3>&-
        read -r end
        kill -s TERM -- "-$!" 2> /dev/null || { pkill -P "$!"; kill "$!"; } 2> /dev/null
        SH;

    /** Seconds to wait for its first answer, long enough for a busy machine, and for its end. */
    private const PATIENCE = 60.0;
    private const PATIENCE_AT_END = 5.0;

    private static bool $isOver = false;

    /**
     * @param resource $process the shell
     * @param resource $stop    its input
     * @param resource $alive   a pipe that all of the server's processes have open
     * @param resource $log     the server's output
     */
    private function __construct(
        private $process,
        private $stop,
        private $alive,
        private $log,
        private readonly string $host,
        private readonly int $port,
        private readonly bool $isVerbose,
    ) {
    }

    /**
     * @param string                $documents   folder to serve
     * @param list<string>          $settings    of php.ini, before what its file says: "name=value"
     * @param array<string, string> $environment in addition to ours
     * @param non-empty-list<int>   $ports       the first free one is taken
     * @param bool                  $isVerbose   whether requests are printed to stderr
     * @throws CliError
     */
    public static function start(
        string $documents,
        array $settings,
        array $environment,
        string $host,
        array $ports,
        bool $isVerbose,
    ): self {
        self::watchSignals();
        $environment += getenv(self::WORKERS_VARIABLE) === false ? [self::WORKERS_VARIABLE => (string) self::WORKERS] : [];
        $why = 'taken';
        foreach ($ports as $port) {
            $why = self::bindError($host, $port);
            if ($why !== null) {
                continue;
            }
            foreach ($environment as $name => $value) {
                putenv("$name=$value");
            }
            $log = tmpfile();
            if ($log === false) {
                throw new CliError('cannot make a temporary file');
            }
            $address = self::address($host, $port);
            $target = $isVerbose ? STDERR : $log;
            $options = array_merge(...array_map(static fn (string $setting): array => ['-d', $setting], $settings));
            $packed = PackedPages::file();
            $served = $packed === null ? [$documents, __DIR__ . '/router.php'] : [dirname($packed), $packed];
            $php = [...self::limited(), ...self::SETTINGS, ...$options, '-S', $address, '-t', ...$served];
            $command = ['/bin/sh', '-c', self::KEEPER, 'sh', ...$php];
            $process = @proc_open($command, [['pipe', 'r'], $target, $target, ['pipe', 'w']], $pipes);
            if (!is_resource($process)) {
                throw new CliError('php -S cannot be started');
            }
            $server = new self($process, $pipes[0], $pipes[3], $log, $host, $port, $isVerbose);
            if ($server->answers()) {
                return $server;
            }
            $why = $server->lastLogLine();
            $server->end();
        }
        $where = count($ports) === 1 ? self::address($host, $ports[0]) : sprintf(
            'ports %d to %d of %s',
            $ports[0],
            $ports[array_key_last($ports)],
            $host,
        );
        throw new CliError("cannot listen on $where: $why");
    }

    /**
     * Limits the server's memory: it keeps a form of any size in memory before the pages run, and php.ini's memory_limit may be
     * off.
     *
     * @return list<string> the command up to PHP's options
     */
    private static function limited(): array
    {
        $limit = max(MemoryLimit::PAGES, MemoryLimit::given() ?? 0);
        $php = [PHP_BINARY, '-d', "memory_limit=$limit"];
        // Sanitizers reserve terabytes.
        return getenv('ASAN_OPTIONS') !== false
            ? $php
            : ['/bin/sh', '-c', 'ulimit -v "$0" 2> /dev/null; exec "$@"', (string) (($limit + self::RESERVED) >> 10), ...$php];
    }

    public static function isLoopback(string $host): bool
    {
        $address = trim($host, '[]');

        return in_array(strtolower($address), ['localhost', '::1'], true)
            || preg_match('/^127(\.\d{1,3}){3}$/D', $address) === 1;
    }

    /** A port that is currently free. */
    public static function freePort(string $host): int
    {
        $socket = self::listen($host, 0, $why);
        if ($socket === null) {
            throw new CliError("cannot listen on $host: $why");
        }
        $name = (string) stream_socket_get_name($socket, false);
        fclose($socket);

        return (int) substr($name, (int) strrpos($name, ':') + 1);
    }

    public function url(): string
    {
        return 'http://' . self::address($this->host, $this->port) . '/';
    }

    /**
     * Waits for Ctrl-C, SIGTERM or SIGHUP; then ends the server.
     *
     * @return int 0
     * @throws CliError if the server ended by itself
     */
    public function wait(): int
    {
        while (!self::isOver()) {
            if ($this->hasEnded(0.2)) {
                // What ends all processes of a service may reach the server first.
                usleep(100000);

                return self::isOver() ? 0 : throw new CliError('the web server ended: ' . $this->lastLogLine());
            }
        }
        $this->end();

        return 0;
    }

    /** @phpstan-impure a signal's handler sets it */
    private static function isOver(): bool
    {
        return self::$isOver;
    }

    /** Called before the server starts: a signal during its start must not leave it running. */
    private static function watchSignals(): void
    {
        if (function_exists('pcntl_signal')) {
            pcntl_async_signals(true);
            foreach ([SIGINT, SIGTERM, SIGHUP] as $signal) {
                pcntl_signal($signal, static function (): void {
                    self::$isOver = true;
                }, false);
            }
        }
    }

    private static function address(string $host, int $port): string
    {
        $host = trim($host, '[]');

        return (str_contains($host, ':') ? "[$host]" : $host) . ":$port";
    }

    private static function bindError(string $host, int $port): ?string
    {
        $socket = self::listen($host, $port, $why);
        if ($socket === null) {
            return $why;
        }
        fclose($socket);

        return null;
    }

    /**
     * @param-out string $why
     * @return resource|null
     */
    private static function listen(string $host, int $port, ?string &$why)
    {
        $socket = @stream_socket_server('tcp://' . self::address($host, $port), $code, $message);
        $why = is_string($message) && $message !== '' ? $message : 'the address cannot be used';

        return $socket === false ? null : $socket;
    }

    private function answers(): bool
    {
        $host = match (trim($this->host, '[]')) {
            '0.0.0.0' => '127.0.0.1',
            '::' => '::1',
            default => $this->host,
        };
        $until = microtime(true) + self::PATIENCE;
        while (microtime(true) < $until && !$this->hasEnded(0.0)) {
            $socket = @stream_socket_client('tcp://' . self::address($host, $this->port), $code, $message, 1.0);
            if ($socket !== false) {
                fclose($socket);

                return true;
            }
            usleep(20000);
        }

        return false;
    }

    /** The last line printed by the server. */
    private function lastLogLine(): string
    {
        if ($this->isVerbose) {
            return 'see above';
        }
        rewind($this->log);
        $lines = explode("\n", trim((string) stream_get_contents($this->log)));

        return end($lines) === '' ? 'it printed no message' : (string) end($lines);
    }

    /** Whether all of its processes end within so many seconds. */
    private function hasEnded(float $seconds): bool
    {
        $read = [$this->alive];
        $none = null;
        // They write nothing there: it is readable when the last one has closed it. A signal interrupts this.
        $found = @stream_select($read, $none, $none, (int) $seconds, (int) (fmod($seconds, 1.0) * 1e6));

        return $found === 1;
    }

    /** Ends the server. */
    public function end(): void
    {
        fclose($this->stop);
        $until = microtime(true) + self::PATIENCE_AT_END;
        while (!$this->hasEnded(0.1) && microtime(true) < $until) {
            // Waits in hasEnded(), which a signal interrupts.
        }
        proc_close($this->process);
    }
}
