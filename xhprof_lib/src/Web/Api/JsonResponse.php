<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Exception\DamagedRun;
use XHProf\Format\JsonText;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;

/** JSON as api.php writes it: version, kind, columns. Bytes that are not UTF-8 become U+FFFD. */
final class JsonResponse
{
    private const FLAGS = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE
        | JSON_PARTIAL_OUTPUT_ON_ERROR;

    private const CODES = [
        304 => 'not-modified',
        400 => 'bad-request',
        403 => 'forbidden',
        404 => 'not-found',
        405 => 'not-allowed',
        409 => 'changed',
        413 => 'too-large',
        503 => 'unavailable',
    ];

    /** @param array<string, mixed> $data without "v" and "kind" */
    public static function answer(string $kind, array $data): Response
    {
        return Response::json(self::encode(['v' => 1, 'kind' => $kind] + $data));
    }

    /**
     * Answers with large data: a function may stand for a list, and is called for the parts of the list when these are sent.
     *
     * @param array<mixed> $data without "v" and "kind"
     */
    public static function stream(string $kind, array $data): Response
    {
        return Response::jsonStream(static function (\Closure $send) use ($kind, $data): void {
            try {
                self::send(['v' => 1, 'kind' => $kind] + $data, $send);
                $send("\n");
            } catch (DamagedRun) {
                // The answer has begun: its reader misses the rest.
            }
        });
    }

    /** @param \Closure(string): void $send */
    private static function send(mixed $value, \Closure $send): void
    {
        if ($value instanceof \Closure) {
            $comma = '[';
            foreach ($value() as $part) {
                $send($comma . substr(self::encode($part), 1, -2));
                $comma = ',';
            }
            $send($comma === '[' ? '[]' : ']');
        } elseif (is_array($value) && !array_is_list($value)) {
            $comma = '{';
            foreach ($value as $name => $part) {
                $send($comma . trim(self::encode((string) $name)) . ':');
                self::send($part, $send);
                $comma = ',';
            }
            $send('}');
        } else {
            $send(trim(self::encode($value)));
        }
    }

    /** @param string $code '' for the usual one of the status */
    public static function error(int $status, string $message, string $code = ''): Response
    {
        $code = $code === '' ? self::CODES[$status] ?? 'failed' : $code;

        return Response::json(self::encode(['v' => 1, 'error' => ['code' => $code, 'message' => $message]]), $status);
    }

    public static function encode(mixed $data): string
    {
        return JsonText::encode($data, self::FLAGS) . "\n";
    }

    /**
     * Hashes that name functions in a URL if their names cannot: for names that no URL or no JSON can hold.
     *
     * @param list<string> $names
     * @return object index => SHA-256
     */
    public static function hashes(array $names): object
    {
        $hashes = array_map(static fn (string $name): ?string => Url::symbolField($name)['symbol_hash'] ?? null, $names);

        return (object) array_filter($hashes, is_string(...));
    }
}
