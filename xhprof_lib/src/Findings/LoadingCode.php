<?php

declare(strict_types=1);

namespace XHProf\Findings;

use XHProf\Format\Units;

/** Reading and compiling of files, and looking for them: what opcache and an optimized class map save. */
final class LoadingCode implements Rule
{
    public const NAME = 'loading-code';
    public const FINDS = 'reading and compiling of files, and looking for them';
    public const FROM = '10 files and 10 % of the time';
    public const SEEN = 'times, samples';

    /** Share of the run's time. */
    private const SHARE = 0.1;

    /** Files; a script of a few files loads them once. */
    private const FILES = 10;

    /** Functions that load code: beginnings of their names, and one that has others. */
    private const PREFIXES = ['load::', 'Composer\\Autoload\\ClassLoader::'];
    private const AUTOLOAD = 'spl_autoload_call';

    /** Whether a function's own time is spent on loading code. */
    public static function isLoading(string $name): bool
    {
        foreach (self::PREFIXES as $prefix) {
            if (str_starts_with($name, $prefix)) {
                return true;
            }
        }

        return $name === self::AUTOLOAD;
    }

    public function find(Evidence $run): array
    {
        $time = $run->time();
        $sum = 0;
        $files = 0;
        $members = 0;
        $largest = ['', -1];
        foreach ($time === null || $run->isShort() ? [] : $run->rows() as $name => $row) {
            if (!self::isLoading($name)) {
                continue;
            }
            $self = $row["excl_$time"] ?? 0;
            $sum += $self;
            $members++;
            // Samples do not count calls, but name files.
            $files += str_starts_with($name, 'load::') ? ($run->isCalls() ? $row['ct'] : 1) : 0;
            $largest = $self > $largest[1] ? [$name, $self] : $largest;
        }
        if ($largest[0] === '' || $files < self::FILES || $run->part($sum) < self::SHARE) {
            return [];
        }

        return [new Finding(
            self::NAME,
            Units::count($files) . ' files loaded, ' . $run->share($sum),
            $largest[0],
            'The run compiles files itself: opcache keeps them between requests, composer dump-autoload -o finds them faster.',
            $run->part($sum),
            most: $members === 1 ? '' : $run->share($largest[1]),
            brief: Units::count($files) . ' files loaded',
            calls: new FoundCalls([self::AUTOLOAD], prefixes: self::PREFIXES),
        )];
    }
}
