<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Profile\EdgeKey;

/**
 * Names of functions as runs have them: see EdgeKey. Other tools write empty names, such as are a number only, and any text.
 *
 * @internal
 */
final class FrameName
{
    public const MAIN = 'main()';
    public const NONE = '(no name)';

    /** Names of other tools for the top of a program. */
    private const TOPS = [self::MAIN => true, '{main}' => true];

    /** Makes a name of any text, without a level of recursion. */
    public static function normalize(string $name): string
    {
        return EdgeKey::escaped(self::valid($name));
    }

    /** Makes a name of any text; "f@1" stays a level of recursion. */
    public static function valid(string $name): string
    {
        return match (true) {
            EdgeKey::isName($name) => $name,
            $name === '' => self::NONE,
            default => "($name)",
        };
    }

    public static function isTop(string $name): bool
    {
        return isset(self::TOPS[$name]);
    }
}
