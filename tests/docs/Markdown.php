<?php

declare(strict_types=1);

namespace XHProf\Tests\Docs;

/** One page of the documentation: its anchors, its links and its code. */
final class Markdown
{
    /** @var list<array{language: string, mark: string, text: string}> fenced and indented blocks; mark: the HTML comment before one */
    public readonly array $blocks;

    /** The text without blocks of code. */
    private readonly string $prose;

    /** @param string $text of the file */
    public function __construct(private readonly string $text)
    {
        $blocks = [];
        $prose = preg_replace_callback(
            '~(?:^<!--\s*(?<mark>[^\n]*?)\s*-->\n+)?^(?<indent>[ ]*)```(?<language>\w*)[^\n]*\n(?<text>.*?)^\k<indent>```$~sm',
            static function (array $match) use (&$blocks): string {
                $blocks[] = [
                    'language' => $match['language'],
                    'mark' => $match['mark'],
                    'text' => (string) preg_replace("~^$match[indent]~m", '', $match['text']),
                ];

                return '';
            },
            $text,
        );
        $this->blocks = $blocks;
        $this->prose = (string) preg_replace('~<!--.*?-->~s', '', (string) $prose);
    }

    public function text(): string
    {
        return $this->text;
    }

    /** @return list<string> anchors, as GitHub derives them from headings */
    public function anchors(): array
    {
        preg_match_all('~^#{1,6}\s+(.+?)\s*#*$~m', $this->prose, $headings);
        $anchors = [];
        $seen = [];
        foreach ($headings[1] as $heading) {
            $plain = (string) preg_replace('~\[([^\]]*)\]\([^)]*\)~', '$1', $heading);
            $kept = (string) preg_replace('~[^\p{L}\p{N} _-]~u', '', mb_strtolower($plain, 'UTF-8'));
            $slug = str_replace(' ', '-', $kept);
            $times = $seen[$slug] ?? 0;
            $seen[$slug] = $times + 1;
            $anchors[] = $times === 0 ? $slug : "$slug-$times";
        }

        return $anchors;
    }

    /** @return list<string> targets of links and pictures, as they are written */
    public function links(): array
    {
        $text = (string) preg_replace('~`[^`\n]*`~', '', $this->prose);
        preg_match_all('~\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)~', $text, $inline);
        preg_match_all('~^\[[^\]]+\]:\s*(\S+)~m', $text, $definitions);

        return [...$inline[1], ...$definitions[1]];
    }

    /** @return list<string> code in a line of text */
    public function spans(): array
    {
        preg_match_all('~(?<!`)`([^`]+)`(?!`)~', $this->prose, $spans);

        return array_map(static fn(string $span): string => (string) preg_replace('~\s*\n\s*~', ' ', $span), $spans[1]);
    }

    /**
     * @return list<string> lines of blocks that may be commands: of a console those behind "$ ", of others all; lines that a
     *     backslash continues are one
     */
    public function commandLines(): array
    {
        $lines = [];
        foreach ($this->blocks as $block) {
            $text = str_replace("\\\n", ' ', $block['text']);
            foreach (explode("\n", $text) as $line) {
                if ($block['language'] !== 'console') {
                    $lines[] = $line;
                } elseif (preg_match('~\A[$#] (.*)\z~', $line, $match) === 1) {
                    $lines[] = $match[1];
                }
            }
        }

        return $lines;
    }
}
