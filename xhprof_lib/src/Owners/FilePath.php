<?php

declare(strict_types=1);

namespace XHProf\Owners;

/** A path of a program's file in one form, whatever system it comes from. */
final class FilePath
{
    /** Behind the path of code that eval() compiled: "/srv/a.php(12) : eval()'d code", also several times. */
    private const EVALUATED = '/\([0-9]+\) : (?:eval\(\)\'d code|runtime-created function|assert code).*\z/s';

    /** @return string with slashes, without "." and empty parts; "C:\app\a.php" => "C:/app/a.php" */
    public static function normal(string $path): string
    {
        $path = preg_replace(self::EVALUATED, '', $path) ?? $path;
        $isWindows = preg_match('/\A(?:[A-Za-z]:[\\\\\/]|\\\\\\\\)/', $path) === 1;
        $path = $isWindows ? strtr($path, '\\', '/') : $path;
        if (!str_contains($path, '/.') && !str_contains($path, '//')) {
            return $path;
        }
        $parts = [];
        foreach (explode('/', $path) as $at => $part) {
            if ($part === '..' && $parts !== [] && !in_array(end($parts), ['', '..'], true)) {
                array_pop($parts);
            } elseif ($part !== '.' && ($part !== '' || $at === 0)) {
                $parts[] = $part;
            }
        }

        return implode('/', $parts);
    }

    public static function isAbsolute(string $path): bool
    {
        return preg_match('/\A(?:\/|[A-Za-z]:\/|[a-z][a-z0-9.+-]*:\/\/)/', $path) === 1;
    }

    /** @return string|null "src/a.php" of "/srv/app/src/a.php" below "/srv/app"; null if it is not below it */
    public static function below(string $path, string $folder): ?string
    {
        return str_starts_with($path, "$folder/") ? substr($path, strlen($folder) + 1) : null;
    }

    /**
     * @param list<string> $paths
     *
     * @return string|null the folder that all are in; null without paths, or if they have none in common
     */
    public static function common(array $paths): ?string
    {
        $common = null;
        foreach ($paths as $path) {
            $folder = explode('/', dirname($path));
            $common ??= $folder;
            $same = 0;
            while ($same < count($common) && ($folder[$same] ?? null) === $common[$same]) {
                $same++;
            }
            $common = array_slice($common, 0, $same);
        }
        $text = implode('/', $common ?? []);

        return $text === '' || $text === '.' ? null : $text;
    }
}
