<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use XHProf\Run\RunFile;
use XHProf\Run\RunFileWriter;
use XHProf\Run\RunId;

/**
 * How a saved run is stored: the tests read, write and damage runs through this class only. A run is one file of documents, each an
 * array: "meta", "tree", "samples", "timeline", "memory", "operations", "exemplars", "edges". Runs are named "ID.SOURCE".
 *
 * @phpstan-type Documents array<string, array<mixed>>
 */
final class RunFiles
{
    private function __construct()
    {
    }

    /** @return string the name of its file */
    public static function file(RunId|string $run): string
    {
        return "$run.run";
    }

    public static function path(string $folder, RunId|string $run): string
    {
        return "$folder/" . self::file($run);
    }

    /** @return string the name of a file that PECL's library wrote */
    public static function classicFile(RunId|string $run): string
    {
        return "$run.xhprof";
    }

    /**
     * @param string|null $source null: of all
     *
     * @return list<string> the runs of the folder, sorted
     */
    public static function runs(string $folder, ?string $source = null): array
    {
        $runs = [];
        foreach (['run', 'xhprof'] as $kind) {
            foreach (glob("$folder/*" . ($source === null ? '' : ".$source") . ".$kind") ?: [] as $file) {
                $runs[] = basename($file, ".$kind");
            }
        }
        sort($runs);

        return array_values(array_unique($runs));
    }

    /**
     * Saves a run, as the extension does: what was there of this name is replaced.
     *
     * @param Documents $documents
     */
    public static function write(string $folder, RunId|string $run, array $documents): void
    {
        file_put_contents(self::path($folder, $run), RunFileWriter::bytes($documents));
    }

    /**
     * Adds documents to a run, or replaces them; a run that is not there is made. A run with a call tree has no edges.
     *
     * @param Documents $documents
     */
    public static function put(string $folder, RunId|string $run, array $documents): void
    {
        $all = $documents + self::documents($folder, $run);
        self::write($folder, $run, isset($all['tree']) ? array_diff_key($all, ['edges' => 1]) : $all);
    }

    /**
     * Writes a run as PECL's library does: a serialized array of edges or of samples.
     *
     * @param int|null $time seconds since 1970 at which it was written; null: now
     */
    public static function classic(string $folder, RunId|string $run, mixed $data, ?int $time = null): void
    {
        $file = "$folder/" . self::classicFile($run);
        file_put_contents($file, serialize($data));
        $time === null || touch($file, $time);
    }

    /** @return array<mixed>|null null if the run has none */
    public static function document(string $folder, RunId|string $run, string $document): ?array
    {
        return self::documents($folder, $run)[$document] ?? null;
    }

    /** @return Documents none if there is no such run */
    public static function documents(string $folder, RunId|string $run): array
    {
        if (!is_file(self::path($folder, $run))) {
            return [];
        }
        $file = RunFile::open(self::path($folder, $run));

        return array_combine($file->documents(), array_map($file->document(...), $file->documents()));
    }

    /** @param \Closure(array<mixed>): array<mixed> $change gets the document and returns the new one */
    public static function change(string $folder, RunId|string $run, string $document, \Closure $change): void
    {
        self::put($folder, $run, [$document => $change(self::document($folder, $run, $document) ?? [])]);
    }

    public static function remove(string $folder, RunId|string $run, string ...$documents): void
    {
        self::write($folder, $run, array_diff_key(self::documents($folder, $run), array_flip($documents)));
    }

    /** Writes a text into the head instead of a document: one that is no JSON damages the whole run. */
    public static function damage(string $folder, RunId|string $run, string $document, string $json): void
    {
        self::remove($folder, $run, $document);
        $file = self::path($folder, $run);
        $change = static fn (string $head): string => "{\"$document\":$json," . substr($head, 1);
        file_put_contents($file, self::withHead((string) file_get_contents($file), $change));
    }

    /**
     * @param string                    $bytes  of a run file
     * @param \Closure(string): string $change gets the JSON of the head and returns another
     */
    public static function withHead(string $bytes, \Closure $change): string
    {
        [$line, $rest] = explode("\n", $bytes, 2);
        $end = (int) explode(' ', $line)[2];
        $json = $change(rtrim(substr($rest, 0, $end - strlen($line) - 1)));
        // With room for the first line.
        $length = intdiv(strlen($json) + 40, 8) * 8;

        return str_pad("xhprof-run 1 $length\n$json", $length - 1) . "\n" . substr($bytes, $end);
    }

    /**
     * @param string                              $bytes    of a run file
     * @param array<string, array<string, mixed>> $sections what its head says of sections: members that replace others
     */
    public static function withSections(string $bytes, array $sections): string
    {
        return self::withHead($bytes, static function (string $json) use ($sections): string {
            $head = json_decode($json, true, 512, JSON_THROW_ON_ERROR);
            foreach ($sections as $name => $section) {
                $head['sections'][$name] = $section + ($head['sections'][$name] ?? []);
            }

            return json_encode($head, JSON_THROW_ON_ERROR);
        });
    }

    /** Makes a column as long as that, of zeros that take no room on the disk. */
    public static function enlarge(string $folder, RunId|string $run, string $column, int $n): void
    {
        $bytes = (string) file_get_contents(self::path($folder, $run));
        $end = strlen($bytes) - (int) explode(' ', substr($bytes, 0, 64))[2];
        $bytes = self::withSections($bytes, [$column => ['type' => 'u32', 'at' => $end, 'n' => $n]]);
        file_put_contents(self::path($folder, $run), $bytes);
        $file = fopen(self::path($folder, $run), 'r+b') ?: throw new \RuntimeException("the run $run cannot be opened");
        fseek($file, 4 * $n, SEEK_END);
        ftruncate($file, max(0, (int) ftell($file)));
        fclose($file);
    }

    /** Cuts the end of a file off. */
    public static function cut(string $folder, RunId|string $run, int $bytes): void
    {
        $file = self::path($folder, $run);
        file_put_contents($file, substr((string) file_get_contents($file), 0, -$bytes));
    }

    /** Saves a run under another name too; its metadata names the first. */
    public static function copy(string $folder, RunId|string $run, RunId|string $copy): void
    {
        copy(self::path($folder, $run), self::path($folder, $copy));
    }

    /** Removes what there is of the run. */
    public static function delete(string $folder, RunId|string $run): void
    {
        foreach (RunId::KINDS as $kind) {
            $file = "$folder/$run.$kind";
            is_file($file) && unlink($file);
        }
    }
}
