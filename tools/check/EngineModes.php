<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** The modes in which check-engine-all runs the engine's own tests. */
final class EngineModes
{
    private const EXACT = 'xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY);';
    /** All that an exact profile can record, operations included, which are on by default. */
    public const EVERYTHING = 'xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_ALLOC | XHPROF_FLAGS_TIMELINE, '
        . "['timeline_threshold' => 0]);";

    /**
     * Prepended to each test, without the extension too. It makes no object, because objects are numbered. Sampling is refused
     * where opcache.jit is "function", with a warning and a line in the log; the test must not see them.
     */
    private const ALL = [
        'exact' => [self::EXACT, []],
        'everything' => [self::EVERYTHING, ['xhprof.operation_values=1']],
        'walk' => [self::EXACT, ['xhprof.hooks=walk']],
        'alloc' => ['xhprof_enable(XHPROF_FLAGS_ALLOC);', []],
        'sampled' => ["@xhprof_sample_enable(['interval' => 100]);\n    error_clear_last();", []],
        'aggregated' => ['', [
            'xhprof.start_with_request=yes', 'xhprof.mode=aggregate', 'xhprof.sampling_interval=100',
            'xhprof.output_dir={folder}/runs', 'error_log={folder}/log',
        ]],
        'heap' => ["register_shutdown_function('xhprof_engine_heap');", []],
        'jit' => [self::EXACT, []],
    ];

    /** @return list<string> */
    public static function names(): array
    {
        return array_keys(self::ALL);
    }

    /**
     * @param string $folder of the logs
     * @return list<string> INI settings of the mode, besides those of its run without the profiler
     */
    public static function settings(string $mode, string $folder): array
    {
        return str_replace('{folder}', $folder, self::ALL[$mode][1]);
    }

    /** The run without the profiler to compare the mode with. */
    public static function plain(string $mode): string
    {
        return $mode === 'jit' ? 'plain-jit' : 'plain';
    }

    /** @return list<string> INI settings of a run without the profiler */
    public static function plainSettings(string $plain): array
    {
        return $plain === 'plain-jit' ? Opcache::jit() : [];
    }

    /** The file to prepend. */
    public static function prepended(string $mode, string $folder): string
    {
        $heap = $mode === 'heap' ? strtr(<<<'PHP'
            function xhprof_engine_heap(): void
            {
                // What is over, or may not write, has no snapshot; nor does the test see that there is none.
                if (extension_loaded('xhprof') && error_get_last() === null && ini_get('open_basedir') === '') {
                    @xhprof_heap_snapshot('{file}' . getmypid() . '.jsonl');
                    @unlink('{file}' . getmypid() . '.jsonl');
                    error_clear_last();
                }
            }
            PHP, ['{file}' => "$folder/heap-"]) . "\n" : '';
        $begin = self::ALL[$mode][0];
        return "<?php\n$heap" . ($begin === '' ? '' : "if (extension_loaded('xhprof')) {\n    $begin\n}\n");
    }
}
