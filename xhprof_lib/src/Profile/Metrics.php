<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * Which metrics are known, their order and their units. Other names are allowed in a profile and count as plain numbers.
 */
final class Metrics
{
    /** In the order of the classic reports. "ct", the number of calls, is not among them: every profile has it. */
    public const KNOWN = ['wt', 'corrected_wt', 'ut', 'st', 'cpu', 'corrected_cpu', 'mu', 'pmu', 'samples'];

    /** Figures of the requests of a route; no profile has them. */
    public const REQUEST_MEAN = 'request_mean';
    public const REQUEST_MAX = 'request_max';
    public const REQUEST_SHARE = 'request_share';
    public const REQUEST_RATE = 'request_rate';
    public const REQUESTS = 'requests';

    /** Most memory that the process of a run had; "pmu" of a profile is by how much that rose while a function ran. */
    public const PROCESS_PEAK = 'peak_memory';

    private const CORRECTED = 'corrected_';
    private const TIMES = [
        'wt' => true, 'ut' => true, 'st' => true, 'cpu' => true, self::REQUEST_MEAN => true, self::REQUEST_MAX => true,
    ];
    private const BYTES = ['mu' => true, 'pmu' => true, 'mem.aa' => true, self::PROCESS_PEAK => true];

    public static function isName(string $name): bool
    {
        return preg_match('/\A[A-Za-z][A-Za-z0-9_.]{0,31}\z/', $name) === 1 && !str_starts_with($name, 'excl_');
    }

    /**
     * A metric that can shrink while a function runs, so that a caller may show less than its callees together.
     */
    public static function isSigned(string $name): bool
    {
        return $name === 'mu';
    }

    /**
     * @return string "wt" => "corrected_wt": the same without what the profiler itself took, see CorrectedTimes
     */
    public static function corrected(string $name): string
    {
        return self::CORRECTED . $name;
    }

    /**
     * @return string "wt" => "corrected_wt", and back
     */
    public static function counterpart(string $name): string
    {
        return self::isCorrected($name) ? substr($name, strlen(self::CORRECTED)) : self::corrected($name);
    }

    public static function isCorrected(string $name): bool
    {
        return str_starts_with($name, self::CORRECTED);
    }

    /**
     * @return 'us'|'bytes'|'count' unit of "wt", "excl_wt", "mu", "ct"...
     */
    public static function unit(string $name): string
    {
        $name = str_starts_with($name, 'excl_') ? substr($name, 5) : $name;
        $name = self::isCorrected($name) ? self::counterpart($name) : $name;

        return isset(self::TIMES[$name]) ? 'us' : (isset(self::BYTES[$name]) ? 'bytes' : 'count');
    }

    /**
     * @param list<string> $names
     *
     * @return list<string> known ones first, in their order, then the others as they came
     */
    public static function ordered(array $names): array
    {
        return array_values(array_unique([...array_intersect(self::KNOWN, $names), ...$names]));
    }
}
