<?php

declare(strict_types=1);

namespace XHProf\Web\Heap;

use XHProf\Heap\HeapGroup;
use XHProf\Heap\HeapIndex;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;

/** The class, owner or type that a URL names: class, owner (or the hash of a long name), type. */
final class GroupFinder
{
    /** @throws HttpError 404 where the snapshot has none of the name */
    public static function find(HeapIndex $index, Request $request): HeapGroup
    {
        if ($request->has('class')) {
            $class = $request->text('class');

            return self::named($index->classes(), $class) ?? $index->group($class)
                ?? throw new HttpError(404, "This snapshot has no object of a class $class.");
        }
        if ($request->has('owner')) {
            $owner = $request->text('owner');

            return self::named($index->owners(), $owner)
                ?? throw new HttpError(404, "This snapshot has no native memory of $owner.");
        }
        foreach (['class_hash' => $index->classes(...), 'owner_hash' => $index->owners(...)] as $parameter => $groups) {
            if ($request->has($parameter)) {
                return self::hashed($groups(), $request->text($parameter))
                    ?? throw new HttpError(404, "There is no name with this hash ($parameter) in this snapshot.");
            }
        }
        $type = $request->text('type');

        return $index->type($type) ?? throw new HttpError(404, "This snapshot has nothing of the type $type.");
    }

    /** @param list<HeapGroup> $groups */
    private static function named(array $groups, string $name): ?HeapGroup
    {
        foreach ($groups as $group) {
            if ($group->name === $name) {
                return $group;
            }
        }

        return null;
    }

    /** @param list<HeapGroup> $groups */
    private static function hashed(array $groups, string $hash): ?HeapGroup
    {
        foreach ($groups as $group) {
            if (hash('sha256', $group->name) === $hash) {
                return $group;
            }
        }

        return null;
    }
}
