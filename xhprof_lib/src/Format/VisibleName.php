<?php

declare(strict_types=1);

namespace XHProf\Format;

/**
 * Makes any byte string readable: invalid UTF-8 becomes \xNN, control, direction-changing and
 * invisible characters become \xNN or \u{NNNN}. The result is valid UTF-8 and is NOT escaped for
 * HTML: the template engine does that.
 *
 * @phpstan-type Piece array{text: string, kind: ''|'scope'|'escape'|'cut'}
 * @phpstan-type BreakablePiece array{parts: list<string>, kind: ''|'scope'|'escape'|'cut'}
 */
final class VisibleName
{
    private const VALID_UTF8 = '(?:[\x00-\x7F]|[\xC2-\xDF][\x80-\xBF]|\xE0[\xA0-\xBF][\x80-\xBF]'
        . '|[\xE1-\xEC\xEE\xEF][\x80-\xBF]{2}|\xED[\x80-\x9F][\x80-\xBF]|\xF0[\x90-\xBF][\x80-\xBF]{2}'
        . '|[\xF1-\xF3][\x80-\xBF]{3}|\xF4[\x80-\x8F][\x80-\xBF]{2})';

    /** Controls, format characters (bidi, zero width), separators, unassigned, private and odd spaces. */
    private const HIDDEN = '/[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}\x{00A0}\x{115F}\x{1160}\x{2000}-\x{200A}'
        . '\x{202F}\x{205F}\x{2800}\x{3000}\x{3164}\x{FFA0}\x{034F}\x{FE00}-\x{FE0F}]/u';

    /** Namespace, or the kind of a file's code, that precedes the part one reads first. */
    private const SCOPE = '/^(?:(?:[A-Za-z0-9_\x80-\xFF]++\\\\)+(?=[^\\\\(]+(?:\(|$)|[^\\\\:]+::)|(?:load|run_init|eval)::)/';

    /** Plain text, for titles and page names. */
    public static function text(string $name, int $limit = 0): string
    {
        return implode('', array_column(self::pieces($name, $limit), 'text'));
    }

    /**
     * The name cut into pieces for display: the namespace ('scope'), made-visible bytes ('escape'),
     * the mark of a shortened middle ('cut') and the rest ('').
     *
     * @param int $limit longest display in bytes before the middle is cut out, 0 for none
     * @return list<Piece>
     */
    public static function pieces(string $name, int $limit = 0): array
    {
        if ($limit > 0 && strlen($name) > $limit) {
            $head = self::boundary($name, intdiv($limit * 2, 3));
            $tail = self::boundary($name, strlen($name) - intdiv($limit, 3));
            $cut = ' … ' . ($tail - $head) . ' bytes … ';

            return [
                ...self::pieces(substr($name, 0, $head)),
                ['text' => $cut, 'kind' => 'cut'],
                ...self::escaped(substr($name, $tail), ''),
            ];
        }
        $scope = preg_match(self::SCOPE, $name, $match) === 1 ? $match[0] : '';

        return [...self::escaped($scope, 'scope'), ...self::escaped(substr($name, strlen($scope)), '')];
    }

    /**
     * As pieces(), each cut into the parts between which a line may break: after "\", "::" and "/".
     *
     * @return list<BreakablePiece>
     */
    public static function breakable(string $name, int $limit = 0): array
    {
        return array_map(static fn (array $piece): array => [
            'parts' => preg_split('/(?<=\\\\|::|\/)(?=.)/s', $piece['text']) ?: [],
            'kind' => $piece['kind'],
        ], self::pieces($name, $limit));
    }

    /**
     * @param ''|'scope' $kind
     * @return list<Piece>
     */
    private static function escaped(string $bytes, string $kind): array
    {
        if ($bytes === '') {
            return [];
        }
        if (preg_match('/^[\x20-\x7E]++$/D', $bytes) === 1) {
            return [['text' => $bytes, 'kind' => $kind]];
        }
        $pieces = [];
        preg_match_all('/(' . self::VALID_UTF8 . '++)|[\x80-\xFF]/s', $bytes, $runs, PREG_SET_ORDER);
        foreach ($runs as $run) {
            if (!isset($run[1])) {
                $pieces[] = ['text' => self::hex($run[0]), 'kind' => 'escape'];
                continue;
            }
            $parts = preg_split('/(' . substr(self::HIDDEN, 1, -2) . '+)/u', $run[1], -1, PREG_SPLIT_DELIM_CAPTURE);
            foreach ($parts === false ? [] : $parts as $index => $part) {
                if ($part !== '') {
                    $pieces[] = $index % 2 === 1
                        ? ['text' => self::codePoints($part), 'kind' => 'escape']
                        : ['text' => $part, 'kind' => $kind];
                }
            }
        }

        return $pieces;
    }

    private static function hex(string $bytes): string
    {
        return (string) preg_replace('/../', '\\x$0', strtoupper(bin2hex($bytes)));
    }

    /** @param string $characters valid UTF-8 */
    private static function codePoints(string $characters): string
    {
        $text = '';
        foreach (preg_split('//u', $characters, -1, PREG_SPLIT_NO_EMPTY) ?: [] as $character) {
            $text .= strlen($character) === 1
                ? self::hex($character)
                : sprintf('\u{%04X}', self::codePoint($character));
        }

        return $text;
    }

    /** Decoded by hand: mbstring may be missing. */
    private static function codePoint(string $character): int
    {
        $code = ord($character[0]) & (0xFF >> (strlen($character) + 1));
        for ($i = 1; $i < strlen($character); $i++) {
            $code = ($code << 6) | (ord($character[$i]) & 0x3F);
        }

        return $code;
    }

    /** The nearest offset at or before $offset that does not split a UTF-8 character. */
    private static function boundary(string $bytes, int $offset): int
    {
        for ($back = 0; $back < 4 && $offset - $back > 0; $back++) {
            if ((ord($bytes[$offset - $back]) & 0xC0) !== 0x80) {
                return $offset - $back;
            }
        }

        return $offset;
    }
}
