<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

/** What a comparison of two releases has found, and what it could not look at. */
final class RegressionReport
{
    /**
     * @param list<Regression> $slower the largest growth first
     * @param int          $faster     functions that got as much faster
     * @param int          $tested     functions of routes
     * @param list<string> $compared   routes
     * @param list<string> $short      routes without enough data
     */
    public function __construct(
        public readonly string $old,
        public readonly string $new,
        public readonly array $slower,
        public readonly int $faster,
        public readonly int $tested,
        public readonly array $compared,
        public readonly array $short,
    ) {
    }
}
