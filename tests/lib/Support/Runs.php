<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

/**
 * Runs whose figures were worked out by hand.
 */
final class Runs
{
    /**
     * Exclusive wall times: main() 250, a 280, b 260, b@1 50, c 160; together the 1000 of main().
     *
     * @return array<string, array<string, int>>
     */
    public static function small(): array
    {
        return [
            'main()==>a' => ['ct' => 2, 'wt' => 600, 'cpu' => 500, 'mu' => 300, 'pmu' => 200],
            'a==>b' => ['ct' => 4, 'wt' => 200, 'cpu' => 200, 'mu' => 100, 'pmu' => 50],
            'a==>c' => ['ct' => 3, 'wt' => 120, 'cpu' => 110, 'mu' => 20, 'pmu' => 0],
            'main()==>b' => ['ct' => 1, 'wt' => 150, 'cpu' => 140, 'mu' => -50, 'pmu' => 0],
            'b==>b@1' => ['ct' => 1, 'wt' => 90, 'cpu' => 80, 'mu' => 10, 'pmu' => 0],
            'b@1==>c' => ['ct' => 1, 'wt' => 40, 'cpu' => 35, 'mu' => 5, 'pmu' => 0],
            'main()' => ['ct' => 1, 'wt' => 1000, 'cpu' => 900, 'mu' => 500, 'pmu' => 300],
        ];
    }

    /**
     * small() after a change: a is slower by 100, c is not called any more, d is new.
     *
     * @return array<string, array<string, int>>
     */
    public static function changed(): array
    {
        return [
            'main()==>a' => ['ct' => 2, 'wt' => 650, 'cpu' => 520, 'mu' => 300, 'pmu' => 200],
            'a==>b' => ['ct' => 4, 'wt' => 200, 'cpu' => 200, 'mu' => 100, 'pmu' => 50],
            'a==>d' => ['ct' => 7, 'wt' => 70, 'cpu' => 60, 'mu' => 20, 'pmu' => 0],
            'main()==>b' => ['ct' => 1, 'wt' => 110, 'cpu' => 100, 'mu' => -50, 'pmu' => 0],
            'b==>b@1' => ['ct' => 1, 'wt' => 50, 'cpu' => 40, 'mu' => 10, 'pmu' => 0],
            'main()' => ['ct' => 1, 'wt' => 1010, 'cpu' => 880, 'mu' => 500, 'pmu' => 300],
        ];
    }

    /** Bytes that must survive: not UTF-8, NUL, HTML, a quote, a backslash. */
    public const NASTY = "<img src=x onerror=alert(1)>\"'\\\xFF\xFE\0&amp;";

    /**
     * @return array<string, array<string, int>> a run of one function with a nasty name
     */
    public static function nasty(): array
    {
        return [
            'main()==>' . self::NASTY => ['ct' => 1, 'wt' => 60],
            self::NASTY . '==>strlen' => ['ct' => 2, 'wt' => 20],
            'main()' => ['ct' => 1, 'wt' => 100],
        ];
    }

    /**
     * @return array<string, array<string, int>> that many distinct edges, over about a quarter as many functions
     */
    public static function large(int $edges): array
    {
        $run = ['main()' => ['ct' => 1, 'wt' => 10000000, 'cpu' => 9000000, 'mu' => 1000, 'pmu' => 2000]];
        $functions = intdiv($edges, 4);
        for ($i = 0; count($run) < $edges; $i++) {
            $round = intdiv($i, $functions);
            $caller = $round === 0 ? 'main()' : 'App\\Some\\Space\\Service' . ($i * 7919 % $functions) . '::handle';
            $run["$caller==>App\\Some\\Space\\Service" . (($i + $round * 977) % $functions) . '::handle'] = [
                'ct' => 1 + $i % 5,
                'wt' => 10 + $i % 90,
                'cpu' => 9 + $i % 80,
                'mu' => $i % 3 - 1,
                'pmu' => $i % 2,
            ];
        }

        return $run;
    }
}
