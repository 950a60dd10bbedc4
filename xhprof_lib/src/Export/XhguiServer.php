<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Exception\SendError;
use XHProf\Format\Text;
use XHProf\Store\Folder;

/**
 * Posts runs to the import of an XHGui server.
 */
final class XhguiServer
{
    private const PATH = '/run/import';
    private const MAX_REPLY = 65536;

    private readonly string $url;

    /**
     * @param string $url     of XHGui or of its import
     * @param string $token   the server's XHGUI_UPLOAD_TOKEN, '' for none
     * @param float  $timeout seconds without a byte
     *
     * @throws SendError
     */
    public function __construct(string $url, private readonly string $token = '', private readonly float $timeout = 20.0)
    {
        $parts = parse_url($url);
        if (!is_array($parts) || !in_array($parts['scheme'] ?? '', ['http', 'https'], true) || ($parts['host'] ?? '') === '') {
            throw new SendError('the server must be given as http://HOST or https://HOST');
        }
        if (isset($parts['query']) || isset($parts['fragment'])) {
            throw new SendError('the URL of the server must not have parameters; pass the token by --token');
        }
        $url = rtrim($url, '/');
        $this->url = str_ends_with($url, self::PATH) ? $url : $url . self::PATH;
    }

    /**
     * @param string $document of XhguiDocument
     *
     * @return string the id that the run has there; '' if the server does not say
     *
     * @throws SendError
     */
    public function send(string $document): string
    {
        $context = stream_context_create(['http' => [
            'method' => 'POST',
            'header' => ['Content-Type: application/json', 'Accept: application/json', 'User-Agent: xhprof', 'Connection: close'],
            'content' => $document,
            'timeout' => $this->timeout,
            'ignore_errors' => true,
            // The run is sent to this server only, never to a redirect's target.
            'follow_location' => 0,
        ]]);
        $url = $this->url . ($this->token === '' ? '' : '?token=' . rawurlencode($this->token));
        [$stream, $why] = Folder::attempt(static fn () => fopen($url, 'rb', false, $context));
        if ($stream === false) {
            throw new SendError("$this->url does not answer: " . ($why ?: 'unknown reason'));
        }
        stream_set_timeout($stream, (int) ceil($this->timeout));
        $reply = (string) stream_get_contents($stream, self::MAX_REPLY);
        $meta = stream_get_meta_data($stream);
        fclose($stream);
        if ($meta['timed_out']) {
            throw new SendError("$this->url did not answer in $this->timeout seconds");
        }
        $status = self::status($meta['wrapper_data'] ?? null);
        $answer = json_decode($reply, true, 8, JSON_INVALID_UTF8_SUBSTITUTE);
        $answer = is_array($answer) ? $answer : [];
        if ($status !== 200 || ($answer['ok'] ?? null) !== true) {
            throw new SendError("$this->url " . self::errorText($status, $answer['message'] ?? null));
        }

        return is_string($answer['id'] ?? null) ? Text::printable($answer['id']) : '';
    }

    private static function errorText(int $status, mixed $message): string
    {
        $said = is_string($message) && $message !== '' ? ': ' . Text::printable(substr($message, 0, 200)) : '';

        return match (true) {
            $status === 401, $status === 403 => "refuses the token ($status)$said",
            $status === 404 => 'is not an import address of XHGui (404)',
            $status >= 300 && $status < 400 => "redirects ($status): give the URL of XHGui itself",
            $status === 200 => "does not answer as XHGui does$said",
            default => "answers $status$said",
        };
    }

    private static function status(mixed $headers): int
    {
        $first = is_array($headers) ? $headers[0] ?? '' : '';

        return is_string($first) && preg_match('~\AHTTP/[\d.]+ (\d{3})~', $first, $match) === 1 ? (int) $match[1] : 0;
    }
}
