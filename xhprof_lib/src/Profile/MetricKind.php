<?php

declare(strict_types=1);

namespace XHProf\Profile;

/** What a metric is a figure of. */
enum MetricKind
{
    /** What a function takes: in a profile it has an inclusive and an exclusive figure. */
    case Cost;
    /** How often: "ct", which every profile has beside its metrics. */
    case Calls;
    /** What a node of a call tree took from the allocators itself. These columns of a tree are not among its metrics. */
    case Allocation;
    /** A figure of a whole run, or of the requests of a route: no function has it. */
    case Whole;
}
