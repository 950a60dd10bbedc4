<?php

declare(strict_types=1);

namespace XHProf\Operations;

/** All operations of one text. */
final class OperationRow
{
    /**
     * @param string   $kind  "sql", "http" ...
     * @param int      $ct    calls; of a sampling samples
     * @param int      $total ns
     * @param int|null $max   ns; null of a sampling
     * @param int|null $median ns, of all calls, to a quarter of it; null of a sampling
     * @param int|null $p95   ns, the same
     * @param int      $duplicates calls with the same values as one before, as far as values are known
     * @param list<OperationCaller> $callers the slowest first
     */
    public function __construct(
        public readonly string $kind,
        public readonly string $text,
        public readonly int $ct,
        public readonly int $total,
        public readonly ?int $max,
        public readonly ?int $median,
        public readonly ?int $p95,
        public readonly int $duplicates,
        public readonly array $callers,
    ) {
    }

    /** A name for addresses: the same for the same text of the same kind, in every run. */
    public function id(): string
    {
        return self::idOf($this->kind, $this->text);
    }

    public static function idOf(string $kind, string $text): string
    {
        return substr(hash('sha256', "$kind $text"), 0, 12);
    }

    /** The call path that repeats it most often in a loop, or null. */
    public function repeated(): ?OperationCaller
    {
        $most = null;
        foreach ($this->callers as $caller) {
            if ($caller->loop !== null && ($most === null || $caller->ct > $most->ct)) {
                $most = $caller;
            }
        }

        return $most;
    }
}
