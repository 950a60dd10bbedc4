<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\File\Sink;
use XHProf\Profile\CallTree;
use XHProf\Profile\Metrics;
use XHProf\Profile\SampleColumns;
use XHProf\Profile\Timeline;
use XHProf\Run\Run;

/**
 * speedscope's own JSON: a profile per metric, of one list of functions. A counted run is "evented" (see TreeWalk), a sampled
 * one "sampled" with its real times. A run with a timeline has its calls in the order of time first, a profile per fiber.
 *
 * @link https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources
 */
final class Speedscope implements Format
{
    public const NAME = 'speedscope';
    public const EXTENSION = 'speedscope.json';
    public const MIME_TYPE = 'application/json';
    public const LABEL = 'speedscope';
    public const OPENS = 'speedscope.app, offline too: flame graphs of every metric, left heavy, sandwich';
    public const NEEDS_PATHS = true;

    /** Begin of the names of profiles in the order of time: their times are in the other ones, too. */
    public const IN_ORDER = 'In the order of time';

    private const UNITS = ['ns' => 'nanoseconds', 'bytes' => 'bytes', 'count' => 'none'];

    public function write(Run $run, Sink $out, ?string $metric = null): void
    {
        $tree = ExportColumn::paths($run);
        $columns = ExportColumn::wanted($run, $metric);
        $out->write('{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"xhprof","name":');
        $out->write(Utf8Names::json($run->title()));
        // Not of the format: speedscope ignores them.
        foreach ($run->meta()->notes() as $key => $note) {
            $out->write(",\"$key\":" . Utf8Names::data($note));
        }
        $out->write(',"activeProfileIndex":0,"shared":{"frames":[');
        $places = ExportColumn::places($run);
        foreach ($run->samplesThatFit()->names ?? $tree->names as $i => $name) {
            $place = $places->at($i);
            $out->write(($i > 0 ? ',' : '') . '{"name":' . Utf8Names::json($name));
            $out->write($place === null ? '' : ',"file":' . Utf8Names::json($place->file));
            $line = $place->line ?? 0;
            $out->write($line > 0 ? ",\"line\":$line}" : '}');
        }
        $out->write("]},\"profiles\":[\n");
        if ($run->samplesThatFit() !== null) {
            self::sampled($run->samplesThatFit(), $out);
        } else {
            if ($run->timelineThatFits() !== null && in_array($metric, [null, 'wt'], true)) {
                self::inOrder($run->timelineThatFits(), $out);
            }
            foreach ($columns as $i => $column) {
                $out->write($i > 0 ? ",\n" : '');
                self::evented($tree, $column, $out);
            }
        }
        $out->write("\n]}\n");
    }

    /** The name of a profile contains its metric, so that Import\Speedscope finds it again. */
    public static function profileName(ExportColumn $column): string
    {
        return self::metricName($column->key) . ($column->isSigned() ? ', without what gave memory back' : '');
    }

    private static function metricName(string $key): string
    {
        return Metrics::of($key)->label . " ($key)";
    }

    /** Every profile but the last one of the file ends in a comma. */
    private static function inOrder(Timeline $timeline, Sink $out): void
    {
        $fn = $timeline->tree->fn;
        foreach ($timeline->fibers() as $fiber) {
            $name = self::IN_ORDER . ($fiber > 0 ? ", fiber $fiber" : '');
            $out->write('{"type":"evented","name":' . Utf8Names::json($name) . ',"unit":"nanoseconds","startValue":0,"endValue":');
            $out->write("$timeline->duration,\"events\":[");
            $out->write($fiber > 0 ? '' : "{\"type\":\"O\",\"frame\":$fn[0],\"at\":0}");
            $comma = $fiber > 0 ? '' : ',';
            foreach ($timeline->events($fiber) as [$begins, $call, $at]) {
                $type = $begins ? 'O' : 'C';
                $out->write("$comma{\"type\":\"$type\",\"frame\":{$fn[$timeline->node[$call]]},\"at\":$at}");
                $comma = ',';
            }
            $out->write($fiber > 0 ? '' : ",{\"type\":\"C\",\"frame\":$fn[0],\"at\":$timeline->duration}");
            $out->write("]},\n");
        }
    }

    private static function evented(CallTree $tree, ExportColumn $column, Sink $out): void
    {
        $out->write(sprintf(
            '{"type":"evented","name":%s,"unit":"%s","startValue":0,"endValue":%d,"events":[',
            Utf8Names::json(self::profileName($column)),
            self::UNITS[$column->unit],
            TreeWalk::length($column->values),
        ));
        $comma = '';
        foreach (TreeWalk::events($tree, $column->values) as [$type, $node, $at]) {
            $out->write("$comma{\"type\":\"$type\",\"frame\":{$tree->fn[$node]},\"at\":$at}");
            $comma = ',';
        }
        $out->write(']}');
    }

    private static function sampled(SampleColumns $samples, Sink $out): void
    {
        $name = Utf8Names::json(self::metricName($samples->metric));
        $out->write('{"type":"sampled","name":' . $name . ',"unit":"microseconds","startValue":0,"endValue":');
        // The interval is not of the format: speedscope ignores it.
        $out->write($samples->duration() . ",\"interval\":$samples->interval,\"samples\":[");
        foreach ($samples->stack as $i => $stack) {
            $frames = [];
            for (; $stack >= 0; $stack = $samples->parent[$stack]) {
                $frames[] = $samples->fn[$stack];
            }
            $out->write(($i > 0 ? ',[' : '[') . implode(',', array_reverse($frames)) . ']');
        }
        $out->write('],"weights":[');
        foreach ($samples->t as $i => $weight) {
            $out->write(($i > 0 ? ',' : '') . $weight);
        }
        $out->write(']}');
    }
}
