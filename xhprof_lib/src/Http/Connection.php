<?php

declare(strict_types=1);

namespace XHProf\Http;

use XHProf\Exception\SendError;
use XHProf\File\Folder;

/**
 * A connection to a server that may send what it likes, as slowly as it likes. One deadline counts for all of it, from the look-up
 * of its name to the last byte. Nothing here blocks for longer than a moment.
 *
 * @internal
 */
final class Connection
{
    /** Bytes that are written, or asked for, at once. */
    private const PIECE = 16384;

    /** Longest look for a change, in microseconds: a signal may have come. */
    private const LOOK = 250000;

    private string $read = '';

    private bool $isOver = false;

    /** @param resource $stream that does not block */
    private function __construct(private $stream, private readonly Deadline $deadline)
    {
    }

    /**
     * @param string      $host   name or address, of IPv6 in brackets
     * @param bool        $isTls  then the certificate is verified, also that it is of this host
     * @param string|null $caFile PEM file of the authorities to trust; null for those of the system
     *
     * @throws SendError the reason, without the address
     */
    public static function open(string $host, int $port, bool $isTls, ?string $caFile, Deadline $deadline): self
    {
        $name = trim($host, '[]');
        $context = stream_context_create(['ssl' => [
            'verify_peer' => true,
            'verify_peer_name' => true,
            'peer_name' => $name,
            'SNI_enabled' => filter_var($name, FILTER_VALIDATE_IP) === false,
        ] + ($caFile === null ? [] : ['cafile' => $caFile])]);
        [$stream, $why] = self::reasoned(static fn () => stream_socket_client(
            "tcp://$host:$port",
            timeout: max(0.001, $deadline->left()),
            context: $context,
        ));
        if ($stream === false) {
            $deadline->check();
            throw new SendError($why);
        }
        stream_set_blocking($stream, false);
        $self = new self($stream, $deadline);
        if ($isTls) {
            $self->encrypt();
        }

        return $self;
    }

    /** @throws SendError */
    private function encrypt(): void
    {
        $method = STREAM_CRYPTO_METHOD_TLS_CLIENT;
        while (true) {
            [$is, $why] = self::reasoned(fn () => stream_socket_enable_crypto($this->stream, true, $method));
            if ($is === true) {
                return;
            }
            if ($is === false) {
                throw new SendError($why);
            }
            $this->await(false);
        }
    }

    /**
     * Sends all of it, unless the server answers before it has all.
     *
     * @throws SendError
     */
    public function send(string $bytes): void
    {
        for ($at = 0; $at < strlen($bytes) && $this->read === '' && !$this->isOver;) {
            // The same text again where nothing of it was taken: TLS asks for that.
            $piece = substr($bytes, $at, self::PIECE);
            do {
                [$written] = Folder::attempt(fn () => fwrite($this->stream, $piece));
                if ($written === false) {
                    // It takes no more, but may have answered.
                    return;
                }
                if ($written === 0) {
                    $this->await(true);
                    $this->receive();
                }
            } while ($written === 0 && $this->read === '' && !$this->isOver);
            $at += $written;
        }
    }

    /**
     * @return string|null a line with its end, the connection's last one perhaps without; null if it is longer than so many bytes
     *
     * @throws SendError
     */
    public function line(int $most): ?string
    {
        for ($from = 0;;) {
            $end = strpos($this->read, "\n", $from);
            if ($end !== false || strlen($this->read) > $most || $this->isOver) {
                $length = $end === false ? strlen($this->read) : $end + 1;

                return $length > $most ? null : $this->take($length);
            }
            $from = strlen($this->read);
            $this->receive() || $this->await(false);
        }
    }

    /**
     * @return string so many bytes; fewer where the connection ends before
     *
     * @throws SendError
     */
    public function bytes(int $count): string
    {
        $got = '';
        while (strlen($got) < $count) {
            if ($this->read === '' && !$this->receive()) {
                if ($this->isOver) {
                    break;
                }
                $this->await(false);
                continue;
            }
            $got .= $this->take(min($count - strlen($got), strlen($this->read)));
        }

        return $got;
    }

    public function close(): void
    {
        fclose($this->stream);
    }

    private function take(int $bytes): string
    {
        $taken = substr($this->read, 0, $bytes);
        $this->read = substr($this->read, $bytes);

        return $taken;
    }

    /** @return bool whether something came */
    private function receive(): bool
    {
        if ($this->isOver) {
            return false;
        }
        $this->deadline->check();
        [$piece] = Folder::attempt(fn () => fread($this->stream, self::PIECE));
        $this->read .= (string) $piece;
        $this->isOver = $piece === false || ($piece === '' && feof($this->stream));

        return $piece !== false && $piece !== '';
    }

    /**
     * @param bool $isForWriting whether room to write ends it too
     *
     * @throws SendError when the time is over
     */
    private function await(bool $isForWriting): void
    {
        if ($this->isOver) {
            return;
        }
        $this->deadline->check();
        $left = $this->deadline->left();
        $read = [$this->stream];
        $write = $isForWriting ? [$this->stream] : [];
        $except = [];
        // A signal ends it early, with a warning.
        Folder::attempt(static function () use (&$read, &$write, &$except, $left): int|false {
            return stream_select($read, $write, $except, 0, (int) min(self::LOOK, $left * 1e6 + 1));
        });
    }

    /**
     * @template T
     *
     * @param \Closure(): T $call
     *
     * @return array{T, string} the reason if it failed: of several the first, which is the cause
     */
    private static function reasoned(\Closure $call): array
    {
        $why = [];
        set_error_handler(static function (int $level, string $message) use (&$why): bool {
            $why[] = (string) preg_replace('/\A\w+\(.*?\): (?:Unable to connect to \S+ \((.*)\)\z)?/s', '$1', $message);

            return true;
        });
        try {
            $result = $call();
        } finally {
            restore_error_handler();
        }
        // OpenSSL's text has its codes before it: "error:0A000086:SSL routines::certificate verify failed".
        $first = explode("\n", $why[0] ?? 'unknown reason');

        return [$result, trim((string) preg_replace('/\Aerror:[0-9A-F]+:[^:]*::?/', '', end($first)))];
    }
}
