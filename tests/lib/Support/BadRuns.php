<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

/** One run for each way in which a file of a run can be wrong, to be put beside good ones. */
final class BadRuns
{
    public const SOURCE = 'bad';

    /**
     * @return list<string> ids of the runs
     */
    public static function into(string $folder): array
    {
        $ids = [];
        $good = serialize(Runs::small());
        foreach (self::runFiles() as $bytes) {
            $ids[] = $id = sprintf('bad%02d', count($ids));
            file_put_contents("$folder/$id.bad.xhprof", $bytes);
        }
        foreach (['meta.json', 'tree.json', 'samples.json', 'memory.json', 'label.json'] as $kind) {
            foreach (self::jsonFiles() as $bytes) {
                $ids[] = $id = sprintf('bad%02d', count($ids));
                file_put_contents("$folder/$id.bad.xhprof", $kind === 'samples.json' ? self::samples('f') : $good);
                file_put_contents("$folder/$id.bad.$kind", $bytes);
            }
        }
        foreach (['xhprof', 'meta.json', 'tree.json', 'samples.json', 'memory.json', 'label.json'] as $kind) {
            foreach (self::others() as $make) {
                $ids[] = $id = sprintf('bad%02d', count($ids));
                if ($kind !== 'xhprof') {
                    file_put_contents("$folder/$id.bad.xhprof", $good);
                }
                $make("$folder/$id.bad.$kind");
            }
        }

        return $ids;
    }

    /** @return list<string> */
    private static function runFiles(): array
    {
        $files = ['', "\0", 'a:0:{}', 'b:0;', 'N;', 'i:5;', '{"a":1}', 'a:2000000000:{', "\x1f\x8b\x08\x00", '<?php'];
        foreach (['0', '12', '-7', '', '0@1', '@1', "\0", "f\ng", 'main()==>', '==>', '1.5'] as $name) {
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
