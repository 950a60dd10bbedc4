<?php

declare(strict_types=1);

namespace XHProf\Profile;

/** Scope of a metric. */
enum MetricKind
{
    /** Cost of a function: a profile has an inclusive and an exclusive value. */
    case Cost;
    /** How often: "ct", which every profile has beside its metrics. */
    case Calls;
    /** A call tree node's own allocations. These columns of a tree are not among its metrics. */
    case Allocation;
    /** Value of a whole run, or of the requests of a route; functions do not have it. */
    case Whole;
}
