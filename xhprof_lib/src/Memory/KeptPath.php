<?php

declare(strict_types=1);

namespace XHProf\Memory;

use XHProf\Stats\Growth;

/** A call path of a route that keeps memory beyond its requests, with all below it that is no path of its own. */
final class KeptPath
{
    /**
     * @param list<string> $frames the outermost function first; [] for the route as a whole
     * @param int          $requests of the route that were followed
     * @param int|null     $until seconds since 1970: the end of the last stretch that grew
     */
    public function __construct(
        public readonly string $route,
        public readonly array $frames,
        public readonly Growth $growth,
        public readonly int $requests,
        public readonly ?int $until = null,
    ) {
    }

    /** @return string the innermost function; the route where there is no function */
    public function function(): string
    {
        return $this->frames === [] ? $this->route : $this->frames[count($this->frames) - 1];
    }
}
