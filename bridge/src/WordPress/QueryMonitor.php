<?php

declare(strict_types=1);

namespace XHProf\Bridge\WordPress;

/** The panel in Query Monitor, where that plug-in is: its classes exist only then. */
final class QueryMonitor
{
    /**
     * @param array<string, object> $collectors
     * @return array<string, object>
     */
    public static function collectors(array $collectors): array
    {
        return $collectors + [QueryMonitor\Collector::ID => new QueryMonitor\Collector()];
    }

    /**
     * @param array<string, object> $outputs
     * @return array<string, object>
     */
    public static function outputs(array $outputs): array
    {
        $collector = \QM_Collectors::get(QueryMonitor\Collector::ID);

        return $collector instanceof QueryMonitor\Collector && Administrator::isHere()
            ? $outputs + [QueryMonitor\Collector::ID => new QueryMonitor\Output($collector)]
            : $outputs;
    }
}
