<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

/** Which time a question is about: a host samples by one of the two. */
enum SampledClock: string
{
    case Wall = 'wall';
    case Cpu = 'cpu';

    /** Column of functions' own time, ns. */
    public function self(): string
    {
        return $this === self::Wall ? 'self_ns' : 'self_cpu_ns';
    }

    /** Column of functions' time with all they called, ns. */
    public function total(): string
    {
        return $this === self::Wall ? 'total_ns' : 'total_cpu_ns';
    }

    /** Column of call paths' time, ns. */
    public function stack(): string
    {
        return $this->value . '_ns';
    }

    /** Column of requests' time, µs. */
    public function requests(): string
    {
        return $this->value . '_us';
    }

    /** @return 'wt'|'cpu' metric of profiles */
    public function metric(): string
    {
        return $this === self::Wall ? 'wt' : 'cpu';
    }
}
