<?php

declare(strict_types=1);

namespace XHProf\Owners;

use XHProf\Exception\InvalidJsonFile;
use XHProf\Format\LinedJson;

/**
 * Who owns which part of a program: a table of beginnings of paths and of namespaces, of the operator. Of those that fit a
 * function the longest counts. docs/owners.md describes the file.
 */
final class OwnerTable
{
    /** The variable with the path of the table, and its name in the folder of a project. */
    public const FILE = 'XHPROF_OWNERS';
    public const USUAL = 'xhprof-owners.json';

    /** Names what has no owner in the table. */
    public const NOBODY = '(no owner)';

    public const EXAMPLE = '{"owners": {"Checkout": ["src/Checkout/", "App\\\\Cart\\\\"], '
        . '"Search": ["wp-content/plugins/search-*/"]}}';

    private const KEYS = ['owners', 'roots', 'rest'];

    /** Larger files are not read. */
    private const MAX_BYTES = 1 << 20;

    /**
     * @param list<array{pattern: string, isName: bool, owner: string, length: int}> $rules the longest first
     * @param list<string> $roots of the application, where its files do not show it
     * @param string $version changes when the table does
     */
    private function __construct(
        private readonly array $rules,
        public readonly array $roots,
        private readonly string $rest,
        public readonly string $version,
    ) {
    }

    /**
     * The table that the variable names, else that of the folder in which the command is, if it has one.
     *
     * @param string $named value of the variable, or of the option
     *
     * @throws InvalidJsonFile
     */
    public static function find(string $named): ?self
    {
        return $named !== '' ? self::ofFile($named) : (is_file(self::USUAL) ? self::ofFile(self::USUAL) : null);
    }

    /** What to do where there is none, without a full stop. */
    public static function missing(): string
    {
        return 'there is no table of owners: write ' . self::USUAL . ' in the folder of the project, or name another file by'
            . ' --owners=FILE or ' . self::FILE . '; for example ' . self::EXAMPLE;
    }

    /** @throws InvalidJsonFile */
    public static function ofFile(string $path): self
    {
        set_error_handler(static fn (): bool => true);
        try {
            $text = is_file($path) ? file_get_contents($path, false, null, 0, self::MAX_BYTES + 1) : false;
        } finally {
            restore_error_handler();
        }
        if ($text === false || strlen($text) > self::MAX_BYTES) {
            throw new InvalidJsonFile("$path: the table of owners cannot be read, or has more than 1 MB");
        }

        return self::parse($text, $path);
    }

    /** @throws InvalidJsonFile */
    public static function parse(string $text, string $path): self
    {
        $json = LinedJson::parse($text, $path);
        $table = $json->members('', 'the table of owners');
        $json->assertKeys('', self::KEYS);
        if (!isset($table['owners'])) {
            throw new InvalidJsonFile("$path:1: the table has no \"owners\"; for example " . self::EXAMPLE);
        }
        $rules = [];
        foreach ($json->members('owners', '"owners"') as $owner => $_) {
            $owner = (string) $owner;
            if (trim($owner) === '') {
                throw $json->wrong(LinedJson::at('owners', $owner), 'an owner has no name');
            }
            foreach ($json->texts(LinedJson::at('owners', $owner), "what \"$owner\" owns") as $pattern) {
                $rules[] = self::rule($pattern, $owner);
            }
        }
        usort($rules, static fn (array $a, array $b): int => $b['length'] <=> $a['length']);
        $roots = isset($table['roots']) ? $json->texts('roots', '"roots"') : [];
        $rest = isset($table['rest']) ? $json->text('rest', '"rest"') : self::NOBODY;

        $roots = array_map(static fn (string $root): string => rtrim(FilePath::normal($root), '/'), $roots);

        return new self($rules, $roots, $rest, hash('sha256', $text));
    }

    /**
     * @param string|null $file     path of FilePath::normal(); null where it is not known
     * @param string|null $relative the same below the root of the application
     */
    public function owner(string $function, ?string $file, ?string $relative): string
    {
        foreach ($this->rules as ['pattern' => $pattern, 'isName' => $isName, 'owner' => $owner]) {
            $is = $isName ? preg_match($pattern, $function) === 1
                : ($file !== null && preg_match($pattern, $file) === 1)
                    || ($relative !== null && preg_match($pattern, $relative) === 1);
            if ($is) {
                return $owner;
            }
        }

        return $this->rest;
    }

    /** @return array{pattern: string, isName: bool, owner: string, length: int} */
    private static function rule(string $text, string $owner): array
    {
        $isName = str_contains($text, '\\') && preg_match('#/|\A[A-Za-z]:|\A\\\\\\\\#', $text) !== 1;
        $length = strlen($text);
        // A name without a mark at its end is a whole one: "App\Cart" is not "App\Cartoon".
        if ($isName) {
            $beginning = strtr(preg_quote(ltrim($text, '\\'), '#'), ['\\*' => '\w*']);
            $end = preg_match('/[\\\\*]\z/', $text) === 1 ? '' : '(?!\w)';

            // A closure has its function in its name: "{closure:App\Cart\f():3}".
            return ['pattern' => "#\\A(?:\\{closure:)*$beginning$end#i"] + compact('isName', 'owner', 'length');
        }
        $path = FilePath::normal($text);
        $anywhere = str_starts_with($path, '**/');
        $path = preg_replace('/\A(?:\*\*\/|\.\/)/', '', $path) ?? $path;
        $pattern = strtr(preg_quote($path, '#'), ['\\*\\*' => '.*', '\\*' => '[^/]*', '\\?' => '[^/]']);
        $end = str_ends_with($path, '/') || str_ends_with($path, '*') ? '' : '(?:/|\\z)';

        return ['pattern' => '#\\A' . ($anywhere ? '(?:.*/)?' : '') . "$pattern$end#s"] + compact('isName', 'owner', 'length');
    }
}
