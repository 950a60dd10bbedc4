<?php

declare(strict_types=1);

namespace XHProf\Report;

/** The whole that a column's figures are parts of: a share in percent and a bar accompany them. */
final class Share
{
    /**
     * @param int|float $whole  value of 100 %
     * @param int       $weight of the share on terminals: see Column; that of the bar is one more
     * @param int       $bar    characters of a full bar on terminals; 0 for no bar
     */
    public function __construct(
        public readonly int|float $whole,
        public readonly int $weight = 4,
        public readonly int $bar = 6,
    ) {
    }
}
