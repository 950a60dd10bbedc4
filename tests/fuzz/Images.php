<?php

declare(strict_types=1);

namespace XHProf\Tests\Fuzz;

use RuntimeException;

/** Copies of a process's memory with changed words: xhprof-inspect ends with an exit code of its own, never by a signal. */
final class Images implements Target
{
    private const CODES = [0, 5, 6, 7, 10, 11, 12];

    private readonly string $inspect;
    private readonly string $seed;

    public function __construct(private readonly Sandbox $sandbox)
    {
        $this->inspect = dirname(__DIR__, 2) . '/extension/modules/xhprof-inspect';
        $seed = "$sandbox->folder/cache/seed.image";
        $code = '$kept = [1 => "text", "a" => new ArrayObject([1, 2.5, null]), "f" => fn () => 5]; $kept["self"] = &$kept;'
            . ' echo "ready\n"; fgets(STDIN);';
        $process = proc_open([PHP_BINARY, '-n', '-r', $code], [['pipe', 'r'], ['pipe', 'w']], $pipes);
        if ($process === false || fgets($pipes[1]) !== "ready\n") {
            throw new RuntimeException('no process to take an image of');
        }
        [$status, $output] = $this->run(['image', '-p', (string) proc_get_status($process)['pid'], '-o', $seed]);
        fclose($pipes[0]);
        proc_close($process);
        if ($status !== 0) {
            throw new RuntimeException("no image: $output");
        }
        $this->seed = (string) file_get_contents($seed);
    }

    public function attempt(Chance $chance): array
    {
        $image = $this->seed;
        $length = strlen($image);
        for ($left = $chance->number(1, 40); $left > 0; $left--) {
            // Pointers and lengths are at multiples of 8; the beginning is the table of contents.
            $at = $chance->once(6) ? $chance->number(0, min(4096, $length - 9)) : $chance->number(0, intdiv($length, 8) - 2) * 8;
            $word = match ($chance->number(1, 4)) {
                1 => $chance->bytes(8),
                2 => substr($image, $chance->number(0, intdiv($length, 8) - 2) * 8, 8),
                3 => pack('P', $chance->one([0, 1, -1, PHP_INT_MAX, 1 << 32, 0x7fffffff])),
                default => chr($chance->number(0, 255)) . substr($image, $at + 1, 7), // somewhere near
            };
            $image = substr_replace($image, $word, $at, 8);
        }
        if ($chance->once(8)) {
            $image = substr($image, 0, $chance->number(0, $length));
        }
        $file = "{$this->sandbox->folder}/cache/changed.image";
        file_put_contents($file, $image);
        [$status, $output] = $this->run(['memory', "--image=$file", '-o', "$file.out"]);

        return in_array($status, self::CODES, true) ? [] : ["xhprof-inspect memory ended with $status: $output"];
    }

    /**
     * @param list<string> $arguments
     * @return array{int, string} exit code, or 128 and the signal; its output
     */
    private function run(array $arguments): array
    {
        return Child::run([$this->inspect, ...$arguments]);
    }
}
