<?php

declare(strict_types=1);

namespace XHProf\Bench\Profiler;

use XHProf\Bench\Failure;

/** PREFIX_enable(flags) and PREFIX_disable() with constants PREFIX_FLAGS_*: XHProf's API, also of tideways_xhprof. */
final class XhprofLike implements Profiler
{
    /** @var callable-string */
    private readonly string $enable;
    /** @var callable-string */
    private readonly string $disable;
    private readonly int $flags;

    /**
     * @param string $prefix "xhprof" or "tideways_xhprof"
     * @param string $flags "0" or names of flags, joined by |
     */
    public function __construct(string $prefix, string $flags)
    {
        [$enable, $disable] = ["{$prefix}_enable", "{$prefix}_disable"];
        if (!is_callable($enable) || !is_callable($disable)) {
            throw new Failure("$enable() or $disable() is missing");
        }
        [$this->enable, $this->disable] = [$enable, $disable];
        $bits = 0;
        foreach ($flags === '0' ? [] : explode('|', $flags) as $flag) {
            $bits |= (int) constant(strtoupper($prefix) . "_FLAGS_$flag");
        }
        $this->flags = $bits;
    }

    public function start(): void
    {
        ($this->enable)($this->flags);
    }

    public function stop(): ?int
    {
        $profile = ($this->disable)();

        return is_array($profile) ? (int) array_sum(array_column($profile, 'ct')) : null;
    }
}
