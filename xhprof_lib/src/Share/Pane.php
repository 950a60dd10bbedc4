<?php

declare(strict_types=1);

namespace XHProf\Share;

/** One view of a file that is sent: the markup of its page, under a tab. */
final class Pane
{
    /**
     * @param string $name  value of `view` in the file's address
     * @param string $html  the page's own markup, with links of the file
     * @param bool   $drawn whether it is empty where scripts do not run
     */
    public function __construct(
        public readonly string $name,
        public readonly string $label,
        public readonly string $key,
        public readonly string $html,
        public readonly bool $drawn = false,
    ) {
    }
}
