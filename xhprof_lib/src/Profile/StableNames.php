<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * Names that stay the same from one build, host or version of a program to the next. A closure is named by its line, which moves
 * with every line added above it; here it is the N-th closure of its function or file: "App\Route::map{closure#2}",
 * "dir/file.php{closure#2}". Names that a generator made lose its hash.
 */
final class StableNames
{
    /** Parts of names that a generator makes anew for each build or folder => what stands for them. */
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
    ];

    /** Any name that may hold one of the above: most names need no more than this look. */
    private const MAYBE = '/[0-9a-f]{8}|@anonymous\x00|Container[A-Za-z0-9_]{7}\\\\|(?:Ghost|Proxy)[0-9a-f]{7}/';

    /** A line in the name of a closure, or of code that eval() compiled. */
    private const LINE = '/:([0-9]+)(?=\})|\(([0-9]+)\)(?= : eval\(\)\'d code)/';

    /** A name that is the code of a file, or a closure of one; its path is what the groups "file" and "of" hold. */
    private const FILE = '/^(?:load|run_init|eval)::(?<file>.+)\z|\{closure:(?<of>[^{}:]*\.[^{}:\/]+)(?=[:}])/s';

    /**
     * @return array{0: string, 1: list<int>} the name without what changes from build to build, and the lines it held, outer first;
     *     several functions may share the first
     */
    public static function parts(string $name): array
    {
        $lines = [];
        if (str_contains($name, '{closure:') || str_contains($name, " : eval()'d code")) {
            preg_match_all(self::LINE, $name, $matches);
            $lines = array_map(static fn (string $a, string $b): int => (int) ($a . $b), $matches[1], $matches[2]);
            $name = preg_replace(self::LINE, '', $name) ?? $name;
        }
        if (preg_match(self::MAYBE, $name) === 1) {
            $name = preg_replace(array_keys(self::GENERATED), array_values(self::GENERATED), $name) ?? $name;
        }

        return [$name, $lines];
    }

    /** @return string "dir/file.php" of "load::dir/file.php" and of "{closure:dir/file.php:12}"; '' where the name has no file */
    public static function file(string $name): string
    {
        return preg_match(self::FILE, $name, $match) === 1 ? $match['of'] ?? $match['file'] : '';
    }

    /**
     * @param array<string> $names of one run, without levels of recursions, each once
     *
     * @return array<string, string> name => the stable one; no two are the same
     */
    public static function of(array $names): array
    {
        $groups = [];
        $stable = [];
        foreach ($names as $name) {
            [$shared, $lines] = self::parts($name);
            if ($shared === $name) {
                $stable[$name] = $name;
            } else {
                $groups[self::label($shared)][] = [self::file($name), $lines, $name];
            }
        }
        foreach ($groups as $label => $members) {
            sort($members);
            foreach ($members as $index => [, $lines, $name]) {
                $number = $lines !== [] || count($members) > 1 ? '#' . ($index + 1) : '';
                $at = strrpos($label, '{closure}');
                $stable[$name] = $at === false ? $label . $number : substr_replace($label, "{closure$number}", $at, 9);
            }
        }

        return $stable;
    }

    /** "Class::{closure}" of "Class::{closure:dir/file.php}", "Class::method{closure}" of PHP's own "{closure:Class::method()}". */
    private static function label(string $shared): string
    {
        // From the inside out: PHP names a closure of a closure "{closure:{closure:f():3}:5}".
        $inner = '/^(?<scope>.*)\{closure:(?<in>[^{}]*(?:\{closure\}[^{}]*)*)\}(?<rest>.*)\z/s';
        while (preg_match($inner, $shared, $match) === 1) {
            ['scope' => $scope, 'in' => $in, 'rest' => $rest] = $match;
            $isPhpName = str_ends_with($in, '()') || str_ends_with($in, '{closure}');
            // The class of PHP's own name is in it once more.
            $scope = $isPhpName && str_ends_with($scope, '::') ? '' : $scope;
            $in = $isPhpName || $scope === '' || $scope === '{closure:' ? preg_replace('/\(\)\z/', '', $in) : '';
            $shared = "$scope$in{closure}$rest";
        }

        return $shared;
    }
}
