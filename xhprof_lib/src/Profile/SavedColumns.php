<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/**
 * Common parts of the documents of a run: columns of integers and names that need validation.
 *
 * @internal
 */
final class SavedColumns
{
    /** Sums of absolute values stay below this, so that no sum or difference of two runs can leave the integers. */
    public const MAX_SUM = 1 << 61;

    /**
     * @param string   $name  for the message, like "fn" of the call tree
     * @param int|null $count null for any
     * @param int      $most  of a value
     *
     * @return list<int>
     *
     * @throws InvalidProfile
     */
    public static function integers(
        mixed $column,
        string $name,
        int $least,
        ?int $count = null,
        int $most = PHP_INT_MAX,
    ): array {
        if (!is_array($column) || !array_is_list($column) || ($count !== null && count($column) !== $count)) {
            throw new InvalidProfile("the column $name is missing or of the wrong length");
        }
        $sum = 0;
        foreach ($column as $value) {
            if (!is_int($value) || $value < $least) {
                throw new InvalidProfile("the column $name holds values that are not integers");
            }
            if ($value > $most) {
                throw new InvalidProfile("the column $name holds a number out of range");
            }
            $sum += $value < 0 ? -$value : $value;
        }
        if ($sum > self::MAX_SUM) {
            throw new InvalidProfile("the values of the column $name are too large");
        }

        /** @var list<int> $column */
        return $column;
    }

    /**
     * @param string $what for the message
     *
     * @throws InvalidProfile
     */
    public static function integer(mixed $value, string $what, int $most = self::MAX_SUM): int
    {
        if (!is_int($value) || $value < 0 || $value > $most) {
            throw new InvalidProfile("$what is not a valid number");
        }

        return $value;
    }

    /**
     * @param string $owner for the message
     *
     * @return list<non-empty-string>
     *
     * @throws InvalidProfile
     */
    public static function names(mixed $names, string $owner): array
    {
        if (!is_array($names) || !array_is_list($names)) {
            throw new InvalidProfile("$owner has no list of names");
        }
        foreach ($names as $name) {
            if (!is_string($name) || !EdgeKey::isName($name)) {
                throw new InvalidProfile("a name in $owner is not a text, or only a number");
            }
        }

        /** @var list<non-empty-string> $names */
        return $names;
    }
}
