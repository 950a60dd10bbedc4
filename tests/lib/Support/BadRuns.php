<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use XHProf\Run\RunFileWriter;

require_once __DIR__ . '/RunFiles.php';
require_once __DIR__ . '/Runs.php';

/** One run for each way in which a file of a run can be wrong, to be put beside good ones. */
final class BadRuns
{
    public const SOURCE = 'bad';

    /** That no function has. */
    private const NAMES = ['0', '12', '-7', '', '0@1', '@1', "\0", "f\ng", 'main()==>', '==>', '1.5'];

    private function __construct()
    {
    }

    /**
     * @return list<string> ids of the runs
     */
    public static function into(string $folder): array
    {
        $ids = [];
        $next = static function () use (&$ids): string {
            $ids[] = $id = sprintf('bad%03d', count($ids));

            return "$id." . self::SOURCE;
        };
        foreach (self::classicFiles() as $bytes) {
            file_put_contents("$folder/" . RunFiles::classicFile($next()), $bytes);
        }
        foreach (self::runFiles() as $bytes) {
            file_put_contents(RunFiles::path($folder, $next()), $bytes);
        }
        foreach (['meta', 'tree', 'samples', 'memory'] as $document) {
            foreach (self::jsonFiles() as $json) {
                $run = $next();
                RunFiles::write($folder, $run, self::documents());
                RunFiles::damage($folder, $run, $document, $json);
            }
        }
        foreach (self::jsonFiles() as $json) {
            $run = $next();
            RunFiles::write($folder, $run, self::documents());
            file_put_contents("$folder/$run.label.json", $json);
        }
        foreach (self::others() as $make) {
            $make(RunFiles::path($folder, $next()));
            $make("$folder/" . RunFiles::classicFile($next()));
            $run = $next();
            RunFiles::write($folder, $run, self::documents());
            $make("$folder/$run.label.json");
        }

        return $ids;
    }

    /** @return array<string, array<string, mixed>> those of a run that is good */
    private static function documents(): array
    {
        $tree = ['names' => ['main()', 'f'], 'fn' => [0, 1], 'depth' => [0, 1], 'ct' => [1, 2], 'self' => ['wt' => [3000, 2000]]];

        return [
            'meta' => ['v' => 1, 'ts' => 1763680000.5, 'totals' => ['wt' => 5]],
            'tree' => $tree,
            'samples' => [
                'interval_us' => 1000, 'clock' => 'wall', 'start_us' => 1, 't' => [0, 1], 'n' => [1, 2], 'node' => [0, 1],
            ],
        ];
    }

    /** @return list<string> */
    private static function classicFiles(): array
    {
        $files = ['', "\0", 'a:0:{}', 'b:0;', 'N;', 'i:5;', '{"a":1}', 'a:2000000000:{', "\x1f\x8b\x08\x00", '<?php'];
        foreach (self::NAMES as $name) {
            // Invalid names, of each kind of run.
            array_push(
                $files,
                self::samples($name),
                serialize(['main()' => ['ct' => 1, 'wt' => 5], "main()==>$name" => ['ct' => 1, 'wt' => 3]]),
                serialize([$name => ['ct' => 1, 'wt' => 5], "$name==>f" => ['ct' => 1, 'wt' => 3]]),
            );
        }
        foreach ([PHP_INT_MAX, PHP_INT_MIN, -1, 1.5, INF, NAN, 'x', null, true, [1]] as $figure) {
            $files[] = serialize(['main()' => ['ct' => $figure, 'wt' => 1]]);
            $files[] = serialize(['main()' => ['ct' => 1, 'wt' => $figure]]);
        }

        return [...$files, serialize(['0.0' => 'f', '999999999999.9' => 'f']), serialize(['main()' => ['ct' => 1, 0 => 1]])];
    }

    /** @return list<string> */
    private static function runFiles(): array
    {
        $documents = self::documents();
        $good = RunFileWriter::bytes($documents);
        $files = [
            '', "\0", 'xhprof-run 1 ', "xhprof-run 2 64\n", "xhprof-run 1 64\n", str_repeat("\0", 1000), serialize(Runs::small()),
            substr($good, 0, 200), substr($good, 0, -8), str_replace("\n{", "\n[", $good), substr_replace($good, '9', 13, 1),
        ];
        foreach (self::NAMES as $name) {
            $files[] = RunFileWriter::bytes(['tree' => ['names' => ['main()', $name]] + $documents['tree']] + $documents);
        }
        $columns = [
            ['fn' => [0, 2]], ['fn' => [0, -1]], ['fn' => [0, 1, 1]], ['fn' => []], ['depth' => [0, 2]], ['depth' => [1, 1]],
            ['ct' => [1, -2]], ['ct' => [1, 1 << 53]], ['self' => ['wt' => [1, -(1 << 53)]]], ['self' => ['wt' => [1]]],
            ['self' => 5], ['self' => ['<b>' => [1, 2]]], ['names' => []], ['names' => ['main()']], ['names' => 'f'], ['fn' => 'x'],
        ];
        foreach ($columns as $other) {
            $files[] = RunFileWriter::bytes(['tree' => $other + $documents['tree']] + $documents);
        }
        $sections = [
            ['at' => 1 << 40], ['at' => 4], ['at' => -8], ['n' => 1 << 31], ['n' => -1], ['type' => 'u64'], ['type' => 'f64'],
            ['type' => 'text', 'bytes' => 1 << 40], ['type' => 'same', 'value' => 0, 'n' => 1 << 31],
        ];
        foreach ($sections as $other) {
            $files[] = RunFiles::withSections($good, ['tree.fn' => $other]);
        }

        return $files;
    }

    /** @return list<string> */
    private static function jsonFiles(): array
    {
        $two = [1, 1];
        $tree = ['v' => 1, 'names' => ['main()', '12'], 'fn' => [0, 1], 'depth' => [0, 1], 'ct' => $two, 'self' => ['wt' => $two]];
        $odd = ['ts' => [], 'totals' => 5, 'url' => 5, 'tags' => 'x', 'pinned' => [], 'aggregate' => 5, 'routes' => [[]]];

        return ['', '{', '[]', '5', "\0", "\"\xFF\"", str_repeat('[', 2000), json_encode($tree) ?: '', json_encode($odd) ?: '',
            str_repeat(' ', 2 << 20), '{"ts":1e999,"totals":{"wt":1e999},"samples":-5,"t":[],"n":[0],"node":[9],"names":[""]}'];
    }

    /** @return list<\Closure(string): mixed> make entries that are not regular files of the folder */
    private static function others(): array
    {
        return [
            static fn (string $file): bool => posix_mkfifo($file, 0600),
            static fn (string $file): bool => symlink('/etc/passwd', $file),
            static fn (string $file): bool => symlink('/dev/zero', $file),
            static fn (string $file): bool => symlink($file, $file),
            static fn (string $file): bool => symlink('nothing', $file),
        ];
    }

    private static function samples(string $name): string
    {
        return serialize(['1700000000.5' => "main()==>$name", '1700000001.5' => "main()==>$name==>$name==>f"]);
    }
}
