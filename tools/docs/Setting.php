<?php

declare(strict_types=1);

namespace XHProf\Tools\Docs;

/** One entry of php.ini. */
final class Setting
{
    /**
     * @param string $access where it can be set: PHP_INI_ALL, PERDIR or PHP_INI_SYSTEM
     * @param string $values possible values; '' for any text
     * @param string $text   description, Markdown
     * @param bool   $forDebugging only the developers of the extension need it
     */
    public function __construct(
        public readonly string $name,
        public readonly string $default,
        public readonly string $access,
        public readonly string $values,
        public readonly string $text,
        public readonly bool $forDebugging = false,
    ) {
    }
}
