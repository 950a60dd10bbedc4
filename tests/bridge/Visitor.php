<?php

declare(strict_types=1);

namespace XHProf\Tests\Bridge;

/** A browser without scripts: it keeps cookies, and follows no redirect. */
final class Visitor
{
    private readonly \CurlHandle $curl;

    public int $status = 0;

    /** @var array<string, list<string>> names in lower case => values */
    public array $headers = [];

    public string $body = '';

    /** @param non-empty-string $base URL without the path */
    public function __construct(private readonly string $base)
    {
        $this->curl = curl_init();
    }

    /** @param list<string> $headers "Name: value" */
    public function get(string $path, array $headers = []): self
    {
        return $this->send($path, [CURLOPT_HTTPHEADER => $headers]);
    }

    public function head(string $path): self
    {
        return $this->send($path, [CURLOPT_NOBODY => true]);
    }

    /**
     * @param array<string, mixed> $fields texts, and files as CURLFile
     * @param list<string> $headers "Name: value"
     */
    public function post(string $path, array $fields, array $headers = []): self
    {
        $isForm = array_filter($fields, is_object(...)) === [];

        return $this->send($path, [
            CURLOPT_POST => true,
            CURLOPT_POSTFIELDS => $isForm ? http_build_query($fields) : $fields,
            CURLOPT_HTTPHEADER => ['Expect:', ...$headers],
        ]);
    }

    /** @return array<string, string> that it has for the paths of its requests */
    public function cookies(): array
    {
        $cookies = [];
        foreach ((array) curl_getinfo($this->curl, CURLINFO_COOKIELIST) as $line) {
            $parts = explode("\t", (string) $line);
            $cookies[$parts[5] ?? ''] = $parts[6] ?? '';
        }

        return $cookies;
    }

    public function header(string $name): ?string
    {
        return $this->headers[$name][0] ?? null;
    }

    /** The value of a field of the last answer's forms. */
    public function field(string $name): string
    {
        $pattern = '/<input[^>]* name="' . preg_quote($name, '/') . '" value="([^"]*)"/';

        return preg_match($pattern, $this->body, $match) === 1 ? html_entity_decode($match[1]) : '';
    }

    /** @param array<int, mixed> $options */
    private function send(string $path, array $options): self
    {
        $this->headers = [];
        // The cookies stay with the handle.
        curl_reset($this->curl);
        curl_setopt_array($this->curl, $options + [
            CURLOPT_URL => $this->base . $path,
            CURLOPT_COOKIEFILE => '',
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 60,
            CURLOPT_HEADERFUNCTION => function (\CurlHandle $curl, string $line): int {
                if (str_contains($line, ':')) {
                    [$name, $value] = explode(':', $line, 2);
                    $this->headers[strtolower($name)][] = trim($value);
                }

                return strlen($line);
            },
        ]);
        $this->body = (string) curl_exec($this->curl);
        $this->status = (int) curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE);

        return $this;
    }
}
