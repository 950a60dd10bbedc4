<?php

declare(strict_types=1);

namespace XHProf\Source;

use XHProf\Profile\CallTree;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\NameRules;
use XHProf\Profile\Profile;
use XHProf\Profile\StableNames;

/** Names of the functions of a run that hosts and releases share. */
final class RunNames
{
    /**
     * @param CallTree|null $tree     of the same run; without it closures are numbered as StableNames::assign() does
     * @param float|null    $recorded when the run began, seconds since 1970
     *
     * @return array<string, string> name => its stable name, where they differ; as Profile::renamed() takes it
     */
    public static function stable(
        Profile $profile,
        ?CallTree $tree,
        ?float $recorded,
        SourceFiles $files,
        NameRules $rules,
    ): array {
        $names = array_fill_keys(array_map(EdgeKey::stripRecursion(...), $profile->symbols()), true);
        $names += array_fill_keys($tree->names ?? [], true);
        $positions = $tree === null ? [] : ClosureNames::find($tree, $files, $recorded);

        return self::changed(array_map(strval(...), array_keys($names)), $positions, $rules);
    }

    /**
     * @param list<string> $kept names that are none of functions, and stay
     *
     * @return array<string, string> as stable()
     */
    public static function ofTree(CallTree $tree, array $kept, ?float $recorded, SourceFiles $files, NameRules $rules): array
    {
        $names = array_diff(array_unique($tree->names), $kept);

        return self::changed($names, ClosureNames::find($tree, $files, $recorded), $rules);
    }

    /**
     * @param array<string>         $names
     * @param array<string, string> $positions
     *
     * @return array<string, string>
     */
    private static function changed(array $names, array $positions, NameRules $rules): array
    {
        $stable = StableNames::assign($names, $positions, $rules);

        return array_filter($stable, static fn (string $to, string $from): bool => $to !== $from, ARRAY_FILTER_USE_BOTH);
    }
}
