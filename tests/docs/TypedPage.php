<?php

declare(strict_types=1);

namespace XHProf\Tests\Docs;

/**
 * What a reader types who follows a page: files to save, and lines behind "$ " with what the page shows below them.
 *
 * The HTML comment before a block decides: "<!-- file: NAME -->", "<!-- run -->"; where a page has several ways,
 * "<!-- run: WAY -->" and "<!-- file: NAME, WAY -->" are of one, those without WAY of all.
 */
final class TypedPage
{
    public function __construct(private readonly Markdown $page)
    {
    }

    /** @return list<string> in the order of the page */
    public function ways(): array
    {
        $ways = array_map(
            static fn (array $block): string => preg_match('~\Arun: (\w+)\z~', $block['mark'], $way) === 1 ? $way[1] : '',
            $this->page->blocks,
        );

        return array_values(array_unique(array_filter($ways)));
    }

    /**
     * @param string $way one of ways(), or '' for a page without them
     *
     * @return list<array{file: string, text: string, shown: list<string>}> file: its name, '' for a line that is typed; shown:
     *     lines of output
     */
    public function steps(string $way = ''): array
    {
        $steps = [];
        foreach ($this->page->blocks as $block) {
            if (preg_match('~\Afile: ([\w./-]+)(?:, (\w+))?\z~', $block['mark'], $file) === 1) {
                if (($file[2] ?? $way) === $way) {
                    $steps[] = ['file' => $file[1], 'text' => $block['text'], 'shown' => []];
                }
            } elseif (in_array($block['mark'], ['run', "run: $way"], true)) {
                array_push($steps, ...self::lines($block['text']));
            }
        }

        return $steps;
    }

    /**
     * Whether a command printed what the page shows: its lines in their order. "…" stands for any text, on a line of its own
     * for any lines.
     *
     * @param list<string> $shown
     *
     * @return string|null the first line that is missing
     */
    public static function missing(array $shown, string $printed): ?string
    {
        $lines = explode("\n", $printed);
        foreach ($shown as $line) {
            if (trim($line) === '' || trim($line) === '…') {
                continue;
            }
            $pattern = '~\A\s*' . str_replace('…', '.*', preg_quote(trim($line), '~')) . '\s*\z~u';
            do {
                $next = array_shift($lines);
            } while ($next !== null && preg_match($pattern, $next) !== 1);
            if ($next === null) {
                return $line;
            }
        }

        return null;
    }

    /** @return list<array{file: string, text: string, shown: list<string>}> */
    private static function lines(string $console): array
    {
        $commands = preg_split('~^\$ ~m', (string) preg_replace('~\\\\\n\s*~', '', rtrim($console))) ?: [];

        return array_map(static function (string $command): array {
            $lines = explode("\n", rtrim($command, "\n"));

            return ['file' => '', 'text' => $lines[0], 'shown' => array_slice($lines, 1)];
        }, array_slice($commands, 1));
    }
}
