<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * Names that stay the same from one build, host or version of a program to the next. A closure is named by its line, which moves
 * with every line added above it; here it is the N-th closure of its function or file: "App\Route::map{closure#2}",
 * "dir/file.php{closure#2}". Names that a generator made lose its hash, and files directly in the folder of a release its name.
 */
final class StableNames
{
    /** A line in the name of a closure, or of code that eval() compiled. */
    private const LINE = '/:([0-9]+)(?:#[0-9]+)?(?=\})|\(([0-9]+)\)(?= : eval\(\)\'d code)/';

    /** PHP names code that eval() compiled by the whole path; "dir/file.php" stays, as of other files. */
    private const EVAL_FOLDERS = '/\Aeval::\K\/(?:[^\/]*\/)*(?=[^\/]+\/[^\/]+\z)/';

    /** A name that is the code of a file, or a closure of one; its path is what the groups "file" and "of" hold. */
    private const FILE = '/^(?:load|run_init|eval)::(?<file>.+)\z|\{closure:(?<of>[^{}:]*\.[^{}:\/]+)(?=[:}])/s';

    /**
     * @return array{0: string, 1: list<int>} the name without what changes from build to build, and the lines it held, outer first;
     *     several functions may share the first
     */
    public static function parts(string $name, ?NameRules $rules = null): array
    {
        [$name, $lines] = self::lines($name);

        return [($rules ?? NameRules::ours())->apply($name), $lines];
    }

    /** @return array{string, list<int>} the name without lines, and these */
    private static function lines(string $name): array
    {
        $lines = [];
        if (str_contains($name, '{closure:') || str_contains($name, " : eval()'d code")) {
            preg_match_all(self::LINE, $name, $matches);
            $lines = array_map(static fn (string $a, string $b): int => (int) ($a . $b), $matches[1], $matches[2]);
            $name = preg_replace([self::LINE, self::EVAL_FOLDERS], '', $name) ?? $name;
        }

        return [$name, $lines];
    }

    /** @return string "dir/file.php" of "load::dir/file.php" and of "{closure:dir/file.php:12}"; '' where the name has no file */
    public static function file(string $name): string
    {
        return preg_match(self::FILE, $name, $match) === 1 ? $match['of'] ?? $match['file'] : '';
    }

    /**
     * @param array<string>         $names     of one run, without levels of recursions, each once
     * @param array<string, string> $positions name => where its closure is written, "App\Route::map{closure#2}". The others are
     *     numbered in the order of their lines in this run, which hosts that run other closures may not share.
     *
     * @return array<string, string> name => the stable one; no two are the same
     */
    public static function assign(array $names, array $positions = [], ?NameRules $rules = null): array
    {
        $rules ??= NameRules::ours();
        $groups = [];
        foreach ($names as $name) {
            [$shared, $lines] = self::lines($name);
            $label = $rules->apply($positions[$name] ?? self::label($shared));
            // What keeps its name comes first.
            $twin = preg_match('/:[0-9]+#([0-9]+)\}/', $name, $match) === 1 ? (int) $match[1] : 1;
            $groups[$label][] = [$label !== $name, self::file($name), $lines, $twin, $name];
        }
        // Those that are numbered here take what the others have left.
        uksort($groups, static fn (int|string $a, int|string $b): int
            => str_contains((string) $a, '{closure}') <=> str_contains((string) $b, '{closure}'));
        $stable = [];
        $taken = [];
        foreach ($groups as $label => $members) {
            sort($members);
            $label = (string) $label;
            $at = strrpos($label, '{closure}');
            foreach ($members as $index => [, , $lines, , $name]) {
                $isCounted = $label !== $name && (count($members) > 1 || ($lines !== [] && !isset($positions[$name])));
                $number = $isCounted ? $index + 1 : 0;
                do {
                    $suffix = $number > 0 ? "#$number" : '';
                    $number++;
                    $to = $at === false ? $label . $suffix : substr_replace($label, "{closure$suffix}", $at, 9);
                } while (isset($taken[$to]));
                $taken[$to] = true;
                $stable[$name] = $to;
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
