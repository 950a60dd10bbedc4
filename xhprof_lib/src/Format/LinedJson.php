<?php

declare(strict_types=1);

namespace XHProf\Format;

use XHProf\Exception\InvalidJsonFile;

/**
 * A JSON file that a person wrote: its values, and the line of each, for messages. Places in it are keys with a NUL between them;
 * "" is the whole.
 */
final class LinedJson
{
    private const MAX_DEPTH = 16;
    private const BETWEEN = "\0";

    private int $at = 0;

    /** @var array<string, int> place => line of its key, of an element its own */
    private array $lines = [];

    private function __construct(private readonly string $text, private readonly string $file)
    {
    }

    private mixed $value = null;

    /** @throws InvalidJsonFile for what is no JSON, and for a key that is there twice */
    public static function parse(string $text, string $file): self
    {
        $json = new self(str_starts_with($text, "\xEF\xBB\xBF") ? substr($text, 3) : $text, Text::printable($file));
        $json->lines[''] = 1;
        $json->value = $json->read('', 0);
        $json->skip();

        return $json->at === strlen($json->text) ? $json : throw $json->unexpected('the end');
    }

    /** The place of a member of another one. */
    public static function at(string $place, string|int ...$keys): string
    {
        return ltrim(implode(self::BETWEEN, [$place, ...$keys]), self::BETWEEN);
    }

    public function wrong(string $place, string $what): InvalidJsonFile
    {
        return new InvalidJsonFile("$this->file:" . ($this->lines[$place] ?? 1) . ": $what");
    }

    /**
     * @param list<string> $known
     *
     * @throws InvalidJsonFile for another key, with the one that was probably meant
     */
    public function assertKeys(string $place, array $known): void
    {
        foreach (array_keys($this->members($place, 'this')) as $key) {
            $key = (string) $key;
            if (!in_array($key, $known, true)) {
                $meant = strlen($key) > 60 ? null : ClosestWord::of($key, $known);
                throw $this->wrong(self::at($place, $key), 'there is no key "' . Text::printable($key) . '"'
                    . ($meant === null ? '; there are ' . implode(', ', $known) : "; did you mean \"$meant\"?"));
            }
        }
    }

    /**
     * @param string $what it is, for the message
     *
     * @return array<array-key, mixed> of an object
     *
     * @throws InvalidJsonFile
     */
    public function members(string $place, string $what): array
    {
        $value = $this->value($place);

        return $value instanceof \ArrayObject ? $value->getArrayCopy() : throw $this->wrong($place, "$what is not an object {...}");
    }

    /**
     * @return list<string> of an array of texts, none empty
     *
     * @throws InvalidJsonFile
     */
    public function texts(string $place, string $what): array
    {
        $value = $this->value($place);
        if (!is_array($value)) {
            throw $this->wrong($place, "$what is not a list [\"...\"]");
        }
        $texts = [];
        foreach ($value as $at => $one) {
            $texts[] = is_string($one) && trim($one) !== ''
                ? $one
                : throw $this->wrong(self::at($place, $at), Text::printable("$what: entry " . ($at + 1) . ' is no text, or empty'));
        }

        return $texts;
    }

    /** @throws InvalidJsonFile */
    public function text(string $place, string $what): string
    {
        $value = $this->value($place);

        return is_string($value) && trim($value) !== '' ? $value : throw $this->wrong($place, "$what is no text, or empty");
    }

    public function value(string $place): mixed
    {
        $value = $this->value;
        foreach ($place === '' ? [] : explode(self::BETWEEN, $place) as $key) {
            $value = is_array($value) || $value instanceof \ArrayObject ? $value[$key] ?? null : null;
        }

        return $value;
    }

    private function line(): int
    {
        return 1 + substr_count($this->text, "\n", 0, min($this->at, strlen($this->text)));
    }

    private function unexpected(string $wanted): InvalidJsonFile
    {
        $found = $this->at >= strlen($this->text) ? 'the end of the file' : '"' . Text::printable($this->text[$this->at]) . '"';

        return new InvalidJsonFile("$this->file:{$this->line()}: $wanted is expected, not $found");
    }

    private function skip(): void
    {
        $this->at += strspn($this->text, " \t\r\n", $this->at);
    }

    private function next(): string
    {
        $this->skip();

        return $this->text[$this->at] ?? '';
    }

    /** @return mixed objects as \ArrayObject: {} is no list */
    private function read(string $place, int $depth): mixed
    {
        if ($depth > self::MAX_DEPTH) {
            throw new InvalidJsonFile("$this->file:{$this->line()}: it is nested too deeply");
        }

        return match ($this->next()) {
            '{' => $this->object($place, $depth),
            '[' => $this->list($place, $depth),
            default => $this->scalar('a value'),
        };
    }

    /** @return \ArrayObject<array-key, mixed> */
    private function object(string $place, int $depth): \ArrayObject
    {
        $this->at++;
        $members = [];
        while ($this->next() !== '}') {
            if ($members !== [] && $this->next() !== ',') {
                throw $this->unexpected('"," or "}"');
            }
            $this->at += $members === [] ? 0 : 1;
            if ($this->next() !== '"') {
                throw $this->unexpected('a key in quotes');
            }
            $line = $this->line();
            $key = (string) $this->scalar('a key');
            $own = self::at($place, $key);
            if (array_key_exists($key, $members)) {
                throw new InvalidJsonFile("$this->file:$line: \"" . Text::printable($key) . '" is there twice');
            }
            $this->lines[$own] = $line;
            if ($this->next() !== ':') {
                throw $this->unexpected('":"');
            }
            $this->at++;
            $members[$key] = $this->read($own, $depth + 1);
        }
        $this->at++;

        return new \ArrayObject($members);
    }

    /** @return list<mixed> */
    private function list(string $place, int $depth): array
    {
        $this->at++;
        $list = [];
        while ($this->next() !== ']') {
            if ($list !== [] && $this->next() !== ',') {
                throw $this->unexpected('"," or "]"');
            }
            $this->at += $list === [] ? 0 : 1;
            $this->skip();
            $own = self::at($place, count($list));
            $this->lines[$own] = $this->line();
            $list[] = $this->read($own, $depth + 1);
        }
        $this->at++;

        return $list;
    }

    private function scalar(string $wanted): string|int|float|bool|null
    {
        $token = '/"(?:[^"\\\\\x00-\x1F]|\\\\.)*"|-?[0-9][0-9.eE+-]*|true|false|null/A';
        if (preg_match($token, $this->text, $match, 0, $this->at) !== 1) {
            throw $this->unexpected($wanted);
        }
        try {
            $value = json_decode($match[0], false, 1, JSON_THROW_ON_ERROR);
        } catch (\JsonException) {
            throw $this->unexpected($wanted);
        }
        $this->at += strlen($match[0]);

        return is_scalar($value) ? $value : null;
    }
}
