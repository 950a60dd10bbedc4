<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Exception\CannotExport;
use XHProf\File\Sink;
use XHProf\Profile\CallTree;
use XHProf\Profile\SampleColumns;
use XHProf\Profile\Timeline;
use XHProf\Run\Run;

/**
 * Trace events as Chrome's and Perfetto's viewers read them, in microseconds. A sampled run has its real times, and so has
 * one with a timeline; another has none, and is laid out by first call, which the file says. Times have fractions of a
 * microsecond. Calls are begin and end events: with durations, sums of floating point numbers would end beside the end of the
 * caller.
 */
final class ChromeTrace implements Format
{
    public const NAME = 'chrome';
    public const EXTENSION = 'trace.json';
    public const MIME_TYPE = 'application/json';
    public const LABEL = 'Chrome trace';
    public const OPENS = 'ui.perfetto.dev, chrome://tracing and other viewers of trace events; time, or live memory';
    public const NEEDS_PATHS = true;

    private const LAID_OUT = 'not a timeline: every call path once, with all its calls, callees in the order of first calls';
    private const TIMELINE = "a timeline: calls at their times; those shorter than %d ns are part of their callers' time";
    private const SAMPLED = 'a timeline: each sample stands for the time since the one before it';

    public function write(Run $run, Sink $out, ?string $metric = null): void
    {
        if ($run->live() !== null) {
            (new ChromeMemory($run->live(), $run->meta()))->write($out);

            return;
        }
        $tree = ExportColumn::paths($run);
        $isTime = static fn (ExportColumn $column): bool => $column->unit === 'ns';
        $times = array_values(array_filter(ExportColumn::wanted($run, $metric), $isTime));
        $time = $times[0] ?? throw new CannotExport($metric === null
            ? 'a trace shows time, and this run has no times'
            : "a trace shows time, and \"$metric\" is not a time");
        $timeline = $time->key === 'wt' ? $run->timelineThatFits() : null;
        $layout = match (true) {
            $timeline !== null => sprintf(self::TIMELINE, $timeline->threshold),
            $run->samplesThatFit() !== null => self::SAMPLED,
            default => self::LAID_OUT,
        };
        $out->write('{"displayTimeUnit":"ns","metadata":{"exporter":"xhprof","title":' . Utf8Names::json($run->title()));
        $out->write(",\"metric\":\"$time->key\",\"layout\":\"$layout\"");
        foreach ($run->meta()->notes() as $key => $note) {
            $out->write(",\"$key\":" . Utf8Names::data($note));
        }
        $out->write("},\"traceEvents\":[\n");
        $out->write('{"ph":"M","pid":1,"tid":1,"name":"process_name","args":{"name":' . Utf8Names::json($run->title()) . "}},\n");
        $out->write("{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"$layout\"}}");
        if ($timeline !== null) {
            self::calls($timeline, self::places($timeline->tree->names, $run), $out);
        } elseif ($run->samplesThatFit() !== null) {
            self::samples($run->samplesThatFit(), self::places($run->samplesThatFit()->names, $run), $out);
        } else {
            self::flameChart($tree, $time, self::places($tree->names, $run), $out);
        }
        $out->write("\n]}\n");
    }

    /**
     * @param list<string> $names
     *
     * @return list<string> per name the arguments of its events that say where it is, after a comma
     */
    private static function places(array $names, Run $run): array
    {
        $places = ExportColumn::places($run);

        return array_map(static function (int $index) use ($places): string {
            $place = $places->at($index);

            return $place === null ? '' : ',"place":' . Utf8Names::json($place->text());
        }, array_keys($names));
    }

    /** @param list<string> $places */
    private static function flameChart(CallTree $tree, ExportColumn $time, array $places, Sink $out): void
    {
        $names = array_map(Utf8Names::json(...), $tree->names);
        foreach (TreeWalk::events($tree, $time->values) as [$type, $node, $at]) {
            $phase = $type === 'O' ? 'B' : 'E';
            $name = $names[$tree->fn[$node]];
            $out->write(",\n{\"ph\":\"$phase\",\"pid\":1,\"tid\":1,\"cat\":\"php\",\"name\":$name,\"ts\":" . self::us($at));
            // The end has the arguments too: speedscope matches it with its beginning by name and arguments.
            $out->write(",\"args\":{\"calls\":{$tree->ct[$node]},\"self_ns\":{$time->values[$node]}{$places[$tree->fn[$node]]}}}");
        }
    }

    /**
     * A thread per fiber, and one of marks.
     *
     * @param list<string> $places
     */
    private static function calls(Timeline $timeline, array $places, Sink $out): void
    {
        $names = array_map(Utf8Names::json(...), $timeline->tree->names);
        $event = static function (string $phase, int $thread, string $name, int $ns, string $more = '') use ($out): void {
            $out->write(",\n{\"ph\":\"$phase\",\"pid\":1,\"tid\":$thread,\"cat\":\"php\",\"name\":$name,");
            $out->write('"ts":' . self::us($ns) . "$more}");
        };
        $thread = static function (int $thread, string $name) use ($out): void {
            $out->write(",\n{\"ph\":\"M\",\"pid\":1,\"tid\":$thread,\"name\":\"thread_name\",");
            $out->write("\"args\":{\"name\":\"$name\"}}");
        };
        // The end has the arguments too: speedscope matches it with its beginning by name and arguments.
        $arguments = array_map(static fn (string $place): string
            => $place === '' ? '' : ',"args":{' . substr($place, 1) . '}', $places);
        $main = $timeline->tree->fn[0];
        foreach ($timeline->fibers() as $fiber) {
            if ($fiber > 0) {
                $thread($fiber + 1, "fiber $fiber");
            } else {
                $event('B', 1, $names[$main], 0, $arguments[$main]);
            }
            foreach ($timeline->events($fiber) as [$begins, $call, $at]) {
                $fn = $timeline->tree->fn[$timeline->node[$call]];
                $event($begins ? 'B' : 'E', $fiber + 1, $names[$fn], $at, $arguments[$fn]);
            }
            if ($fiber === 0) {
                $event('E', 1, $names[$main], $timeline->duration, $arguments[$main]);
            }
        }
        foreach ($timeline->memory ?? [] as $call => $bytes) {
            $event('C', 1, '"memory"', $timeline->t[$call] + $timeline->d[$call], ",\"args\":{\"bytes\":$bytes}");
        }
        if ($timeline->marks === []) {
            return;
        }
        $marks = max($timeline->fibers()) + 2;
        $thread($marks, 'marks');
        foreach ($timeline->marks as [$start, $lasting, $text]) {
            $event(...$lasting > 0
                ? ['X', $marks, Utf8Names::json($text), $start, ',"dur":' . self::us($lasting)]
                : ['i', $marks, Utf8Names::json($text), $start, ',"s":"p"']);
        }
    }

    /** @param list<string> $places */
    private static function samples(SampleColumns $samples, array $places, Sink $out): void
    {
        $names = array_map(Utf8Names::json(...), $samples->names);
        $now = 0;
        /** @var list<array{int, int, int}> $open stack, since when, samples */
        $open = [];
        $close = static function (int $keep) use (&$open, &$now, $samples, $names, $places, $out): void {
            while (count($open) > $keep && ($left = array_pop($open)) !== null) {
                [$stack, $since, $count] = $left;
                $name = $names[$samples->fn[$stack]];
                $arguments = "{\"samples\":$count{$places[$samples->fn[$stack]]}}";
                self::event($name, (string) $since, (string) ($now - $since), $arguments, $out);
            }
        };
        foreach ($samples->stack as $i => $stack) {
            $path = [];
            for (; $stack >= 0; $stack = $samples->parent[$stack]) {
                $path[] = $stack;
            }
            $path = array_reverse($path);
            $same = 0;
            while (isset($open[$same], $path[$same]) && $open[$same][0] === $path[$same]) {
                $same++;
            }
            $close($same);
            foreach ($open as $level => [$kept, $since, $count]) {
                $open[$level] = [$kept, $since, $count + $samples->samplesAt($i)];
            }
            foreach (array_slice($path, $same) as $opened) {
                $open[] = [$opened, $now, $samples->samplesAt($i)];
            }
            $now += $samples->t[$i];
        }
        $close(0);
    }

    private static function event(string $name, string $ts, string $dur, string $arguments, Sink $out): void
    {
        $out->write(",\n{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"cat\":\"php\",\"name\":$name,");
        $out->write("\"ts\":$ts,\"dur\":$dur,\"args\":$arguments}");
    }

    /** Nanoseconds as microseconds, exactly. */
    private static function us(int $ns): string
    {
        return $ns % 1000 === 0 ? (string) intdiv($ns, 1000) : sprintf('%d.%03d', intdiv($ns, 1000), $ns % 1000);
    }
}
