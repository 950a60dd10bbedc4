<?php

declare(strict_types=1);

namespace XHProf\Import;

/**
 * Lists the formats that cannot be imported: how each is recognized, what it is, and what to do with such a file. One line per
 * format. A format that is like that of a reader is listed there: Reader::OTHERS. No reader recognizes any of these files.
 */
final class UnsupportedFormats
{
    /** Expression, what it is, what to do: see UnsupportedFormat. */
    private const ALL = [
        // Packed.
        ['/\A\x28\xB5\x2F\xFD/', 'a file that zstd has packed', 'unpack it with zstd -d'],
        ['/\A\xFD7zXZ\0/', 'a file that xz has packed', 'unpack it with xz -d'],
        ['/\ABZh[1-9]1AY/', 'a file that bzip2 has packed', 'unpack it with bzip2 -d'],
        ['/\APK\x03\x04/', 'a ZIP archive', 'unpack it, and import what is in it'],
        ['/\A.{257}ustar/s', 'a tar archive', 'unpack it, and import what is in it'],

        // PHP's own, of runs or anything else.
        [
            '/\A\0\0\0[\x01\x02][\x00-\x1F]/',
            'data that igbinary has packed',
            'read it with igbinary_unserialize(), write it with serialize()',
        ],
        ['/\A\s*(?:array \(|\[)\R\s*\'.*\' =>/', 'the output of var_export()', 'write it with json_encode() or serialize()'],
        ['/\A\s*Array\s*\R\s*\(\R\s*\[/', 'the output of print_r()', 'write it with json_encode() or serialize()'],
        ['/\A\s*array\([0-9]+\) \{\R\s*\[/', 'the output of var_dump()', 'write it with json_encode() or serialize()'],

        // XHProf's own.
        ['/\A\{"xhprof_heap":/', 'a heap snapshot of XHProf', 'bin/xhprof heap reads it'],

        // Linux and other systems.
        ['/\APERFILE2/', 'a recording of perf', 'perf script -i FILE | stackcollapse-perf.pl makes folded stacks of it'],
        [
            '/^\S.*\s[0-9]+(?:\/[0-9]+)?\s+(?:\[[0-9]+\]\s+)?[0-9]+\.[0-9]+:.*:.*\R[ \t]+[0-9a-f]+ /m',
            'the output of perf script',
            'pipe it through stackcollapse-perf.pl, and import that',
        ],
        ['/^# (?:Overhead|Samples: |event : name)/m', 'a report of perf', 'import folded stacks of its perf script'],
        [
            '/^\s+\S+`\S+(?:\+0x[0-9a-f]+)?\R(?:\s+\S+`\S+.*\R)*\s+[0-9]+\s*$/m',
            'the output of DTrace',
            'pipe it through stackcollapse.pl, and import that',
        ],
        [
            '/\A(?:Running Time|Weight)\t+Self/',
            'a call tree copied from Instruments',
            'stackcollapse-instruments.pl makes folded stacks of it',
        ],
        ['/^Call graph:\R/m', "the output of macOS' sample", 'stackcollapse-sample.awk makes folded stacks of it'],

        // PHP.
        [
            '/\A\s*\{\s*"header"\s*:\s*\{\s*"memory_usage"/',
            'a heap dump of php-meminfo',
            'bin/xhprof heap reads snapshots of XHProf',
        ],

        // Other languages.
        ['/\AFLR\0/', 'a flight recording of Java', 'it has no PHP; its stacks can be imported as folded ones'],
        ['/\AJAVA PROFILE 1\.0/', 'a heap dump of Java', 'there is nothing to import'],
        [
            '/\A[\x7B\xFB](?:[\x29\xA9]\x03|[\x28\xA8]\x03\0\0\0)/',
            "a profile of Python's cProfile",
            'pyprof2calltree -o FILE makes a callgrind file of it',
        ],
        ['/\A\x04\x08[\{I]/', "stackprof's recording", 'stackprof --stackcollapse makes folded stacks of it'],
        [
            '/\A\s*\{\s*"version"\s*:\s*[0-9.]+\s*,\s*"mode"\s*:\s*"(?:wall|cpu|object|custom)"/',
            "stackprof's JSON",
            'stackprof --stackcollapse makes folded stacks of its recording',
        ],
        ['/\Ago 1\.[0-9]+ trace\0/', 'an execution trace of Go', 'go tool trace -pprof=TYPE makes a pprof file of it'],
        ['/\Agmon/', 'a recording of gprof', 'gprof2dot reads it'],
        ['/^(?:Flat profile:|Each sample counts as )/m', 'the output of gprof', 'gprof2dot reads it'],
        ['/\ANettrace/', 'a trace of .NET', 'dotnet-trace convert --format Speedscope makes a file that can be imported'],

        // Browsers and Node.
        [
            '/\A\s*\{\s*"snapshot"\s*:\s*\{\s*"meta"/',
            'a heap snapshot of Chrome or Node',
            'the browser reads it; bin/xhprof heap reads snapshots of XHProf',
        ],
        ['/\A\s*\{\s*"head"\s*:\s*\{\s*"callFrame"/', 'a heap profile of Chrome or Node', 'speedscope.app reads it'],
        [
            '/\A\s*\{\s*"nodes"\s*:\s*\[\s*\{\s*"id"\s*:\s*[0-9]+\s*,\s*"callFrame"/',
            'a CPU profile of Chrome or Node',
            'open it in speedscope.app, export it from there, and import that',
        ],
        [
            '/\A\s*(?:\{[^\[]*"traceEvents"\s*:\s*\[|\[\s*\{(?=[^}]*"ph"\s*:)(?=[^}]*"(?:ts|pid)"\s*:))/',
            'a trace of Chrome or Perfetto',
            'open it in speedscope.app, export it from there, and import that',
        ],
        [
            '/\A\s*\{\s*"meta"\s*:\s*\{(?=.*"(?:processType|startTime)"\s*:)(?=.*"(?:libs|threads|stackwalk)"\s*:)/s',
            'a profile of Firefox',
            'open it in speedscope.app, export it from there, and import that',
        ],
        ['/\A\s*\{\s*"(?:version|recording)"\s*:.{0,200}"recording"\s*:/s', 'a timeline of Safari', 'speedscope.app reads it'],

        // Stores.
        ['/\ASQLite format 3\0/', 'an SQLite database', 'export the runs from it as JSON'],
        ['/\A.{4}(?:\x07|\x02)_id\0/s', "mongodump's BSON", 'mongoexport writes the JSON that can be imported'],
        ['/\A\s*\{\s*"resource(?:Profiles|Spans)"\s*:/', 'data of OpenTelemetry', 'import the pprof file of that profile'],

        // Documents.
        ['/\A\s*<\?php\b/', 'a PHP file', 'bin/xhprof run profiles it'],
        [
            '/\A\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE svg[^>]*>\s*)?<svg\b/i',
            'a drawing',
            'import the folded stacks that it was made of',
        ],
        ['/\A\s*(?:<!--.*?-->\s*)?<(?:!doctype html|html)\b/is', 'a page in HTML', 'import what it was made of'],
        [
            // Folded stacks end in a number.
            '/\A(?!.*[ \t]-?[0-9.]+(?:[eE][+-]?[0-9]+)?\s*\R)'
                . '"?[A-Za-z][A-Za-z0-9 _().%-]*"?(?:[,;\t]"?[A-Za-z][A-Za-z0-9 _().%\/-]*"?)+\R/',
            'a table (CSV)',
            'it has no calls; import the run that it was made of',
        ],
    ];

    /** @return list<UnsupportedFormat> a file is of one of them at most */
    public static function all(): array
    {
        $others = array_map(static fn (Reader $reader): array => $reader::OTHERS, array_values(Readers::all()));

        return array_map(
            static fn (array $format): UnsupportedFormat => new UnsupportedFormat(...$format),
            array_merge(self::ALL, ...$others),
        );
    }

    /** @param string $head the first bytes of the file */
    public static function recognize(string $head): ?UnsupportedFormat
    {
        foreach (self::all() as $format) {
            if ($format->isOf($head)) {
                return $format;
            }
        }

        return null;
    }
}
