<?php

declare(strict_types=1);

namespace XHProf\Import;

/**
 * Names of functions as Xdebug and SPX write them, as XHProf does.
 *
 * @internal
 */
final class XdebugNames
{
    /** @param string $name as in a cachegrind file: "php::PDO->query", "require_once::/app/x.php" */
    public static function ofProfile(string $name): string
    {
        if (FrameName::isTop($name)) {
            return FrameName::MAIN;
        }
        $name = preg_replace('/\A(?:include|require)(?:_once)?::/', 'load::', $name, 1, $count) ?? $name;
        if ($count > 0) {
            return $name;
        }

        return self::method(str_starts_with($name, 'php::') ? substr($name, 5) : $name);
    }

    /**
     * @param string $name as in a trace: "PDO->query", "require_once"
     * @param string $file that is included, or ''
     */
    public static function ofTrace(string $name, string $file): string
    {
        if (FrameName::isTop($name)) {
            return FrameName::MAIN;
        }

        return $file !== '' && preg_match('/\A(?:include|require)(?:_once)?\z/', $name) === 1
            ? "load::$file"
            : self::method($name);
    }

    /** "A->b" of an object's method; the class of an anonymous one has a path in its name. */
    public static function method(string $name): string
    {
        $at = strrpos($name, '->');

        return $at === false || $at === 0 ? $name : substr($name, 0, $at) . '::' . substr($name, $at + 2);
    }
}
