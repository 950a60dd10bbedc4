<?php

declare(strict_types=1);

namespace XHProf\Web;

/** The two sides of a comparison; each may be the mean of several runs. */
final class DiffPair
{
    public function __construct(public readonly RunSet $before, public readonly RunSet $after)
    {
    }

    public function swapped(): self
    {
        return new self($this->after, $this->before);
    }

    /** @return array<string, ?string> parameters of index.php that name this comparison */
    public function parameters(): array
    {
        $runs = ['run1' => $this->before->repeatedIdText(), 'run2' => $this->after->repeatedIdText()];

        return $this->before->source() === $this->after->source()
            ? $runs + ['source' => $this->before->source()]
            : $runs + ['source1' => $this->before->source(), 'source2' => $this->after->source()];
    }
}
