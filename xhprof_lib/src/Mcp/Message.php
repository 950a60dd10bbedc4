<?php

declare(strict_types=1);

namespace XHProf\Mcp;

/** A request or a notification of JSON-RPC 2.0. */
final class Message
{
    /** Levels of JSON within each other. */
    private const DEPTH = 64;

    /** Messages of a batch. */
    private const BATCH = 100;

    /**
     * @param int|string|null $id null for a notification
     * @param array<string, mixed> $params
     */
    private function __construct(
        public readonly int|string|null $id,
        public readonly string $method,
        public readonly array $params,
    ) {
    }

    /**
     * Reads a line of a client.
     *
     * @return array{list<self|array{int|string|null, ProtocolError}>, bool} messages, or the id and the error of what is none; and
     *     whether they are a batch. None where the line is an answer of the client
     */
    public static function read(string $line): array
    {
        try {
            $json = json_decode($line, false, self::DEPTH, JSON_THROW_ON_ERROR);
        } catch (\JsonException $e) {
            $why = "the line is no JSON: {$e->getMessage()}";

            return [[[null, new ProtocolError(ProtocolError::PARSE, $why)]], false];
        }
        if (!is_array($json)) {
            $message = self::one($json);

            return [$message === null ? [] : [$message], false];
        }
        if ($json === [] || count($json) > self::BATCH) {
            $why = 'a batch has 1 to ' . self::BATCH . ' messages';

            return [[[null, new ProtocolError(ProtocolError::INVALID_REQUEST, $why)]], false];
        }

        return [array_values(array_filter(array_map(self::one(...), $json))), true];
    }

    public function isRequest(): bool
    {
        return $this->id !== null;
    }

    /** The text of a parameter. */
    public function text(string $name): string
    {
        $value = $this->params[$name] ?? null;

        return is_string($value) ? $value
            : throw new ProtocolError(ProtocolError::INVALID_PARAMS, "$this->method needs the text \"$name\" in its params");
    }

    /** @return array<string, mixed> members of a parameter that is an object, which may be missing */
    public function members(string $name): array
    {
        $value = $this->params[$name] ?? [];
        if ($value === [] || $value instanceof \stdClass) {
            return self::plain((array) $value);
        }

        throw new ProtocolError(ProtocolError::INVALID_PARAMS, "\"$name\" in the params of $this->method is no object");
    }

    /** @return self|array{int|string|null, ProtocolError}|null null for the answer to a request, of which we make none */
    private static function one(mixed $json): self|array|null
    {
        $error = static fn (string $why, int|string|null $id = null): array
            => [$id, new ProtocolError(ProtocolError::INVALID_REQUEST, $why)];
        if (!$json instanceof \stdClass) {
            return $error('a message is a JSON object');
        }
        $members = get_object_vars($json);
        $id = $members['id'] ?? null;
        if (!is_int($id) && !is_string($id)) {
            if (array_key_exists('id', $members)) {
                return $error('the id of a request is a text or a whole number');
            }
            $id = null;
        }
        if (($members['jsonrpc'] ?? null) !== '2.0') {
            return $error('"jsonrpc" is not "2.0"', $id);
        }
        if (!array_key_exists('method', $members)) {
            return array_key_exists('result', $members) || array_key_exists('error', $members)
                ? null
                : $error('the message has no "method"', $id);
        }
        $params = $members['params'] ?? [];
        if (!is_string($members['method'])) {
            return $error('"method" is no text', $id);
        }
        if ($params !== [] && !$params instanceof \stdClass) {
            return [$id, new ProtocolError(ProtocolError::INVALID_PARAMS, '"params" is no object')];
        }

        return new self($id, $members['method'], self::names((array) $params));
    }

    /**
     * @param array<array-key, mixed> $members
     *
     * @return array<string, mixed>
     */
    private static function names(array $members): array
    {
        $named = [];
        foreach ($members as $name => $value) {
            $named[(string) $name] = $value;
        }

        return $named;
    }

    /**
     * @param array<array-key, mixed> $members
     *
     * @return array<string, mixed> with arrays in place of objects
     */
    private static function plain(array $members): array
    {
        $plain = json_decode((string) json_encode($members, JSON_PARTIAL_OUTPUT_ON_ERROR), true);

        return self::names(is_array($plain) ? $plain : []);
    }
}
