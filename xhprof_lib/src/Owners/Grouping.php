<?php

declare(strict_types=1);

namespace XHProf\Owners;

use XHProf\Profile\CodePlaces;

/** How functions are added up: by what, with which table of owners, and of which group alone. */
final class Grouping
{
    /**
     * @param OwnerTable|null $owners of GroupBy::Owner, which needs it
     * @param string|null $one group whose functions are wanted; null for all groups
     */
    public function __construct(
        public readonly GroupBy $by,
        public readonly ?OwnerTable $owners = null,
        public readonly ?string $one = null,
    ) {
    }

    /** @param list<string> $names */
    public function functions(array $names, CodePlaces $places): FunctionGroups
    {
        return new FunctionGroups($this->by, $names, $places, $this->owners);
    }

    /** Returns a text that differs where the grouping does. */
    public function key(): string
    {
        return "{$this->by->value} $this->one " . ($this->owners->version ?? '');
    }
}
