<?php

declare(strict_types=1);

namespace XHProf\Tools\Docs;

/**
 * The settings of php.ini as the C sources define them: name, default and access of each entry, the comment above it, and the
 * values that its handler takes.
 */
final class Settings
{
    private const FILES = ['settings.c', 'memprof.c'];

    private const ENTRY = '~
        (?:/\*(?<comment>(?:(?!\*/).)*)\*/\s*)?
        (?:SETTING(?<bool>_BOOL)?|STD_PHP_INI_ENTRY)\(
        "(?<name>[a-z_.]+)",\s*(?<default>"[^"]*"|[A-Z_]+),\s*(?<access>[A-Z_]+)(?:,\s*(?<handler>\w+))?~sx';

    /** @param string $extension its folder */
    public function __construct(private readonly string $extension)
    {
    }

    /**
     * @return array<string, Setting> by name, in the order of the sources
     */
    public function all(): array
    {
        $settings = [];
        foreach (self::FILES as $file) {
            $source = $this->read($file);
            $entries = substr($source, (int) strpos($source, 'PHP_INI_BEGIN()'));
            preg_match_all(self::ENTRY, $entries, $found, PREG_SET_ORDER);
            foreach ($found as $entry) {
                $name = str_contains($entry['name'], '.') ? $entry['name'] : "xhprof.$entry[name]";
                $settings[$name] = new Setting(
                    $name,
                    $this->text($entry['default']),
                    $entry['access'],
                    $entry['bool'] === '' ? $this->values($name, $entry['handler'] ?? '', $source) : '0 or 1',
                    self::comment($entry['comment'], $name),
                );
            }
        }

        return $settings;
    }

    /** A comment of C without its stars. */
    private static function comment(string $comment, string $name): string
    {
        $text = trim((string) preg_replace('~\s*\n\s*\*\s?~', ' ', $comment));
        if ($text === '') {
            throw new \RuntimeException("$name has no comment above it");
        }

        return $text;
    }

    /** What a handler takes, from its tables, or else from its warning: "... must be ...". */
    private function values(string $name, string $handler, string $source): string
    {
        if (preg_match('~\nstatic ZEND_INI_MH\(' . preg_quote($handler, '~') . '\)\n\{(.*?)\n\}~s', $source, $match) !== 1) {
            return '';
        }
        $body = $match[1];
        $quoted = preg_quote($name, '~');
        if (preg_match('~\{"' . $quoted . '",\s*([^{}"]+),\s*([^{}"]+)\}~', $body, $bounds) === 1) {
            $zero = str_contains($body, "zend_string_equals_literal(entry->name, \"$name\")") ? '0, or ' : '';
            [$least, $most] = [$this->number($bounds[1]), $this->number($bounds[2])];

            return $zero . ($most === PHP_INT_MAX ? "$least or more" : "$least to $most");
        }
        if (preg_match('~\{"' . $quoted . '",\s*"([^"]+)"\},?\n~', $body, $allowed) === 1 && str_contains($allowed[1], ' ')) {
            return $allowed[1];
        }
        // In the text of a warning '\\"' is a quote, '%d' a number that follows, '%%' a percent sign.
        if (preg_match('~"[^"]* must be ((?:[^"\\\\]|\\\\.)*)"([^;]*)\);~', $body, $warned) !== 1) {
            return '';
        }
        $arguments = explode(',', $warned[2]);
        $last = trim((string) end($arguments));
        $number = str_contains($warned[1], '%d') ? (string) $this->number($last) : '';

        return str_replace(['%d', '%%'], [$number, '%'], stripcslashes($warned[1]));
    }

    /** The text of a literal, or of a macro that is one. */
    private function text(string $expression): string
    {
        $expression = preg_match('/\A[A-Z_]+\z/', $expression) === 1 ? $this->macro($expression) : $expression;
        preg_match_all('/"([^"]*)"/', $expression, $parts);

        return implode('', $parts[1]);
    }

    /** The value of a constant expression, as far as the sources use such. */
    private function number(string $expression): int
    {
        $expression = trim(str_replace('(zend_long)', '', $expression), " \t()");
        if (str_contains($expression, '|')) {
            return array_reduce(explode('|', $expression), fn(int $sum, string $part): int => $sum | $this->number($part), 0);
        }
        if (preg_match('/\A(\d+)\s*<<\s*(\d+)\z/', $expression, $shift) === 1) {
            return (int) $shift[1] << (int) $shift[2];
        }

        return match (true) {
            ctype_digit($expression) => (int) $expression,
            $expression === 'ZEND_LONG_MAX' => PHP_INT_MAX,
            $expression === 'UINT32_MAX' => 4294967295,
            default => $this->number($this->macro($expression)),
        };
    }

    /** What a macro of the sources stands for. */
    private function macro(string $name): string
    {
        foreach (glob("$this->extension/{,*/}*.h", GLOB_BRACE) ?: [] as $header) {
            $text = str_replace("\\\n", '', (string) file_get_contents($header));
            if (preg_match("/^#define {$name}[ \t]+(.+)$/m", $text, $match) === 1) {
                return trim($match[1]);
            }
        }
        throw new \RuntimeException("no header defines $name");
    }

    private function read(string $file): string
    {
        return (string) file_get_contents("$this->extension/$file");
    }
}
