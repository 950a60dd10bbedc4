<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use XHProf\Profile\EdgeKey;
use XHProf\Store\RunFolder;

/** Runs of one URL over some days, in whose middle something got slower: for comparisons of sets, means and trends. */
final class CompareFixtures
{
    public const SOURCE = 'nightly';
    public const URL = '/orders?page=2';

    /** Runs before and after the change. */
    public const EACH = 5;

    /** Functions that get slower, far beyond the spread; that only spread; that exist after the change only. */
    public const SLOWER = 'PDOStatement::execute';
    public const SPREAD = 'json_decode';
    public const ADDED = 'App\Audit::log';

    /** One run of the ten was made while the machine was busy. */
    public const OUTLIER = 7;

    public static function id(int $run): string
    {
        return sprintf('ab%030x', $run);
    }

    /** @return string ids of the runs from one to another, with commas */
    public static function ids(int $first, int $last): string
    {
        return implode(',', array_map(self::id(...), range($first, $last)));
    }

    public static function build(string $folder): void
    {
        $store = new RunFolder($folder);
        $functions = [];
        foreach (array_keys(Workload::edges(4711, 1500)) as $key) {
            $functions[EdgeKey::stripRecursion(EdgeKey::parse($key)[1])] = true;
        }
        for ($run = 1; $run <= 2 * self::EACH; $run++) {
            $isAfter = $run > self::EACH;
            $edges = Workload::edges(4711, 1500, self::factors(array_keys($functions), $run, $isAfter));
            if ($isAfter) {
                $edges['main()==>' . self::ADDED] = ['ct' => 3, 'wt' => 1900 + $run, 'cpu' => 700, 'mu' => 512, 'pmu' => 0];
                $edges['main()'] = array_replace($edges['main()'], ['wt' => $edges['main()']['wt'] + 1900 + $run]);
            }
            $store->save($edges, self::SOURCE, self::id($run), [
                'ts' => Fixtures::START - (12 - $run) * 43200.0,
                'url' => self::URL,
                'method' => 'GET',
                'host' => 'web-1.shop.example',
                'git' => str_repeat($isAfter ? 'b81e07aa' : '3f9a2c1d', 5),
                'flags' => 6,
                'flag_names' => ['CPU', 'MEMORY'],
            ]);
        }
    }

    /**
     * The factor of each function's time in a run: around 1, and large for some.
     *
     * @param list<string> $functions
     * @return array<string, float>
     */
    private static function factors(array $functions, int $run, bool $isAfter): array
    {
        mt_srand($run);
        $factors = [];
        foreach ($functions as $function) {
            $factors[$function] = (1 + mt_rand(-15, 15) / 1000) * ($run === self::OUTLIER ? 1.25 : 1.0);
        }
        $factors[self::SPREAD] *= [0.4, 2.9, 1.1, 0.7, 2.2, 1.9, 0.6, 2.6, 0.9, 1.3][$run - 1];
        $factors[self::SLOWER] *= $isAfter ? 4.0 : 1.0;

        return $factors;
    }
}
