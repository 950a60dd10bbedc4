<?php

declare(strict_types=1);

namespace XHProf\Fleet\Ship;

use XHProf\Fleet\Acceptance;
use XHProf\Fleet\Destination;
use XHProf\Fleet\Rejected;
use XHProf\Fleet\Unavailable;
use XHProf\Fleet\WrongAddress;
use XHProf\Format\JsonText;
use XHProf\Http\HttpClient;

/** Posts JSON to a server that a team has chosen. Its path may be a secret: messages name the server only. */
final class Webhook
{
    private const TIMEOUT = 10.0;

    private function __construct(
        private readonly HttpClient $http,
        private readonly string $url,
        private readonly string $name,
        private readonly Clock $clock,
        private readonly Backoff $backoff,
    ) {
    }

    /**
     * @param string|null $caFile PEM file of the authorities to trust; null for those of the system
     *
     * @throws WrongAddress if it is no address, or has a user or a password
     */
    public static function fromUrl(string $url, ?string $caFile, Clock $clock, Backoff $backoff): self
    {
        if (Destination::hasCredentials($url)) {
            throw new WrongAddress('the webhook\'s address has a user or a password: give it a token in its path');
        }
        if (!HttpClient::isAddress($url)) {
            throw new WrongAddress('a webhook is an address of http:// or https://');
        }
        $parts = parse_url($url);
        $port = isset($parts['port']) ? ":{$parts['port']}" : '';
        $name = 'the webhook at ' . ($parts['host'] ?? '') . $port;

        return new self(new HttpClient(self::TIMEOUT, $caFile), $url, $name, $clock, $backoff);
    }

    /**
     * @param array<string, mixed> $data
     *
     * @throws Rejected|Unavailable when it was not delivered, after as many attempts as `xhprof ship --once` makes
     */
    public function post(array $data): void
    {
        $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE | JSON_PRESERVE_ZERO_FRACTION;
        $body = JsonText::encode($data, $flags);
        $until = $this->clock->now() + ShipLimits::SECONDS_ONCE;
        for ($attempt = 1;; $attempt++) {
            try {
                Acceptance::post($this->http, $this->name, $this->url, $body, ['Content-Type' => 'application/json'], false);

                return;
            } catch (Unavailable $e) {
                $pause = $this->backoff->next($e->retryAfter);
                if ($attempt === ShipLimits::ATTEMPTS_ONCE || $this->clock->now() + $pause >= $until) {
                    throw new Unavailable($this->nameless($e->getMessage()), $e->retryAfter);
                }
                $this->clock->sleep($pause);
            }
        }
    }

    /** The message without the address's path. */
    private function nameless(string $message): string
    {
        return str_replace([$this->url, (string) strtok($this->url, '?')], $this->name, $message);
    }
}
