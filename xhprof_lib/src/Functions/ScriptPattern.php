<?php

declare(strict_types=1);

namespace XHProf\Functions;

use UnexpectedValueException;

/**
 * A regular expression of JavaScript as one of PCRE that matches the same: what only PCRE knows is text there, or no regular
 * expression. The exceptions are a lookbehind of no fixed length, which PCRE refuses, and the long s and the sign of Kelvin,
 * which are an s and a k of another case there.
 */
final class ScriptPattern
{
    /** What \d, \w and \s stand for, and what their opposites do, within brackets. */
    private const SETS = [
        'd' => '0-9',
        'D' => '\x{0}-\x{2F}\x{3A}-\x{10FFFF}',
        'w' => '0-9A-Z_a-z',
        'W' => '\x{0}-\x{2F}\x{3A}-\x{40}\x{5B}-\x{5E}\x{60}\x{7B}-\x{17E}\x{180}-\x{2129}\x{212B}-\x{10FFFF}',
        's' => '\x{9}-\x{D}\x{20}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}',
        'S' => '\x{0}-\x{8}\x{E}-\x{1F}\x{21}-\x{9F}\x{A1}-\x{167F}\x{1681}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{202E}'
            . '\x{2030}-\x{205E}\x{2060}-\x{2FFF}\x{3001}-\x{FEFE}\x{FF00}-\x{10FFFF}',
    ];
    private const EDGE = '(?:(?<=[0-9A-Z_a-z])(?![0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?=[0-9A-Z_a-z]))';
    private const NO_EDGE = '(?:(?<=[0-9A-Z_a-z])(?=[0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?![0-9A-Z_a-z]))';
    private const CONTROLS = ['t' => 9, 'n' => 10, 'v' => 11, 'f' => 12, 'r' => 13];

    /** What is added to the halves of characters beyond U+FFFF. */
    private const HALVES = 0x100000;

    public readonly string $translated;

    /** Groups that the expression has, and the numbers of those with names. */
    private readonly int $groups;
    /** @var array<string, int> */
    private readonly array $names;

    private string $rest;

    /**
     * @param string $source UTF-8, without the slashes; it and the names are as halves() has them
     *
     * @throws UnexpectedValueException for what is no regular expression
     */
    public function __construct(string $source)
    {
        // Brackets and escapes hide parentheses.
        preg_match_all('/\\\\.|\[(?:\\\\.|[^\]\\\\])*\]|\((?!\?(?!<[^=!]))(?:\?<([^>]*)>)?/su', $source, $found, PREG_SET_ORDER);
        $groups = 0;
        $names = [];
        foreach ($found as $match) {
            if ($match[0][0] === '(') {
                $groups++;
                if (isset($match[1])) {
                    $names[$match[1]] = isset($names[$match[1]]) || preg_match('/\A[\p{L}_$][\p{L}\p{N}_$]*\z/u', $match[1]) !== 1
                        ? throw new UnexpectedValueException('Invalid capture group name')
                        : $groups;
                }
            }
        }
        $this->groups = $groups;
        $this->names = $names;
        $this->rest = $source;
        $this->translated = $this->read();
    }

    /** Writes the halves of characters beyond U+FFFF, which scripts match one by one, as U+10D800 to U+10DFFF. */
    public static function halves(string $text): string
    {
        return (string) preg_replace_callback('/[\x{10000}-\x{10FFFF}]/u', static function (array $found): string {
            $point = self::pointOf($found[0]) - 0x10000;

            return self::utf8(self::HALVES + 0xD800 + ($point >> 10)) . self::utf8(self::HALVES + 0xDC00 + ($point & 0x3FF));
        }, $text);
    }

    /** @param int $point of four bytes */
    private static function utf8(int $point): string
    {
        return pack('C4', 0xF0 | $point >> 18, 0x80 | $point >> 12 & 0x3F, 0x80 | $point >> 6 & 0x3F, 0x80 | $point & 0x3F);
    }

    private function read(): string
    {
        $out = '';
        /** @var list<bool> $open whether a quantifier may follow each group that is open */
        $open = [];
        // Whether there is something that a quantifier can repeat.
        $canRepeat = false;
        while ($this->rest !== '') {
            if ($this->take('/\A(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??/', $match)) {
                if (!$canRepeat) {
                    throw new UnexpectedValueException('Nothing to repeat');
                }
                if (($match[2] ?? '') !== '' && (int) $match[2] < (int) $match[1]) {
                    throw new UnexpectedValueException('numbers out of order in {} quantifier');
                }
                $out .= $match[0];
                $canRepeat = false;
            } elseif ($this->take('/\A\((?:\?(?::|=|!|<=|<!|<[^>=!][^>]*>))?/', $match)) {
                if ($match[0] === '(' && str_starts_with($this->rest, '?')) {
                    throw new UnexpectedValueException('Invalid group');
                }
                // A lookbehind cannot be repeated. Names are numbers here.
                $open[] = !in_array($match[0], ['(?<=', '(?<!'], true);
                $out .= preg_match('/<[^=!]/', $match[0]) === 1 ? '(' : $match[0];
                $canRepeat = false;
            } elseif ($this->take('/\A\)/')) {
                $canRepeat = array_pop($open) ?? throw new UnexpectedValueException("Unmatched ')'");
                $out .= ')';
            } elseif ($this->take('/\A\[(\^?)/', $match)) {
                $out .= $this->brackets($match[1] === '^');
                $canRepeat = true;
            } elseif ($this->take('/\A(?:[|^$]|\\\\([bB]))/', $match)) {
                $out .= ['b' => self::EDGE, 'B' => self::NO_EDGE, '|' => '|', '^' => '\A', '$' => '\z'][$match[1] ?? $match[0]];
                $canRepeat = false;
            } else {
                $out .= $this->take('/\A\./') ? '[^\n\r\x{2028}\x{2029}]' : $this->atom();
                $canRepeat = true;
            }
        }

        return $open === [] ? $out : throw new UnexpectedValueException('Unterminated group');
    }

    /** A set, a reference to a group, or a character. */
    private function atom(): string
    {
        if ($this->take('/\A\\\\([dDwWsS])/', $match)) {
            return '[' . self::SETS[$match[1]] . ']';
        }
        if ($this->names !== [] && $this->take('/\A\\\\k(?:<([^>]*)>)?/', $match)) {
            $group = $this->names[$match[1] ?? ''] ?? throw new UnexpectedValueException('Invalid named reference');
        } elseif (preg_match('/\A\\\\([1-9]\d*)/', $this->rest, $match) === 1 && (int) $match[1] <= $this->groups) {
            $this->rest = substr($this->rest, strlen($match[0]));
            $group = (int) $match[1];
        } else {
            return self::character($this->point());
        }

        // A group that took no part is nothing, and matches.
        return "(?:(?($group)\\g{{$group}}))";
    }

    private function brackets(bool $isOpposite): string
    {
        $set = '';
        while (!$this->take('/\A\]/')) {
            $from = $this->item();
            if (preg_match('/\A-[^\]]/su', $this->rest) !== 1) {
                $set .= is_int($from) ? self::character($from) : $from;
                continue;
            }
            $this->take('/\A-/');
            $to = $this->item();
            if (is_int($from) && is_int($to)) {
                $set .= $from > $to
                    ? throw new UnexpectedValueException('Range out of order in character class')
                    : self::character($from) . '-' . self::character($to);
                continue;
            }
            $set .= (is_int($from) ? self::character($from) : $from) . '\x{2D}' . (is_int($to) ? self::character($to) : $to);
        }

        return match (true) {
            $set !== '' => ($isOpposite ? '[^' : '[') . $set . ']',
            $isOpposite => '[\x{0}-\x{10FFFF}]',
            default => '(?!)',
        };
    }

    /** @return int|string a character, or a set without its brackets */
    private function item(): int|string
    {
        if ($this->take('/\A\\\\([dDwWsS])/', $match)) {
            return self::SETS[$match[1]];
        }

        return $this->take('/\A\\\\b/') ? 8 : $this->point();
    }

    /** The character that comes next, by itself or by its escape. */
    private function point(): int
    {
        if ($this->take('/\A\\\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4}))/', $match)) {
            $unit = (int) hexdec($match[2] ?? $match[1]);

            return $unit >> 11 === 0xD800 >> 11 ? self::HALVES + $unit : $unit;
        }
        if ($this->take('/\A\\\\([tnvfr])/', $match)) {
            return self::CONTROLS[$match[1]];
        }
        if ($this->take('/\A\\\\c([A-Za-z])/', $match)) {
            return ord($match[1]) % 32;
        }
        if ($this->take('/\A\\\\([0-3][0-7]{0,2}|[4-7][0-7]?)/', $match)) {
            return (int) octdec($match[1]);
        }
        // "\c" without a letter is a backslash.
        if (!$this->take('/\A(?:\\\\(?!c)|(?=\\\\c)|(?!\\\\))(.)/su', $match)) {
            throw new UnexpectedValueException($this->rest === '' ? 'Unterminated character class' : '\ at end of pattern');
        }
        return self::pointOf($match[1]);
    }

    /** @param string $character one, of UTF-8 */
    private static function pointOf(string $character): int
    {
        $bytes = array_map(ord(...), str_split($character));
        $first = $bytes[0] & [1 => 0x7F, 2 => 0x1F, 3 => 0x0F, 4 => 0x07][count($bytes)];

        return array_reduce(array_slice($bytes, 1), static fn (int $point, int $byte): int => $point << 6 | $byte & 0x3F, $first);
    }

    private static function character(int $point): string
    {
        return sprintf('\x{%X}', $point);
    }

    /**
     * Takes what matches from the beginning of the rest.
     *
     * @param array<string>|null $match
     *
     * @param-out array<string> $match
     */
    private function take(string $pattern, ?array &$match = null): bool
    {
        if (preg_match($pattern, $this->rest, $found) !== 1) {
            $match = [];

            return false;
        }
        $match = $found;
        $this->rest = substr($this->rest, strlen($found[0]));

        return true;
    }
}
