<?php

declare(strict_types=1);

namespace XHProf\Import;

/**
 * Turns the pieces of a text into UTF-8: editors and PowerShell put a mark at its beginning, or write UTF-16, with a mark or
 * without. Other bytes stay as they are.
 *
 * @internal
 */
final class TextDecoder
{
    /** Characters that show UTF-16 where there is no mark. */
    private const SEEN = 4;

    private bool $isFirst = true;

    private string $rest = '';

    private function __construct(private readonly string $mark, private readonly ?string $encoding)
    {
    }

    /** @param string $head the first bytes of the file */
    public static function detect(string $head): self
    {
        $ascii = '[\x09\x0A\x0D\x20-\x7E]';

        return match (true) {
            str_starts_with($head, "\xEF\xBB\xBF") => new self("\xEF\xBB\xBF", null),
            str_starts_with($head, "\xFF\xFE") => new self("\xFF\xFE", 'UTF-16LE'),
            str_starts_with($head, "\xFE\xFF") => new self("\xFE\xFF", 'UTF-16BE'),
            preg_match("/\\A(?:$ascii\\0){" . self::SEEN . '}/', $head) === 1 => new self('', 'UTF-16LE'),
            preg_match("/\\A(?:\\0$ascii){" . self::SEEN . '}/', $head) === 1 => new self('', 'UTF-16BE'),
            default => new self('', null),
        };
    }

    /** @param string $piece the first one is at least as long as a mark */
    public function decode(string $piece): string
    {
        $piece = $this->isFirst ? substr($piece, strlen($this->mark)) : $piece;
        $this->isFirst = false;
        if ($this->encoding === null) {
            return $piece;
        }
        $piece = $this->rest . $piece;
        $length = strlen($piece) & ~1;
        // A character of two words may continue in the next piece.
        $high = $length < 2 ? 0 : ord($piece[$this->encoding === 'UTF-16LE' ? $length - 1 : $length - 2]);
        $length -= $high >= 0xD8 && $high <= 0xDB ? 2 : 0;
        $this->rest = substr($piece, $length);

        return (string) mb_convert_encoding(substr($piece, 0, $length), 'UTF-8', $this->encoding);
    }
}
