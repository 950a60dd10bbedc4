<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** Sends requests, several at a time over connections that are kept, and reads every answer whole. */
final class Client
{
    private readonly \CurlMultiHandle $multi;
    /** @var list<\CurlHandle> that wait for the next request */
    private array $idle = [];
    /** @var array<int, array{Request, float}> by handle */
    private array $sent = [];
    /** @var array<int, string> by handle */
    private array $bodies = [];
    /** @var array<int, array<string, string>> by handle */
    private array $headers = [];

    /**
     * @param non-empty-string $base URL without the path
     * @param non-empty-string|null $socket of the server, when it listens there
     */
    public function __construct(public readonly string $base, private readonly ?string $socket = null)
    {
        $this->multi = curl_multi_init();
    }

    public function get(string $path, string $cookies = ''): Response
    {
        return $this->send(new Request($path, cookies: $cookies));
    }

    public function send(Request $request): Response
    {
        return $this->load([$request], 1)[0];
    }

    /**
     * @param list<Request> $requests
     * @param int $concurrency how many at a time
     * @param (\Closure(int): void)|null $after called with the number of answers after each
     * @return list<Response> in the order of the requests
     */
    public function load(array $requests, int $concurrency, ?\Closure $after = null): array
    {
        $responses = [];
        $numbers = [];
        $next = 0;
        $answered = 0;
        do {
            while ($next < count($requests) && count($this->sent) < $concurrency) {
                $numbers[$this->start($requests[$next])] = $next;
                $next++;
            }
            curl_multi_exec($this->multi, $running);
            while (($message = curl_multi_info_read($this->multi)) !== false) {
                $handle = $message['handle'];
                assert($handle instanceof \CurlHandle);
                $responses[$numbers[spl_object_id($handle)]] = $this->finish($handle, $message['result']);
                $answered++;
                if ($after !== null) {
                    $after($answered);
                }
            }
            if ($running > 0 && ($next >= count($requests) || count($this->sent) >= $concurrency)) {
                curl_multi_select($this->multi, 0.5);
            }
        } while ($this->sent !== [] || $next < count($requests));
        ksort($responses);

        return array_values($responses);
    }

    private function start(Request $request): int
    {
        $handle = array_pop($this->idle) ?? curl_init();
        $id = spl_object_id($handle);
        curl_reset($handle);
        $this->bodies[$id] = '';
        $this->headers[$id] = [];
        curl_setopt($handle, CURLOPT_URL, $this->base . $request->path);
        curl_setopt_array($handle, [
            CURLOPT_TIMEOUT => 60,
            CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_1_1,
            CURLOPT_HEADERFUNCTION => function (\CurlHandle $handle, string $line) use ($id): int {
                if (str_contains($line, ':')) {
                    [$name, $value] = explode(':', $line, 2);
                    $this->headers[$id][strtolower($name)] = trim($value);
                }

                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => function (\CurlHandle $handle, string $data) use ($id, $request): int {
                $this->bodies[$id] .= $data;

                return $request->abortAfter !== null && strlen($this->bodies[$id]) > $request->abortAfter ? -1 : strlen($data);
            },
        ]);
        if ($this->socket !== null) {
            curl_setopt($handle, CURLOPT_UNIX_SOCKET_PATH, $this->socket);
        }
        if ($request->cookies !== '') {
            curl_setopt($handle, CURLOPT_COOKIE, $request->cookies);
        }
        if ($request->form !== null) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, $request->form);
            curl_setopt($handle, CURLOPT_HTTPHEADER, ['Expect:']);
        }
        curl_multi_add_handle($this->multi, $handle);
        $this->sent[$id] = [$request, hrtime(true) / 1e9];

        return $id;
    }

    private function finish(\CurlHandle $handle, int $result): Response
    {
        $id = spl_object_id($handle);
        [$request, $began] = $this->sent[$id];
        unset($this->sent[$id]);
        curl_multi_remove_handle($this->multi, $handle);
        $this->idle[] = $handle;

        return new Response(
            $request,
            (int) curl_getinfo($handle, CURLINFO_RESPONSE_CODE),
            $this->headers[$id],
            $this->bodies[$id],
            $result === CURLE_OK ? '' : (string) curl_strerror($result),
            hrtime(true) / 1e9 - $began,
        );
    }
}
