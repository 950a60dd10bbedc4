<?php

declare(strict_types=1);

namespace XHProf\Bench\Profiler;

use XHProf\Bench\Failure;

/** XHProf's sampling: the interval in microseconds, then "cpu" and "lines" if they are wanted. */
final class XhprofSampling implements Profiler
{
    /** @var array<string, int|string|bool> */
    private readonly array $options;

    public function __construct(string $options)
    {
        if (!function_exists('xhprof_sample_enable')) {
            throw new Failure('xhprof_sample_enable() is missing');
        }
        $words = explode(',', $options);
        $this->options = [
            'interval' => (int) $words[0],
            'clock' => in_array('cpu', $words, true) ? 'cpu' : 'wall',
            'lines' => in_array('lines', $words, true),
        ];
    }

    public function start(): void
    {
        xhprof_sample_enable($this->options);
    }

    public function stop(): ?int
    {
        xhprof_sample_disable();

        return null;
    }
}
