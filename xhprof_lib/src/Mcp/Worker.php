<?php

declare(strict_types=1);

namespace XHProf\Mcp;

/**
 * Answers a call in a process of its own, which ends with it: what a large or damaged run takes in time and memory is over then,
 * and a call can be cancelled at any moment. Without the extensions pcntl and posix it answers in this process, and takes its time.
 */
final class Worker
{
    /** Seconds between two looks at what the client has sent. */
    private const STEP = 0.05;

    private static int $running = 0;

    public static function isSeparate(): bool
    {
        return function_exists('pcntl_fork') && function_exists('posix_setpgid') && function_exists('posix_kill');
    }

    /**
     * @param \Closure(): ToolResult $answer
     * @param \Closure(): bool       $isCancelled asked again and again meanwhile
     * @param \Closure(float, resource): void $wait at most so many seconds, until the stream has something to read
     *
     * @return ToolResult|null null for a call that was cancelled
     */
    public static function answer(
        \Closure $answer,
        float $seconds,
        ToolResult $late,
        \Closure $isCancelled,
        \Closure $wait,
    ): ?ToolResult {
        if (str_starts_with(__DIR__, 'phar://')) {
            // Both processes read one open file, and each would move the other's place in it: this one loads before what it may
            // need.
            array_map(class_exists(...), [Message::class, ProtocolError::class, ToolResult::class, WrongArguments::class]);
        }
        $pair = self::isSeparate() ? stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0) : false;
        $process = $pair === false ? -1 : pcntl_fork();
        if ($pair === false || $process === -1) {
            $result = $answer();

            return $isCancelled() ? null : $result;
        }
        if ($process === 0) {
            fclose($pair[0]);
            self::work($answer, $pair[1]);
        }
        posix_setpgid($process, $process);
        self::$running = $process;
        fclose($pair[1]);
        stream_set_blocking($pair[0], false);
        $until = hrtime(true) / 1e9 + $seconds;
        $text = '';
        $end = null;
        while ($end === null) {
            $left = $until - hrtime(true) / 1e9;
            $wait(max(0.0, min(self::STEP, $left)), $pair[0]);
            $text .= (string) stream_get_contents($pair[0]);
            $end = match (true) {
                feof($pair[0]) => self::result($text),
                $isCancelled() => false,
                $left <= 0 => $late,
                default => null,
            };
        }
        fclose($pair[0]);
        self::stop();

        return $end === false ? null : $end;
    }

    /** Ends the process that answers, and all that it has started. */
    public static function stop(): void
    {
        if (self::$running > 0) {
            posix_kill(-self::$running, SIGKILL);
            posix_kill(self::$running, SIGKILL);
            pcntl_waitpid(self::$running, $status);
            self::$running = 0;
        }
    }

    /**
     * @param \Closure(): ToolResult $answer
     * @param resource $to
     */
    private static function work(\Closure $answer, $to): never
    {
        self::$running = 0;
        posix_setpgid(0, 0);
        foreach ([SIGTERM, SIGINT, SIGHUP] as $signal) {
            pcntl_signal($signal, SIG_DFL);
        }
        try {
            $result = $answer();
        } catch (ProtocolError $error) {
            $result = $error;
        } catch (\Throwable $error) {
            $why = preg_replace('/[\x00-\x1F\x7F]+/', ' ', $error->getMessage());
            $where = basename($error->getFile()) . ':' . $error->getLine();
            @file_put_contents('php://stderr', 'xhprof mcp: ' . $error::class . ": $why at $where\n");
            $result = new ProtocolError(ProtocolError::INTERNAL, "internal error at $where: see stderr");
        }
        $is = static fn (string $class): bool => $result instanceof $class;
        $text = serialize($result instanceof ToolResult
            ? ['text' => $result->text, 'error' => $result->isError]
            : ['code' => $result->rpcCode, 'text' => $result->getMessage(), 'arguments' => $is(WrongArguments::class)]);
        for ($sent = 0; $sent < strlen($text); $sent += (int) $written) {
            $written = @fwrite($to, substr($text, $sent, 1 << 16));
            if ($written === false || $written === 0) {
                break;
            }
        }
        fclose($to);
        exit(0);
    }

    /** @throws ProtocolError that the process has met */
    private static function result(string $text): ToolResult
    {
        $found = $text === '' ? false : @unserialize($text, ['allowed_classes' => false]);
        if (!is_array($found)) {
            return ToolResult::error('This question could not be answered: there was not enough memory, or the run is damaged in a'
                . ' way that nothing expected. Ask about less (a smaller limit, another run); the server goes on.');
        }
        if (isset($found['code'])) {
            throw $found['arguments'] ? new WrongArguments($found['text']) : new ProtocolError($found['code'], $found['text']);
        }

        return new ToolResult($found['text'], $found['error']);
    }
}
