<?php

declare(strict_types=1);

namespace XHProf\Http;

use XHProf\Exception\SendError;
use XHProf\Store\Folder;

/**
 * Posts to other servers. It follows no redirect: what is sent goes to the server that was named and to no other. Certificates
 * are verified.
 */
final class HttpClient
{
    private const MAX_ANSWER = 65536;

    /**
     * @param float       $timeout seconds without a byte, and for which the body of an answer may take
     * @param string|null $caFile  PEM file of the authorities to trust; null for those of the system
     * @param string      $user    '' for none
     * @param int         $longest bytes of an answer that are read
     */
    public function __construct(
        private readonly float $timeout = 20.0,
        private readonly ?string $caFile = null,
        private readonly string $user = '',
        #[\SensitiveParameter]
        private readonly string $password = '',
        private readonly int $longest = self::MAX_ANSWER,
    ) {
    }

    /** Whether this is the address of a server: http or https, with a host. */
    public static function isAddress(string $url): bool
    {
        $parts = parse_url($url);

        return is_array($parts) && in_array($parts['scheme'] ?? '', ['http', 'https'], true) && ($parts['host'] ?? '') !== ''
            && preg_match('/[\x00-\x20\x7F]/', $url) !== 1;
    }

    /**
     * @param string                $url     that isAddress(); messages name it without its parameters
     * @param array<string, string> $headers in addition, without line breaks
     * @param bool                  $gzip    whether the body is sent compressed
     *
     * @throws SendError if there is no answer, whatever its status
     */
    public function post(string $url, string $body, array $headers = [], bool $gzip = false): HttpAnswer
    {
        $headers += ['Content-Type' => 'application/octet-stream', 'User-Agent' => 'xhprof', 'Connection' => 'close'];
        if ($gzip) {
            $headers['Content-Encoding'] = 'gzip';
            $body = (string) gzencode($body);
        }
        if ($this->user !== '' || $this->password !== '') {
            $headers['Authorization'] = 'Basic ' . base64_encode("$this->user:$this->password");
        }
        $context = stream_context_create([
            'http' => [
                'method' => 'POST',
                'header' => array_map(
                    static fn (string $name, string $value): string => "$name: $value",
                    array_keys($headers),
                    $headers,
                ),
                'content' => $body,
                'timeout' => $this->timeout,
                'ignore_errors' => true,
                'follow_location' => 0,
            ],
            'ssl' => ['verify_peer' => true, 'verify_peer_name' => true]
                + ($this->caFile === null ? [] : ['cafile' => $this->caFile]),
        ]);
        $shown = (string) strtok($url, '?');
        [$stream, $why] = self::open($url, $context);
        if ($stream === false) {
            throw new SendError("$shown does not answer: " . ($why ?: 'unknown reason'));
        }
        $reply = $this->body($stream);
        $meta = stream_get_meta_data($stream);
        fclose($stream);
        if ($reply === null) {
            throw new SendError("$shown did not answer in $this->timeout seconds");
        }

        return self::answer($meta['wrapper_data'] ?? null, $reply);
    }

    /**
     * @param resource $context
     *
     * @return array{resource|false, string} the reason if it failed: of several the first, which is the cause
     */
    private static function open(string $url, $context): array
    {
        $why = [];
        set_error_handler(static function (int $level, string $message) use (&$why): bool {
            $why[] = (string) preg_replace('/\A\w+\(.*?\): (?:Failed to open stream: )?/s', '', $message);

            return true;
        });
        try {
            $stream = fopen($url, 'rb', false, $context);
        } finally {
            restore_error_handler();
        }
        // OpenSSL's text has its codes before it: "error:0A000086:SSL routines::certificate verify failed".
        $first = explode("\n", $why[0] ?? '');

        return [$stream, trim((string) preg_replace('/\Aerror:[0-9A-F]+:[^:]*::?/', '', end($first)))];
    }

    /**
     * @param resource $stream
     *
     * @return string|null null if it took too long
     */
    private function body($stream): ?string
    {
        $until = microtime(true) + $this->timeout;
        $reply = '';
        while (strlen($reply) < $this->longest && !feof($stream)) {
            $left = $until - microtime(true);
            if ($left <= 0) {
                return null;
            }
            stream_set_timeout($stream, (int) $left, (int) (fmod($left, 1) * 1e6));
            [$piece] = Folder::attempt(static fn () => fread($stream, 8192));
            if ($piece === false || stream_get_meta_data($stream)['timed_out']) {
                return $piece === false ? $reply : null;
            }
            $reply .= $piece;
        }

        return substr($reply, 0, $this->longest);
    }

    private static function answer(mixed $lines, string $body): HttpAnswer
    {
        $status = 0;
        $headers = [];
        foreach (is_array($lines) ? $lines : [] as $line) {
            // An interim answer, as "100 Continue", comes before the answer.
            if (is_string($line) && preg_match('~\AHTTP/[\d.]+ (\d{3})~', $line, $match) === 1) {
                [$status, $headers] = [(int) $match[1], []];
            } elseif (is_string($line) && str_contains($line, ':')) {
                [$name, $value] = explode(':', $line, 2);
                $headers[strtolower(trim($name))] = trim($value);
            }
        }

        return new HttpAnswer($status, $headers, $body);
    }
}
