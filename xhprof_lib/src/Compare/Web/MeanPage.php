<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Compare\MeanReport;
use XHProf\Functions\Web\RunPage;
use XHProf\Run\MeanRun;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\StorePage;

/**
 * index.php?run=A,B,C: the mean of several runs, and their spread.
 *
 * Parameters: run, source, wts, corrected, levels; those of MeanTable.
 */
final class MeanPage extends StorePage
{
    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        if (!$set->run instanceof MeanRun) {
            // The same run is named more than once.
            return (new RunPage($this->runs, $this->view))->respond($request);
        }
        $report = new MeanReport($set->run, $set->levels);
        $list = new RunsOfMean($this->runs, $set, $report);
        $table = new MeanTable($request, $set, $report);

        return $this->view->page('mean.html.twig', [
            'tiles' => $list->tiles(),
            'list' => $list->table(),
            'corrected' => RunHeader::corrected($set, $set->parameters()),
            'levels' => RunHeader::levels($set, $set->parameters()),
        ] + RunHeader::top($this->runs, $set, $request, 'functions') + $table->variables());
    }
}
