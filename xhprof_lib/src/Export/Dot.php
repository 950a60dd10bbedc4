<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Exception\CannotExport;
use XHProf\File\Sink;
use XHProf\Functions\CountKind;
use XHProf\Graph\CallGraph;
use XHProf\Graph\DotWriter;
use XHProf\Graph\GraphOptions;
use XHProf\Run\Run;

/**
 * The call graph in Graphviz's language: the functions and calls that matter.
 */
final class Dot implements Format
{
    public const NAME = 'dot';
    public const EXTENSION = 'dot';
    public const MIME_TYPE = 'text/vnd.graphviz';
    public const LABEL = 'Graphviz';
    public const OPENS = 'dot and other tools for graphs: the call graph of the heaviest functions';

    public function write(Run $run, Sink $out, ?string $metric = null): void
    {
        $metric = ExportColumn::metrics($run, $metric)[0]
            ?? throw new CannotExport('a call graph needs a metric other than the calls');
        $out->write(DotWriter::write(CallGraph::ofProfile($run->profile(), new GraphOptions($metric)), CountKind::ofRuns($run)));
    }
}
