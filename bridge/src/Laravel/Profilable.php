<?php

declare(strict_types=1);

namespace XHProf\Bridge\Laravel;

/**
 * For classes of jobs: `SendMail::dispatch($order)->profiled()` asks for a run of this one job, whichever worker runs it.
 */
trait Profilable
{
    private bool $isToBeProfiled = false;

    public function profiled(bool $is = true): static
    {
        $this->isToBeProfiled = $is;

        return $this;
    }

    public function isToBeProfiled(): bool
    {
        return $this->isToBeProfiled;
    }
}
