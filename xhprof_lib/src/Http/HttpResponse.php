<?php

declare(strict_types=1);

namespace XHProf\Http;

use XHProf\Format\Text;

/** What a server has answered: untrusted. */
final class HttpResponse
{
    private const LONGEST_TEXT = 200;

    /**
     * @param int                   $status  0 if the answer is not HTTP
     * @param array<string, string> $headers names in lower case
     * @param string                $body    its beginning
     */
    public function __construct(public readonly int $status, public readonly array $headers, public readonly string $body)
    {
    }

    public function isSuccess(): bool
    {
        return self::isOfSuccess($this->status, $this->headers);
    }

    /**
     * ClickHouse may find out that a statement fails behind a status 200; then a header says it.
     *
     * @param array<string, string> $headers names in lower case
     */
    public static function isOfSuccess(int $status, array $headers): bool
    {
        return $status >= 200 && $status < 300 && !isset($headers['x-clickhouse-exception-code']);
    }

    public function isRedirect(): bool
    {
        return $this->status >= 300 && $this->status < 400;
    }

    /** @return float|null seconds for which the server asks to be left alone; null if it does not say */
    public function retryAfter(float $now): ?float
    {
        $text = trim($this->headers['retry-after'] ?? '');
        if (preg_match('/\A[0-9]{1,9}\z/', $text) === 1) {
            return (float) $text;
        }
        $format = 'D, d M Y H:i:s \G\M\T';
        $moment = $text === '' ? false : \DateTimeImmutable::createFromFormat($format, $text, new \DateTimeZone('UTC'));

        return $moment === false ? null : max(0.0, $moment->getTimestamp() - $now);
    }

    /** @return string the beginning of its body, printable, on one line; '' if it is empty */
    public function said(): string
    {
        $beginning = substr($this->body, 0, self::LONGEST_TEXT);

        return Text::printable(trim((string) preg_replace('/\s+/', ' ', $beginning)));
    }
}
