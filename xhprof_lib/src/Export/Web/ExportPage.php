<?php

declare(strict_types=1);

namespace XHProf\Export\Web;

use XHProf\Export\Format;
use XHProf\Profile\Metrics;
use XHProf\Run\Run;
use XHProf\Share\AllFormats;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\StorePage;
use XHProf\Web\Run\ViewState;

/**
 * index.php?run=ID&view=export: the run as files of other tools. The files themselves are api.php?get=export.
 *
 * Parameters: run, source, wts, corrected; metric, for the formats with a single one.
 */
final class ExportPage extends StorePage
{
    /** Formats with a single metric. */
    private const OF_ONE_METRIC = ['folded', 'dot'];

    /** @throws HttpError */
    public function respond(Request $request): Response
    {
        $set = $this->runs->whole($request);
        $hasPaths = $set->run->has(Run::TREE);
        $metrics = $set->run->metrics();
        $metric = ViewState::metric($request, $metrics);
        $lines = [];
        foreach (AllFormats::of($this->runs->pages) as $name => $format) {
            $lines[] = $this->line($name, $format, $set, $hasPaths, $metric);
        }

        return $this->view->page('export.html.twig', [
            'formats' => $lines,
            'has_paths' => $hasPaths,
            'run_id' => $set->isMean() ? null : $set->ids[0]->id,
            'metric' => $metric,
            'metrics' => array_map(Metrics::of(...), $metrics),
            'hidden' => $set->parameters() + ['view' => 'export'],
        ] + RunHeader::top($this->runs, $set, $request, 'export'));
    }

    /** @return array<string, ?string> */
    private function line(string $name, Format $format, ShownRun $set, bool $hasPaths, string $metric): array
    {
        $takesMetric = in_array($name, self::OF_ONE_METRIC, true);
        $parameters = ['format' => $name] + $set->parameters() + ['metric' => $takesMetric ? $metric : null];
        $isThere = $hasPaths || !$format::NEEDS_PATHS;

        return [
            'name' => $name,
            'label' => $format::LABEL,
            'opens' => $format::OPENS,
            'extension' => $format::EXTENSION,
            'metric' => $takesMetric && !Metrics::isCorrected($metric) ? Metrics::of($metric)->label : null,
            'url' => $isThere ? Url::api('export', ['corrected' => null] + $parameters) : null,
        ];
    }
}
