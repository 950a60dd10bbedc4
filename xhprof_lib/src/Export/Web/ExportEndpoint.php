<?php

declare(strict_types=1);

namespace XHProf\Export\Web;

use XHProf\Compare\DiffTicket;
use XHProf\Compare\Web\DiffPair;
use XHProf\Exception\CannotExport;
use XHProf\Exception\ExportTooLarge;
use XHProf\Export\Csv;
use XHProf\Export\DiffCsv;
use XHProf\Export\Formats;
use XHProf\File\Sink;
use XHProf\Findings\Ticket;
use XHProf\Functions\FunctionsReport;
use XHProf\Functions\MetricOrder;
use XHProf\Heap\Snapshots;
use XHProf\Heap\Web\HeapOpener;
use XHProf\Heap\Web\IndexNotReady;
use XHProf\Report\Markdown;
use XHProf\Run\ChangedRun;
use XHProf\Run\MeanRun;
use XHProf\Share\AllFormats;
use XHProf\Share\Html;
use XHProf\Share\SharedSnapshot;
use XHProf\Source\SourceFiles;
use XHProf\Web\Api\Endpoint;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;

/**
 * get=export: a run as another tool's file in the given `format`, with one `metric` only if it is given; a
 * comparison as CSV or HTML; with
 * format=markdown a text for a ticket. lines=1: HTML with source lines. */
final class ExportEndpoint extends Endpoint
{
    /** A text for a ticket: no format of a run, but a report. */
    private const MARKDOWN = 'markdown';

    /** Functions in it. */
    private const FUNCTIONS = 20;

    /** Largest download: some formats repeat names on every line, and a small run becomes gigabytes. */
    private const MAX_BYTES = 512 << 20;

    /** @throws HttpError 400 for an unknown format or metric, 404 if the run lacks data that the format needs, 413 */
    public function respond(Request $request): Response
    {
        if ($request->has('heap')) {
            return $this->snapshot($request);
        }
        if ($request->has('run1') || $request->has('run2')) {
            return $this->comparison($request);
        }
        if ($request->text('format') === self::MARKDOWN) {
            $set = $this->runs->whole($request);

            return Response::text(Markdown::report(Ticket::of($set->run, new FunctionsReport($set->run, limit: self::FUNCTIONS))));
        }
        try {
            $format = AllFormats::named($request->text('format'), $this->runs->pages);
        } catch (CannotExport $e) {
            throw new HttpError(400, 'There is no such format.', $e);
        }
        if ($format instanceof Html && $request->flag('lines')) {
            $roots = $request->setting(SourceFiles::ROOTS);
            $format = $roots === ''
                ? throw new HttpError(403, 'These pages read no source: ' . SourceFiles::ROOTS . ' names the folders for it.')
                : new Html($this->runs->pages, roots: $roots);
        }
        $metric = $request->has('metric') ? $request->text('metric') : null;
        $run = $this->runs->whole($request)->run;
        $run = $run instanceof MeanRun || $format instanceof Html ? $run : ChangedRun::corrected($run) ?? $run;
        try {
            return self::download(
                static fn (Sink $out) => $format->write($run, $out, $metric),
                $format::MIME_TYPE,
                Formats::fileName($run, $format),
            );
        } catch (CannotExport $e) {
            throw new HttpError(404, 'It cannot be exported: ' . $e->getMessage() . '.', $e);
        }
    }

    /** @throws HttpError */
    private function snapshot(Request $request): Response
    {
        if ($request->text('format') !== Html::NAME) {
            throw new HttpError(400, 'A heap snapshot can be exported as HTML; bin/xhprof heap export has other formats.');
        }
        $snapshots = new Snapshots($this->runs->store);
        $opener = new HeapOpener($snapshots);
        $name = $opener->named($request, 'heap');
        try {
            $index = $opener->open($name);
        } catch (IndexNotReady) {
            throw new HttpError(409, 'The index of this snapshot is not there yet: open its page first, which makes it.');
        }
        $file = (new SharedSnapshot($snapshots, $index, $name, $snapshots->head($name)))->file();

        return self::download(static fn (Sink $out) => $out->write($file->html), Html::MIME_TYPE, "$name.html");
    }

    /** @throws HttpError */
    private function comparison(Request $request): Response
    {
        $format = $request->text('format');
        if ($format === self::MARKDOWN) {
            $report = DiffPair::named($request, $this->runs)->report;
            $sort = MetricOrder::sort(null, $report->metrics());

            return Response::text(Markdown::report(DiffTicket::of($report, $sort, self::FUNCTIONS, '', $report->notes())));
        }
        if (!in_array($format, [Csv::NAME, Html::NAME], true)) {
            throw new HttpError(400, 'A comparison can be exported as CSV or HTML; get=diff has it as JSON.');
        }
        $pair = DiffPair::named($request, $this->runs);
        $name = "diff.{$pair->before->ids[0]}.{$pair->after->ids[0]}";
        if ($format === Html::NAME) {
            $file = (new Html($this->runs->pages))->file($pair->before->run, $pair->after->run);

            return self::download(static fn (Sink $out) => $out->write($file->html), Html::MIME_TYPE, "$name.html");
        }

        return self::download(
            static fn (Sink $out) => DiffCsv::write($pair->report, $out),
            Csv::MIME_TYPE,
            "$name.csv",
        );
    }

    /**
     * Writes it twice, first to learn its size: a file that is too large or cannot be made is an error and not half a file.
     *
     * @param \Closure(Sink): void $write
     * @throws HttpError 413
     */
    private static function download(\Closure $write, string $mimeType, string $fileName): Response
    {
        $size = Sink::measuring(self::MAX_BYTES);
        try {
            $write($size);
            $size->end();
        } catch (ExportTooLarge $e) {
            throw new HttpError(413, sprintf(
                'This file would have more than %d MB. On the command line, bin/xhprof export writes it.',
                self::MAX_BYTES >> 20,
            ), $e);
        }

        return Response::download(static function (\Closure $send) use ($write): void {
            $out = new Sink($send);
            $write($out);
            $out->end();
        }, $mimeType, $fileName);
    }
}
