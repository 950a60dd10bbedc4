<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Exception\StoreError;
use XHProf\File\OpenFile;

/**
 * What a team says of regressions, in a file of JSON: who owns the files of a folder, and what is known and not reported for a
 * time.
 *
 *   {"owners": {"/srv/shop/src/Checkout/": "checkout"},
 *    "mutes": [{"route": "GET /", "function": "Cart::total", "until": "2026-12-31", "reason": "rewritten in 1.6"}]}
 */
final class RegressionRules
{
    private const MAX_BYTES = 1 << 20;

    /** @var array<string, string> path prefix => owner, the longest prefix first */
    private array $owners = [];

    /** @var list<MutedRegression> */
    private array $mutes = [];

    private function __construct()
    {
    }

    /** No owners, no mutes. */
    public static function none(): self
    {
        return new self();
    }

    /** @throws StoreError if the file cannot be read, or something in it is not understood */
    public static function ofFile(string $path): self
    {
        $file = OpenFile::named($path);
        if ($file->size > self::MAX_BYTES) {
            throw new StoreError("$path has more than 1 MB");
        }
        $data = json_decode($file->bytes(self::MAX_BYTES), true, 8);
        if (!is_array($data)) {
            throw new StoreError("$path is not JSON");
        }
        $rules = new self();
        foreach ($data as $key => $value) {
            match (true) {
                $key === 'owners' && is_array($value) => $rules->owners = self::owners($path, $value),
                $key === 'mutes' && is_array($value) => $rules->mutes = self::mutes($path, $value),
                default => throw new StoreError("$path: takes \"owners\", an object, and \"mutes\", a list; not \"$key\""),
            };
        }

        return $rules;
    }

    /** @return string '' if no owner is named for the file */
    public function owner(string $file): string
    {
        foreach ($file === '' ? [] : $this->owners as $prefix => $owner) {
            if (str_starts_with($file, (string) $prefix)) {
                return $owner;
            }
        }

        return '';
    }

    /**
     * @param int $now seconds since 1970
     *
     * @return MutedRegression|null null if it is to be reported
     */
    public function mute(string $route, string $function, int $now): ?MutedRegression
    {
        foreach ($this->mutes as $mute) {
            if ($mute->isOf($route, $function) && $now < $mute->end()) {
                return $mute;
            }
        }

        return null;
    }

    /** @return list<MutedRegression> those whose time is over: the file may lose them */
    public function ended(int $now): array
    {
        return array_values(array_filter($this->mutes, static fn (MutedRegression $mute): bool => $now >= $mute->end()));
    }

    /**
     * @param array<mixed> $data
     *
     * @return array<string, string>
     */
    private static function owners(string $path, array $data): array
    {
        $owners = [];
        foreach ($data as $prefix => $owner) {
            if ((string) $prefix === '' || !is_string($owner) || $owner === '') {
                throw new StoreError("$path: an owner is \"PATH PREFIX\": \"NAME\", not empty (\"$prefix\")");
            }
            $owners[(string) $prefix] = $owner;
        }
        uksort($owners, static fn (int|string $a, int|string $b): int => strlen((string) $b) <=> strlen((string) $a));

        return $owners;
    }

    /**
     * @param array<mixed> $data
     *
     * @return list<MutedRegression>
     */
    private static function mutes(string $path, array $data): array
    {
        $mutes = [];
        foreach (array_values($data) as $at => $values) {
            $mute = is_array($values) ? MutedRegression::fromArray($values) : null;
            $mutes[] = $mute ?? throw new StoreError("$path: mute " . ($at + 1)
                . ' needs "function" or "route" or both, "until" (2026-12-31) and "reason", and nothing else');
        }

        return $mutes;
    }
}
