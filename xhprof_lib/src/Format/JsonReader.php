<?php

declare(strict_types=1);

namespace XHProf\Format;

use XHProf\Exception\InvalidCheck;

/**
 * Reads JSON that people write, and keeps the line of each value: what is wrong is said with its place. A key that stands twice in
 * an object is refused.
 */
final class JsonReader
{
    private const MAX_DEPTH = 32;

    private const NUMBER = '/\G-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/';

    private int $at = 0;
    private int $line = 1;

    private function __construct(private readonly string $text, private readonly string $file)
    {
    }

    /**
     * @param string $file name for messages
     *
     * @throws InvalidCheck
     */
    public static function read(string $text, string $file): JsonNode
    {
        $reader = new self(str_starts_with($text, "\xEF\xBB\xBF") ? substr($text, 3) : $text, $file);
        if (preg_match('//u', $text) !== 1) {
            throw new InvalidCheck(Text::printable($file) . ':1: the file is not UTF-8');
        }
        $value = $reader->value(0);
        $reader->space();
        if ($reader->at < strlen($reader->text)) {
            throw $reader->wrong('there is something behind the end: ' . $reader->next());
        }

        return $value;
    }

    private function value(int $depth): JsonNode
    {
        $this->space();
        $line = $this->line;
        if ($depth > self::MAX_DEPTH) {
            throw $this->wrong('it is nested too deeply');
        }
        $found = match (true) {
            $this->takes('{') => $this->members($line, $depth),
            $this->takes('[') => $this->items($line, $depth),
            ($this->text[$this->at] ?? '') === '"' => new JsonNode($this->file, $line, JsonNode::TEXT, $this->string()),
            $this->takes('true') => new JsonNode($this->file, $line, JsonNode::BOOL, true),
            $this->takes('false') => new JsonNode($this->file, $line, JsonNode::BOOL, false),
            $this->takes('null') => new JsonNode($this->file, $line, JsonNode::NULL),
            default => null,
        };
        if ($found !== null) {
            return $found;
        }
        if (preg_match(self::NUMBER, $this->text, $match, 0, $this->at) === 1) {
            $this->at += strlen($match[0]);

            return new JsonNode($this->file, $line, JsonNode::NUMBER, self::number($match[0]));
        }
        throw $this->wrong('a value is missing before ' . $this->next());
    }

    private static function number(string $digits): int|float
    {
        $number = json_decode($digits);

        return is_int($number) || is_float($number) ? $number : 0;
    }

    private function members(int $line, int $depth): JsonNode
    {
        $members = [];
        $this->space();
        if ($this->takes('}')) {
            return new JsonNode($this->file, $line, JsonNode::OBJECT);
        }
        do {
            $this->space();
            if (($this->text[$this->at] ?? '') !== '"') {
                throw $this->wrong($members !== [] && ($this->text[$this->at] ?? '') === '}'
                    ? 'there is a comma before }'
                    : 'a key in double quotes is missing before ' . $this->next());
            }
            $at = $this->line;
            $key = $this->string();
            if (isset($members[$key])) {
                $first = $members[$key]->line;
                throw $this->wrong('the key "' . Text::printable($key) . "\" stands here twice, first on line $first");
            }
            $this->space();
            if (!$this->takes(':')) {
                throw $this->wrong('a colon is missing behind "' . Text::printable($key) . '"');
            }
            $members[$key] = $this->value($depth + 1)->at($at);
            $this->space();
        } while ($this->takes(','));
        if (!$this->takes('}')) {
            throw $this->wrong('a comma or } is missing before ' . $this->next());
        }

        return new JsonNode($this->file, $line, JsonNode::OBJECT, null, $members);
    }

    private function items(int $line, int $depth): JsonNode
    {
        $items = [];
        $this->space();
        if ($this->takes(']')) {
            return new JsonNode($this->file, $line, JsonNode::LIST);
        }
        do {
            $this->space();
            if ($items !== [] && ($this->text[$this->at] ?? '') === ']') {
                throw $this->wrong('there is a comma before ]');
            }
            $items[] = $this->value($depth + 1);
            $this->space();
        } while ($this->takes(','));
        if (!$this->takes(']')) {
            throw $this->wrong('a comma or ] is missing before ' . $this->next());
        }

        return new JsonNode($this->file, $line, JsonNode::LIST, null, $items);
    }

    private function string(): string
    {
        // No line ends within a text: JSON writes \n.
        if (preg_match('/\G"(?:[^"\\\\\x00-\x1F]|\\\\.)*+"/', $this->text, $match, 0, $this->at) !== 1) {
            throw $this->wrong('a text has no end on its line');
        }
        try {
            $text = json_decode($match[0], false, 2, JSON_THROW_ON_ERROR);
        } catch (\JsonException) {
            throw $this->wrong('a text has a \\ before what has no such form: ' . Text::printable($match[0])
                . '; write \\\\ for the one of a namespace');
        }
        $this->at += strlen($match[0]);

        return is_string($text) ? $text : '';
    }

    private function space(): void
    {
        $length = strspn($this->text, " \t\r\n", $this->at);
        $this->line += substr_count($this->text, "\n", $this->at, $length);
        $this->at += $length;
    }

    private function takes(string $token): bool
    {
        if (substr_compare($this->text, $token, min($this->at, strlen($this->text)), strlen($token)) !== 0) {
            return false;
        }
        $this->at += strlen($token);

        return true;
    }

    /** What comes next, for a message. */
    private function next(): string
    {
        $rest = substr($this->text, $this->at, 20);

        return $rest === '' ? 'the end' : '"' . Text::printable((string) strtok($rest, "\n")) . '"';
    }

    private function wrong(string $what): InvalidCheck
    {
        return new InvalidCheck(Text::printable($this->file) . ":$this->line: $what");
    }
}
