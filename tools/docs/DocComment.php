<?php

declare(strict_types=1);

namespace XHProf\Tools\Docs;

/** A documentation comment of PHP as Markdown. */
final class DocComment
{
    /** Tags for the stubs' generator only; left out. */
    private const INTERNAL = ['var', 'cvalue', 'generate-class-entries', 'strict-properties', 'not-serializable'];

    /** @var list<string> */
    private readonly array $paragraphs;

    /** @var list<array{tag: string, text: string}> */
    private readonly array $tags;

    /** @param string $comment the text between its opening and its end */
    public function __construct(string $comment)
    {
        $paragraphs = [''];
        $tags = [];
        foreach (explode("\n", (string) preg_replace('~^\s*\* ?~m', '', trim($comment, "* \n"))) as $line) {
            if (preg_match('~\A@([\w-]+)\s*(.*)\z~', trim($line), $tag) === 1) {
                $tags[] = ['tag' => $tag[1], 'text' => $tag[2]];
            } elseif ($tags !== []) {
                ['tag' => $tag, 'text' => $text] = array_pop($tags);
                $tags[] = ['tag' => $tag, 'text' => "$text " . trim($line)];
            } elseif (trim($line) === '') {
                $paragraphs[] = '';
            } else {
                $paragraphs[array_key_last($paragraphs)] .= ' ' . trim($line);
            }
        }
        $this->paragraphs = array_values(array_filter(array_map(self::marked(...), $paragraphs)));
        $this->tags = $tags;
    }

    /** @return string the text before the tags */
    public function text(): string
    {
        return implode("\n\n", $this->paragraphs);
    }

    /** @return string a list of parameters, result and errors; '' for none */
    public function list(): string
    {
        $lines = [];
        foreach ($this->tags as ['tag' => $tag, 'text' => $text]) {
            if (in_array($tag, self::INTERNAL, true)) {
                continue;
            }
            [$type, $rest] = self::cutType(trim($text));
            $name = (string) strtok($rest, ' ');
            $lines[] = match ($tag) {
                'param' => "- `$name` (`$type`)" . self::after(': ', substr($rest, strlen($name))),
                'return' => "- Returns `$type`" . self::after(': ', $rest),
                'throws' => "- Throws `$type`" . self::after(' ', $rest),
                default => throw new \RuntimeException("a tag @$tag"),
            };
        }

        return implode("\n", $lines);
    }

    /**
     * @return array{string, string} a type, with spaces within brackets only, and the rest
     */
    private static function cutType(string $text): array
    {
        $depth = 0;
        for ($i = 0; $i < strlen($text); $i++) {
            $depth += str_contains('<{(', $text[$i]) ? 1 : (str_contains('>})', $text[$i]) ? -1 : 0);
            if ($text[$i] === ' ' && $depth === 0) {
                break;
            }
        }

        return [substr($text, 0, $i), trim(substr($text, $i))];
    }

    private static function after(string $separator, string $text): string
    {
        $text = self::marked($text);

        return $text === '' ? '' : $separator . $text;
    }

    /** Marks own names and literals as code. */
    private static function marked(string $text): string
    {
        return (string) preg_replace(
            '~"[^"]*"(?: => [\w<>|]+)?|\b(?:xhprof|memprof)_\w+\(\)|\b(?:xhprof|memprof)\.[a-z_*]+(?:=\w+)?'
                . '|\b(?:TIDEWAYS_)?XHPROF_[A-Z_*]+~',
            '`$0`',
            trim($text),
        );
    }
}
