<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/** The functions of a call tree: names, and where they are. */
final class TreeHead
{
    /** @param list<string> $names */
    private function __construct(public readonly array $names, public readonly CodePlaces $places)
    {
    }

    /**
     * @param array<mixed> $data as CallTree::fromArray() takes it, without its nodes
     *
     * @throws InvalidProfile
     */
    public static function fromArray(array $data): self
    {
        $names = SavedColumns::names($data['names'] ?? null, 'the call tree');

        return new self($names, CodePlaces::fromArray($data, count($names)));
    }

    /** @param array<string, string> $map as Profile::renamed() takes it */
    public function renamed(array $map): self
    {
        return new self(array_map(static fn (string $name): string => $map[$name] ?? $name, $this->names), $this->places);
    }
}
