<?php

declare(strict_types=1);

namespace XHProf\Import;

/** A reader that also knows files it cannot read: those of the same writer that begin in a like way. It does not recognize them. */
interface KnowsOthers
{
    /** @return list<Kind> */
    public function others(): array;
}
