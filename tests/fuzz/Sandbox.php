<?php

declare(strict_types=1);

namespace XHProf\Tests\Fuzz;

/** A folder for runs, surrounded by files that nothing may read or change. */
final class Sandbox
{
    private const SECRET = 'SECRET-OF-THE-FILE-BESIDE';

    public readonly string $runs;

    public function __construct(public readonly string $folder)
    {
        $this->runs = "$folder/runs";
        mkdir($this->runs, 0700, true);
        mkdir("$folder/cache", 0700);
        file_put_contents("$folder/beside.xhprof", self::SECRET);
        putenv("XDG_CACHE_HOME=$folder/cache");
    }

    /** @return list<string> surrounding files that an answer contains, or that have changed */
    public function broken(string $answer): array
    {
        $wrong = [];
        foreach ([self::SECRET, $this->folder, dirname(__DIR__, 2) . '/xhprof'] as $text) {
            if (str_contains($answer, $text)) {
                $wrong[] = "the answer has $text in it";
            }
        }
        $names = array_values(array_diff((array) scandir($this->folder), ['.', '..']));
        if ($names !== ['beside.xhprof', 'cache', 'runs'] || file_get_contents("$this->folder/beside.xhprof") !== self::SECRET) {
            $wrong[] = 'something beside the run folder has changed: ' . implode(' ', $names);
        }

        return $wrong;
    }

    /** Removes all files of a run. */
    public function clear(string $id): void
    {
        foreach (glob("$this->runs/$id.*") ?: [] as $file) {
            unlink($file);
        }
    }
}
