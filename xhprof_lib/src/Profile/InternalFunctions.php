<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * Recognizes PHP's own functions by their names. Runs do not record the difference: this PHP decides, and functions of an
 * extension that it does not have count as the program's.
 */
final class InternalFunctions
{
    /**
     * @param list<string> $names
     *
     * @return list<int> indexes of PHP's own
     */
    public static function indexesIn(array $names): array
    {
        return array_keys(array_filter($names, self::has(...)));
    }

    /**
     * @param string $name may end in a level of recursion, "@1", or in "#" and its arguments
     */
    public static function has(string $name): bool
    {
        if (preg_match('/\A([A-Za-z_][A-Za-z0-9_\\\\]*)(?:::([A-Za-z_][A-Za-z0-9_]*))?(?:@[0-9]+|#.*)?\z/s', $name, $match) !== 1) {
            return false;
        }
        $method = $match[2] ?? '';
        if ($method === '') {
            return function_exists($match[1]) && (new \ReflectionFunction($match[1]))->isInternal();
        }
        $exists = class_exists($match[1], false) || interface_exists($match[1], false);

        return $exists && (new \ReflectionClass($match[1]))->isInternal() && method_exists($match[1], $method);
    }
}
