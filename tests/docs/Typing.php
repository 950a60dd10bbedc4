<?php

declare(strict_types=1);

namespace XHProf\Tests\Docs;

/**
 * Types the steps of a page in a shell, elsewhere: makes the script that does, and reads what it printed, with the time of each.
 *
 * @phpstan-type Step array{file: string, text: string, shown: list<string>}
 * @phpstan-type Typed array{line: string, written: string, seconds: float, status: int|null, printed: string, missing: string|null}
 */
final class Typing
{
    /** Begins the lines that are the script's own. */
    private const MARK = "\1";

    /**
     * @param list<Step>            $steps
     * @param array<string, string> $instead texts of the page => those of the room: the version of PHP, a port that is free
     */
    public function __construct(private readonly array $steps, private readonly array $instead = [])
    {
    }

    /** For bash. It ends at the first line that fails, and so does what it started. */
    public function script(): string
    {
        $script = <<<'BASH'
            exec 2>&1 </dev/null
            set -o pipefail
            trap 'kill $(jobs -p) 2>/dev/null' EXIT
            typed() { # NUMBER LINE ADDRESS
              printf '\001%s begin %s\n' "$1" "${EPOCHREALTIME/,/.}"
              eval "$2"
              local status=$?
              [[ -z $3 ]] || until (exec 3<>"/dev/tcp/$3") 2>/dev/null || ! kill -0 $!; do sleep 0.05; done
              printf '\n\001%s end %s %s\n' "$1" "$status" "${EPOCHREALTIME/,/.}"
              [[ $status -eq 0 ]] || exit 1
            }

            BASH;
        foreach ($this->steps as $number => $step) {
            if ($step['file'] !== '') {
                $file = escapeshellarg($step['file']);
                $text = escapeshellarg($this->here($step['text']));
                $script .= "mkdir -p \"\$(dirname $file)\" && printf %s $text >$file\n";
                continue;
            }
            $line = $this->here($step['text']);
            $isServer = preg_match('~\b(127\.0\.0\.1):(\d+)\b.*&$~', $line, $at) === 1;
            $arguments = [(string) $number, $line, $isServer ? "$at[1]/$at[2]" : ''];
            $script .= 'typed ' . implode(' ', array_map(escapeshellarg(...), $arguments)) . "\n";
        }

        return $script;
    }

    /**
     * @param string $output of the script
     *
     * @return list<Typed> the lines of the page; status: null where the line was not reached or did not end; missing: a line
     *     that the page shows and that was not printed
     */
    public function read(string $output): array
    {
        $pattern = '~\x01(\d+) begin (\S+)\n(.*?)\n\x01\1 end (\d+) (\S+)\n~s';
        preg_match_all($pattern, $output, $found, PREG_SET_ORDER);
        $ended = array_column($found, null, 1);
        $typed = [];
        foreach ($this->steps as $number => $step) {
            if ($step['file'] !== '') {
                continue;
            }
            [, , $began, $printed, $status, $end] = $ended[$number] ?? ['', '', '0', self::rest($output, $number), null, '0'];
            $shown = array_map($this->here(...), $step['shown']);
            $typed[] = [
                'line' => $this->here($step['text']),
                'written' => $step['text'],
                'seconds' => (float) $end - (float) $began,
                'status' => $status === null ? null : (int) $status,
                'printed' => $printed,
                'missing' => TypedPage::missing($shown, $printed),
            ];
        }

        return $typed;
    }

    /**
     * @param list<Typed> $typed
     *
     * @return list<string> a line of TAP for each, with its output where it failed
     */
    public static function tap(string $where, array $typed): array
    {
        $lines = [];
        foreach ($typed as $one) {
            $problem = match (true) {
                $one['status'] === null => 'was not reached, or did not end',
                $one['status'] !== 0 => "ended with $one[status]",
                $one['missing'] !== null => "did not print: $one[missing]",
                default => null,
            };
            $lines[] = ($problem === null ? 'ok' : 'not ok') . sprintf(' - %s: %s (%.1f s)', $where, $one['line'], $one['seconds']);
            if ($problem !== null) {
                $printed = array_slice(explode("\n", trim($one['printed'])), -40);
                array_push($lines, ...array_map(static fn (string $line): string => "# $line", [$problem, ...$printed]));
            }
        }

        return $lines;
    }

    /**
     * @param list<Typed> $typed
     *
     * @return list<string> rows of Markdown with the lines as the page has them, the sum last
     */
    public static function rows(string $where, array $typed): array
    {
        $row = static fn (string $text, float $seconds): string => sprintf('| %s | %s | %.1f |', $where, $text, $seconds);

        $code = static fn (string $line): string => '`' . str_replace('|', '\|', $line) . '`';

        return [
            ...array_map(static fn (array $one): string => $row($code($one['written']), $one['seconds']), $typed),
            $row('all', array_sum(array_column($typed, 'seconds'))),
        ];
    }

    /** What was printed behind the beginning of a line that did not end. */
    private static function rest(string $output, int $number): string
    {
        return preg_match('~' . self::MARK . "$number begin \S+\n(.*)\z~s", $output, $rest) === 1 ? $rest[1] : '';
    }

    private function here(string $text): string
    {
        return strtr($text, $this->instead);
    }
}
