<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Heap\HeapGroup;
use XHProf\Heap\HeapIndex;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;

/** The class, owner or type that a URL names: class, owner (or the hash of a long name), type. */
final class GroupFinder
{
    /** @throws HttpError 404 if the snapshot has no such group */
    public static function find(HeapIndex $index, Request $request): HeapGroup
    {
        if ($request->has('class')) {
            $class = $request->text('class');

            return self::first($index->classes(), static fn (HeapGroup $group): bool => $group->name === $class)
                ?? $index->group($class)
                ?? throw new HttpError(404, "This snapshot has no object of a class $class.");
        }
        if ($request->has('owner')) {
            $owner = $request->text('owner');

            return self::first($index->owners(), static fn (HeapGroup $group): bool => $group->name === $owner)
                ?? throw new HttpError(404, "This snapshot has no native memory of $owner.");
        }
        foreach (['class_hash' => $index->classes(...), 'owner_hash' => $index->owners(...)] as $parameter => $groups) {
            if ($request->has($parameter)) {
                $hash = $request->text($parameter);

                return self::first($groups(), static fn (HeapGroup $group): bool => hash('sha256', $group->name) === $hash)
                    ?? throw new HttpError(404, "There is no name with this hash ($parameter) in this snapshot.");
            }
        }
        $type = $request->text('type');

        return self::first($index->types(), static fn (HeapGroup $group): bool => $group->type === $type)
            ?? throw new HttpError(404, "This snapshot has nothing of the type $type.");
    }

    /**
     * @param list<HeapGroup> $groups
     * @param \Closure(HeapGroup): bool $is
     */
    private static function first(array $groups, \Closure $is): ?HeapGroup
    {
        foreach ($groups as $group) {
            if ($is($group)) {
                return $group;
            }
        }

        return null;
    }
}
