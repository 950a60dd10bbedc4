<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidNameRule;

/** What a name loses because it changes from build to build or from release to release: own rules, and those of an operator. */
final class NameRules
{
    /** The variable with the path of the operator's rules. */
    public const FILE = 'XHPROF_NAME_RULES';

    /** Larger files are not read. */
    private const MAX_BYTES = 1 << 20;

    /** A line of the file; as in PHP the first delimiter without a backslash ends the expression. */
    private const RULE = '/\A(?<rule>(?<end>[^\w\s\\\\])(?:\\\\.|(?!(?P=end))[^\\\\])+(?P=end)[imsuxADUX]*)'
        . '(?:\s+(?<to>\S.*))?\z/s';

    /** A folder that is named by a release: a date or a number, a version, a hash. */
    private const RELEASE = '(?:[0-9]{8,20}|v?[0-9]+(?:[._-][0-9]+)+|(?:release|build|deploy)s?[._-]?[0-9][\w.-]*'
        . '|(?=[a-f]*[0-9])[0-9a-f]{7,64})(?=\/)';

    /** Parts of names => what stands for them. */
    private const GENERATED = [
        '/(?<=ComposerAutoloaderInit|ComposerStaticInit)[0-9a-f]{32}\b/' => '{hash}',
        '/(?<=__TwigTemplate_)[0-9a-f]{32,64}(?:___[0-9]+)?/' => '{hash}',
        // PHP's name of an anonymous class, in runs of other profilers: ours end before the NUL.
        '/(?<=@anonymous)\x00.*?:[0-9]+\$[0-9a-f]+/s' => '',
        // Symfony: the compiled container, proxies and lazy ghosts.
        '/(?:^|(?<=\\\\))Container\K[A-Za-z0-9_]{7}(?=\\\\)/' => '{hash}',
        '/(?<=Ghost|Proxy)[0-9a-f]{7}(?=::|$|@)/' => '{hash}',
        // PHPUnit, Smarty, Latte.
        '/(?:^|\\\\)(?:MockObject_|Mock_)[A-Za-z0-9_]+?_\K[0-9a-f]{8}(?=::|$|@)/' => '{hash}',
        '/(?<=content_)[0-9a-f]{14}_[0-9]{8}/' => '{hash}',
        '/(?:^|\\\\)Template_?\K(?:[0-9a-f]{10})(?=::|$|@)/' => '{hash}',
        // Compiled views of Blade, Twig and others: files named by a hash.
        '/(?<=\/)(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})(?=\.php)/' => '{hash}',
        // Files directly in the folder of a release: "load::20261122/index.php"; "" before it: the name of a closure's file.
        '/^(?:(?:load|run_init|eval)::)?\K' . self::RELEASE . '/' => '{release}',
        '/\{closure:\K' . self::RELEASE . '/' => '{release}',
    ];

    /** Any name that may hold one of the above: most names need no more than this look. */
    private const MAYBE = '/[0-9a-f]{7}|[0-9][._-][0-9]|@anonymous\x00|Container[A-Za-z0-9_]{7}\\\\'
        . '|(?:release|build|deploy)s?[._-]?[0-9]/';

    /** @param array<string, string> $own pattern => what stands for it; tried before ours */
    private function __construct(private readonly array $own)
    {
    }

    /** Returns the rules that every program needs. */
    public static function ours(): self
    {
        static $ours = new self([]);

        return $ours;
    }

    /**
     * @param string $path of a file with a rule per line: a regular expression of PHP's with delimiters, then what stands for the
     *     part that it finds; nothing removes it. Empty lines, and those that begin with ";", count for nothing. "" for none.
     *
     * @throws InvalidNameRule
     */
    public static function ofFile(string $path): self
    {
        if ($path === '') {
            return self::ours();
        }
        set_error_handler(static fn (): bool => true);
        try {
            $text = is_file($path) ? file_get_contents($path, false, null, 0, self::MAX_BYTES + 1) : false;
        } finally {
            restore_error_handler();
        }
        if ($text === false || strlen($text) > self::MAX_BYTES) {
            throw new InvalidNameRule(self::FILE . ': the file cannot be read, or has more than 1 MB');
        }
        $own = [];
        foreach (preg_split('/\R/', $text) ?: [] as $at => $line) {
            if (trim($line) !== '' && !str_starts_with(ltrim($line), ';')) {
                [$pattern, $to] = self::rule(trim($line)) ?? throw new InvalidNameRule(
                    self::FILE . ': line ' . ($at + 1) . ' of the file is not a rule: /regular expression/ replacement',
                );
                $own[$pattern] = $to;
            }
        }

        return new self($own);
    }

    /** @return array{string, string}|null */
    private static function rule(string $line): ?array
    {
        $isRule = preg_match(self::RULE, $line, $match) === 1;
        set_error_handler(static fn (): bool => true);
        try {
            return $isRule && preg_match($match['rule'], '') !== false ? [$match['rule'], $match['to'] ?? ''] : null;
        } finally {
            restore_error_handler();
        }
    }

    /** The name without what changes. A rule that PHP gives up on changes nothing, and neither does one that leaves no name. */
    public function apply(string $name): string
    {
        $given = $name;
        foreach ($this->own as $pattern => $to) {
            $name = preg_replace($pattern, $to, $name) ?? $name;
        }
        if (preg_match(self::MAYBE, $name) === 1) {
            $name = preg_replace(array_keys(self::GENERATED), array_values(self::GENERATED), $name) ?? $name;
        }

        return EdgeKey::isName($name) ? $name : $given;
    }
}
