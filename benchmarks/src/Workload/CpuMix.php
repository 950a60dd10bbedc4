<?php

declare(strict_types=1);

namespace XHProf\Bench\Workload;

require_once __DIR__ . '/functions.php';

/** Typical computing code: loops without calls, sorting with a closure, strings, arrays, patterns, objects, recursion. */
final class CpuMix implements Workload
{
    /** @var list<int> kept, so that none of it is for nothing */
    public array $results = [];

    public function run(int $units): int
    {
        for ($i = 0; $i < $units; $i++) {
            $this->results = [
                $this->sieve(5_000),
                $this->mandelbrot(24),
                $this->sort(400),
                $this->words(60),
                $this->matrix(14)->sum(),
                fib(11),
            ];
        }

        return 0;
    }

    private function sieve(int $limit): int
    {
        $composite = [];
        $primes = 0;
        for ($i = 2; $i < $limit; $i++) {
            if (isset($composite[$i])) {
                continue;
            }
            $primes++;
            for ($j = $i * $i; $j < $limit; $j += $i) {
                $composite[$j] = true;
            }
        }

        return $primes;
    }

    private function mandelbrot(int $size): int
    {
        $inside = 0;
        for ($y = 0; $y < $size; $y++) {
            for ($x = 0; $x < $size; $x++) {
                $inside += $this->escapes(3.0 * $x / $size - 2.0, 2.0 * $y / $size - 1.0) ? 0 : 1;
            }
        }

        return $inside;
    }

    private function escapes(float $re, float $im): bool
    {
        [$a, $b] = [$re, $im];
        for ($i = 0; $i < 30; $i++) {
            [$a, $b] = [$a * $a - $b * $b + $re, 2.0 * $a * $b + $im];
            if ($a * $a + $b * $b > 4.0) {
                return true;
            }
        }

        return false;
    }

    private function sort(int $count): int
    {
        $values = [];
        for ($i = 0, $seed = 42; $i < $count; $i++) {
            $seed = ($seed * 1_103_515_245 + 12_345) & 0x7fffffff;
            $values[] = $seed;
        }
        usort($values, static fn(int $a, int $b): int => $a <=> $b);

        return $values[0];
    }

    private function words(int $lines): int
    {
        $count = [];
        for ($i = 0; $i < $lines; $i++) {
            $line = str_repeat("the line $i has Some words, and more of them; ", 3);
            foreach (preg_split('/\W+/', strtolower($line)) ?: [] as $word) {
                $count[$word] = ($count[$word] ?? 0) + strlen($word);
            }
            $joined = implode(',', array_map(ucfirst(...), array_keys($count)));
            $count[substr(md5($joined), 0, 2)] = 1;
        }
        arsort($count);

        return count($count);
    }

    private function matrix(int $size): Counter
    {
        $trace = new Counter();
        for ($i = 0; $i < $size; $i++) {
            for ($j = 0; $j < $size; $j++) {
                for ($k = 0, $sum = 0; $k < $size; $k++) {
                    $sum += ($i + $k) * ($k - $j);
                }
                $trace->add($sum);
            }
        }

        return $trace;
    }
}
