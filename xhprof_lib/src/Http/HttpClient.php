<?php

declare(strict_types=1);

namespace XHProf\Http;

use XHProf\Exception\SendError;

/**
 * Posts to other servers. It follows no redirect: what is sent goes to the server that was named and to no other. Certificates
 * are verified. Whatever a server sends is read to a bound, headers too, and an exchange ends with its time.
 */
final class HttpClient
{
    private const MAX_ANSWER = 65536;

    /**
     * @param float       $timeout seconds that an exchange may take, from the name's look-up to the last byte
     * @param string|null $caFile  PEM file of the authorities to trust; null for those of the system
     * @param string      $user    '' for none
     * @param int         $longest bytes of the body of a success that are read
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
    public function post(string $url, string $body, array $headers = [], bool $gzip = false): HttpResponse
    {
        $deadline = new Deadline($this->timeout);
        $headers += ['Content-Type' => 'application/octet-stream', 'User-Agent' => 'xhprof', 'Connection' => 'close'];
        if ($gzip) {
            $headers['Content-Encoding'] = 'gzip';
            $body = (string) gzencode($body);
        }
        if ($this->user !== '' || $this->password !== '') {
            $headers['Authorization'] = 'Basic ' . base64_encode("$this->user:$this->password");
        }
        $parts = parse_url($url);
        if (!self::isAddress($url) || !is_array($parts)) {
            throw new SendError("$url is no address of a server");
        }
        $isTls = ($parts['scheme'] ?? '') === 'https';
        $host = $parts['host'] ?? '';
        $port = $parts['port'] ?? ($isTls ? 443 : 80);
        $target = ($parts['path'] ?? '/') . (isset($parts['query']) ? "?{$parts['query']}" : '');
        $head = "POST $target HTTP/1.1\r\nHost: $host" . (isset($parts['port']) ? ":$port" : '') . "\r\n";
        foreach ($headers + ['Content-Length' => (string) strlen($body)] as $name => $value) {
            $head .= "$name: $value\r\n";
        }
        try {
            $connection = Connection::open($host, $port, $isTls, $this->caFile, $deadline);
            try {
                $connection->send("$head\r\n");
                $connection->send($body);

                return AnswerReader::read($connection, $this->longest);
            } finally {
                $connection->close();
            }
        } catch (SendError $e) {
            throw new SendError(strtok($url, '?') . " does not answer: {$e->getMessage()}", 0, $e);
        }
    }
}
