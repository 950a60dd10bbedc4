<?php

declare(strict_types=1);

namespace XHProf\Tests\Soak;

/** Memory of a server's workers, over time. */
final class OwnMemory
{
    /** With fewer readings of a worker nothing is known about it. */
    private const READINGS = 12;

    /** @var array<int, list<int>> kB by process */
    private array $read = [];

    /** @param array<int, int> $memory kB by worker; all of them are idle */
    public function add(array $memory): void
    {
        foreach ($memory as $pid => $kilobytes) {
            $this->read[$pid][] = $kilobytes;
        }
    }

    /**
     * What the worst worker had more at most in the last third of its life than in the second. The first one fills caches.
     *
     * @return int|null kB; null where no worker has lived for long enough
     */
    public function growth(): ?int
    {
        $worst = null;
        foreach ($this->read as $values) {
            $third = intdiv(count($values), 3);
            if (count($values) >= self::READINGS) {
                $more = max([0, ...array_slice($values, 2 * $third)]) - max([0, ...array_slice($values, $third, $third)]);
                $worst = max($worst ?? PHP_INT_MIN, $more);
            }
        }

        return $worst;
    }
}
