<?php

declare(strict_types=1);

namespace XHProf\Bridge\Laravel;

/** A job of this kind gets a run each time a queue's worker runs it. A single one asks for that by {@see Profilable}. */
interface ShouldProfile
{
}
