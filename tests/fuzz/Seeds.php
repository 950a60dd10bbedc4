<?php

declare(strict_types=1);

namespace XHProf\Tests\Fuzz;

use XHProf\Export\Formats;
use XHProf\File\Sink;
use XHProf\Run\RunId;
use XHProf\Store\Label;
use XHProf\Store\RunFolder;

/** Runs that this PHP saves now, by the extension and by the library. */
final class Seeds
{
    private function __construct()
    {
    }

    /**
     * @return list<array<string, string>> ending => bytes of its file, for each run: as it is saved, and as PECL's file
     */
    public static function runs(string $folder): array
    {
        $runs = [];
        foreach (self::ids($folder) as $id) {
            $classic = serialize((new RunFolder($folder))->open(RunId::fromStrings($id, 'seed'))->profile()->recorded()->edges());
            $files = [];
            foreach (glob("$folder/$id.seed.*") ?: [] as $file) {
                $files[substr(basename($file), strlen("$id.seed."))] = (string) file_get_contents($file);
                unlink($file);
            }
            array_push($runs, $files, [RunId::CLASSIC => $classic] + array_diff_key($files, [RunId::RUN => 0]));
        }

        return $runs;
    }

    /**
     * @return list<string> a run in each format that can be written
     */
    public static function exports(string $folder): array
    {
        $all = [];
        foreach (self::ids($folder) as $id) {
            $store = new RunFolder($folder);
            $run = RunId::fromStrings($id, 'seed');
            foreach (Formats::all() as $format) {
                $text = '';
                $sink = Sink::toText($text);
                $format->write($store->open($run), $sink);
                $sink->end();
                $all[] = $text;
            }
            array_map(unlink(...), glob("$folder/$id.seed.*") ?: []);
        }

        return $all;
    }

    /** @return list<string> ids of the runs that it saves: exact with memory, with allocations, with a timeline, sampled */
    private static function ids(string $folder): array
    {
        putenv("XHPROF_OUTPUT_DIR=$folder");
        $ids = [];
        $timeline = XHPROF_FLAGS_TIMELINE | XHPROF_FLAGS_MEMORY;
        foreach ([XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY, XHPROF_FLAGS_ALLOC, $timeline, -1] as $flags) {
            $options = $flags === $timeline ? ['timeline_threshold' => 0] : [];
            $flags < 0 ? xhprof_sample_enable(['interval' => 1000, 'lines' => true]) : xhprof_enable($flags, $options);
            $kept = work($flags < 0 ? 12 : 6);
            // An operation, in a trace, a fiber and a collection of garbage.
            xhprof_context(str_repeat('4bf92f35', 4), '00f067aa0ba902b7');
            $fiber = new \Fiber(static fn (): bool => \Fiber::suspend(file_get_contents(__FILE__)) === null);
            $fiber->start();
            gc_collect_cycles();
            usleep(3000);
            xhprof_context(null, null);
            $fiber->resume();
            $flags < 0 ? xhprof_sample_disable() : xhprof_disable();
            $ids[] = $id = xhprof_save('seed', ['url' => '/a/b?c=1', 'method' => 'GET', 'kept' => count($kept)]);
            $label = Label::fromInput(false, ['a', 'b'], "a note\nof two lines");
            (new RunFolder($folder))->setLabel(RunId::fromStrings($id, 'seed'), $label);
        }

        return $ids;
    }
}

/**
 * Calls, recursion, memory that stays.
 *
 * @return list<mixed>
 */
function work(int $depth): array
{
    return $depth === 0 ? [str_repeat('x', 1000), new \ArrayObject()] : [...work($depth - 1), strrev((string) $depth), ...array_map(
        static fn (int $n): string => md5((string) $n),
        range(1, $depth),
    )];
}
