<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Exception\SendError;
use XHProf\Format\Text;
use XHProf\Http\HttpClient;

/**
 * Posts runs to the import of an XHGui server.
 */
final class XhguiServer
{
    private const PATH = '/run/import';

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
        if (!HttpClient::isAddress($url)) {
            throw new SendError('the server must be given as http://HOST or https://HOST');
        }
        if (strpbrk($url, '?#') !== false) {
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
        $url = $this->url . ($this->token === '' ? '' : '?token=' . rawurlencode($this->token));
        $headers = ['Content-Type' => 'application/json', 'Accept' => 'application/json'];
        $reply = (new HttpClient($this->timeout))->post($url, $document, $headers);
        $answer = json_decode($reply->body, true, 8, JSON_INVALID_UTF8_SUBSTITUTE);
        $answer = is_array($answer) ? $answer : [];
        if ($reply->status !== 200 || ($answer['ok'] ?? null) !== true) {
            throw new SendError("$this->url " . self::errorText($reply->status, $answer['message'] ?? null));
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
}
