<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Exception\CannotExport;
use XHProf\Export\Csv;
use XHProf\Export\DiffCsv;
use XHProf\Export\ExportedRun;
use XHProf\Export\Formats;
use XHProf\Export\Sink;
use XHProf\Report\DiffReport;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\DiffPair;
use XHProf\Web\Run\Runs;
use XHProf\Web\Run\RunSet;

/** get=export: a run as a file of another tool, `format` says which and `metric` that only one is wanted; a comparison as CSV. */
final class ExportEndpoint
{
    /** Bytes that are held in memory before they go to a temporary file. */
    private const IN_MEMORY = 4 << 20;

    public function __construct(private readonly Runs $runs)
    {
    }

    /** @throws HttpError 400 for a format or a metric that there is not, 404 where the run lacks what the format needs */
    public function respond(Request $request): Response
    {
        if ($request->has('run1') || $request->has('run2')) {
            return $this->comparison($request);
        }
        try {
            $format = Formats::named($request->text('format'));
        } catch (CannotExport $e) {
            throw new HttpError(400, 'There is no such format.', $e);
        }
        $run = self::exported($this->runs, $this->runs->named($request), $request->has('metric') ? $request->text('metric') : null);
        try {
            $stream = self::written(static fn (Sink $out) => $format->write($run, $out));
        } catch (CannotExport $e) {
            throw new HttpError(404, 'It cannot be exported: ' . $e->getMessage() . '.', $e);
        }

        return Response::download($stream, $format->mimeType(), Formats::fileName($run, $format));
    }

    /** @throws HttpError */
    public static function exported(Runs $runs, RunSet $set, ?string $metric = null): ExportedRun
    {
        return $set->isAggregate()
            ? new ExportedRun(null, $set->profile, null, $set->meta, $set->title(), null, $metric)
            : $runs->reading($set->ids, static fn (): ExportedRun
                => ExportedRun::of($runs->store, $set->ids[0], $set->profile, $set->meta, $metric));
    }

    /** @throws HttpError */
    private function comparison(Request $request): Response
    {
        if ($request->text('format') !== 'csv') {
            throw new HttpError(400, 'A comparison can be exported as CSV; get=diff has it as JSON.');
        }
        $pair = DiffPair::named($request, $this->runs);
        $report = DiffReport::of($pair->before->profile, $pair->after->profile);

        return Response::download(
            self::written(static fn (Sink $out) => DiffCsv::write($report, $out)),
            (new Csv())->mimeType(),
            "diff.{$pair->before->ids[0]}.{$pair->after->ids[0]}.csv",
        );
    }

    /**
     * @param \Closure(Sink): void $write
     * @return resource
     */
    private static function written(\Closure $write)
    {
        $stream = fopen('php://temp/maxmemory:' . self::IN_MEMORY, 'w+b');
        if ($stream === false) {
            throw new HttpError(500, 'There is no room for a temporary file.');
        }
        $out = Sink::toStream($stream, 'the temporary file');
        $write($out);
        $out->end();
        rewind($stream);

        return $stream;
    }
}
