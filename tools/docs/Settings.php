<?php

declare(strict_types=1);

namespace XHProf\Tools\Docs;

/**
 * The settings of php.ini as the C sources define them: name, default and access of each entry, the comment above it, and the
 * values that its handler takes. A comment that begins with "For debugging: " marks a setting that only the developers of the
 * extension need.
 */
final class Settings
{
    private const FILES = ['settings.c', 'memprof.c'];

    private const FOR_DEBUGGING = 'For debugging: ';

    private const ENTRY = '~
        (?:/\*(?<comment>(?:(?!\*/).)*)\*/\s*)?
        (?<macro>SETTING\w*|(?:STD_)?PHP_INI_ENTRY)\((?<arguments>[^\n]*)\)\n~sx';

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
                $arguments = (array) preg_split('/,\s*(?![^()]*\))/', $entry['arguments']);
                if ($entry['macro'] === 'SETTING_NUMBER_OR_0') {
                    array_splice($arguments, 1, 0, '"0"');
                }
                [$name, $default, $access] = array_map(strval(...), $arguments);
                $name = trim($name, '"');
                $name = str_contains($name, '.') ? $name : "xhprof.$name";
                $values = $this->values($entry['macro'], array_map(strval(...), array_slice($arguments, 3)), $source);
                $comment = self::comment($entry['comment'], $name);
                $marked = str_starts_with($comment, self::FOR_DEBUGGING);
                $text = $marked ? ucfirst(substr($comment, strlen(self::FOR_DEBUGGING))) : $comment;
                $settings[$name] = new Setting($name, $this->text($default), $access, $values, $text, $marked);
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

    /**
     * @param list<string> $arguments of the macro, behind name, default and access
     *
     * @return string possible values of the setting; '' for any text
     */
    private function values(string $macro, array $arguments, string $source): string
    {
        [$first, $second] = [$arguments[0] ?? '', $arguments[1] ?? ''];

        return match ($macro) {
            'SETTING_BOOL' => '0 or 1',
            'SETTING_CHOICE', 'SETTING_TEXT' => $this->allowed($second, $source),
            'SETTING_NUMBER' => $this->range($second, $arguments[2] ?? ''),
            'SETTING_NUMBER_OR_0' => '0, or ' . $this->range($second, $arguments[2] ?? ''),
            'SETTING', 'STD_PHP_INI_ENTRY', 'PHP_INI_ENTRY' => $this->warned($first, $source),
            default => throw new \RuntimeException("$macro is a macro that this does not know"),
        };
    }

    /** What a table of words or a rule allows, as its warning names it. */
    private function allowed(string $table, string $source): string
    {
        $pattern = '~(?:word_choice|text_rule) ' . preg_quote($table, '~') . ' = \{[^"]*"((?:[^"\\\\]|\\\\.)*)"~';
        if (preg_match($pattern, $source, $match) !== 1) {
            throw new \RuntimeException("no table of words and no rule is called $table");
        }

        return stripcslashes($match[1]);
    }

    private function range(string $least, string $most): string
    {
        [$least, $most] = [$this->number($least), $this->number($most)];

        return $most === PHP_INT_MAX ? "$least or more" : "$least to $most";
    }

    /** Values that a handler accepts, from its warning: "... must be ..."; '' where it accepts any text. */
    private function warned(string $handler, string $source): string
    {
        if (preg_match('~\nstatic ZEND_INI_MH\(' . preg_quote($handler, '~') . '\)\n\{(.*?)\n\}~s', $source, $match) !== 1) {
            return '';
        }
        $body = $match[1];
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

    /** The replacement text of a macro of the sources. */
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
