<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

/** A function that takes more time of its own per request of a route in one release than in another. */
final class Regression
{
    /**
     * @param float $before        ns of its own per request, mean of the cells
     * @param float $after         ns of its own per request, mean of the cells
     * @param float $falseRate     how likely it is by chance, with so many functions looked at: 0 to 1
     * @param float $routeBefore   ns per request of the whole route
     */
    public function __construct(
        public readonly string $route,
        public readonly int $fn,
        public readonly string $name,
        public readonly string $file,
        public readonly int $line,
        public readonly float $before,
        public readonly float $after,
        public readonly float $falseRate,
        public readonly float $routeBefore,
    ) {
    }

    /** @return float ns per request */
    public function growth(): float
    {
        return $this->after - $this->before;
    }

    /** @return float of the route's time per request */
    public function share(): float
    {
        return $this->routeBefore > 0 ? $this->growth() / $this->routeBefore : 0.0;
    }
}
