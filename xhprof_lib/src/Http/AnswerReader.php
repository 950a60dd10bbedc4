<?php

declare(strict_types=1);

namespace XHProf\Http;

use XHProf\Exception\SendError;

/**
 * Reads the answer of a server, each part of it to a bound. What is beyond the bound of the body is left where it is.
 *
 * @internal
 */
final class AnswerReader
{
    /** Bytes of the status and all headers, with those of interim answers. */
    private const MAX_HEAD = 65536;

    /** Bytes that are read of the body of an answer that is no success: its first words are shown. */
    private const MAX_ERROR = 65536;

    private const MAX_CHUNK_LINE = 1024;

    private int $headLeft = self::MAX_HEAD;

    private function __construct(private readonly Connection $connection, private readonly int $longest)
    {
    }

    /**
     * @param int $longest bytes of the body of a success
     *
     * @throws SendError if it is cut short before its body, has too long a head, or takes too long
     */
    public static function read(Connection $connection, int $longest): HttpResponse
    {
        return (new self($connection, $longest))->answer();
    }

    /** @throws SendError */
    private function answer(): HttpResponse
    {
        do {
            $first = $this->headLine();
            if (preg_match('~\AHTTP/[0-9.]{1,8} ([0-9]{3})(?: |\z)~', $first, $match) !== 1) {
                return new HttpResponse(0, [], '');
            }
            $headers = $this->headers();
            $status = (int) $match[1];
            // An interim answer, as "100 Continue", comes before the answer.
        } while ($status < 200);
        $body = in_array($status, [204, 304], true) ? '' : $this->body($headers, HttpResponse::isOfSuccess($status, $headers));

        return new HttpResponse($status, $headers, $body);
    }

    /** @throws SendError */
    private function headLine(): string
    {
        $line = $this->connection->line($this->headLeft) ?? throw new SendError('its headers are too long');
        $this->headLeft -= strlen($line);
        if (!str_ends_with($line, "\n")) {
            throw new SendError($line === '' ? 'it closed the connection' : 'its answer is cut short');
        }

        return rtrim($line, "\r\n");
    }

    /**
     * @return array<string, string> names in lower case; of several the last
     *
     * @throws SendError
     */
    private function headers(): array
    {
        $headers = [];
        while (($line = $this->headLine()) !== '') {
            if (str_contains($line, ':')) {
                [$name, $value] = explode(':', $line, 2);
                $headers[strtolower(trim($name))] = trim($value);
            }
        }

        return $headers;
    }

    /**
     * @param array<string, string> $headers
     *
     * @throws SendError
     */
    private function body(array $headers, bool $isSuccess): string
    {
        $most = $isSuccess ? $this->longest : min($this->longest, self::MAX_ERROR);
        if (str_contains(strtolower($headers['transfer-encoding'] ?? ''), 'chunked')) {
            return $this->chunks($most);
        }
        $length = $headers['content-length'] ?? '';

        return $this->connection->bytes(ctype_digit($length) && strlen($length) < 16 ? min($most, (int) $length) : $most);
    }

    /** @throws SendError */
    private function chunks(int $most): string
    {
        $body = '';
        while (strlen($body) < $most) {
            $line = $this->connection->line(self::MAX_CHUNK_LINE) ?? '';
            if (preg_match('/\A0*([0-9a-f]{0,8})[ \t]*(?:;|\r?\n)/i', $line, $match) !== 1) {
                throw new SendError('its answer is cut short, or not chunked as it says');
            }
            $size = (int) hexdec($match[1]);
            if ($size === 0) {
                break;
            }
            $piece = $this->connection->bytes(min($size, $most - strlen($body)));
            $body .= $piece;
            if (strlen($body) < $most) {
                if (strlen($piece) < $size || trim((string) $this->connection->line(2)) !== '') {
                    throw new SendError('its answer is cut short, or not chunked as it says');
                }
            }
        }

        return $body;
    }
}
