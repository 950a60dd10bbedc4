<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Profile\CodePlace;
use XHProf\Run\RouteFigures;
use XHProf\Run\Run;

/** The requests of a route in a window: their times are known, and how many failed; what they called is sampled. */
final class MeasuredRoute implements Measured
{
    public function __construct(
        private readonly Run $run,
        private readonly string $route,
        private readonly RouteFigures $figures,
    ) {
    }

    public function run(): Run
    {
        return $this->run;
    }

    public function subject(): string
    {
        return $this->route;
    }

    public function missing(): string
    {
        return '';
    }

    public function place(string $function): ?CodePlace
    {
        return null;
    }

    public function findings(): string
    {
        return 'findings of a window are those of all its routes together: see them with report --findings';
    }

    public function figure(FigureName $name): Figure
    {
        $share = RouteFigures::QUANTILES[$name->base] ?? null;
        $quantile = $share === null ? null : $this->figures->wallQuantile($share);

        return match (true) {
            $name->functions !== null, in_array($name->base, [FigureName::CALLS, FigureName::OPERATIONS], true)
                => Figure::unknown('this is a window, which was sampled: samples are no calls; record requests exactly'),
            $this->figures->requests === 0 => Figure::unknown('the window has no finished request of this route'),
            $name->base === FigureName::WALL => Figure::of($this->figures->wall / $this->figures->requests),
            $name->base === FigureName::CPU => Figure::of($this->figures->cpu / $this->figures->requests),
            $name->base === FigureName::FAILED => Figure::of($this->figures->failed),
            $quantile !== null => Figure::of($quantile),
            default => Figure::unknown("windows do not have \"$name->text\""),
        };
    }
}
