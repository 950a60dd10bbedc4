<?php

declare(strict_types=1);

namespace XHProf\Run;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\File\Folder;
use XHProf\Profile\Profile;
use XHProf\Profile\SampleColumns;

/** The bytes of a file of PECL's XHProf: serialize() of the edges, or of the recorded samples. Reading never makes objects. */
final class ClassicFile
{
    /** main() => row => value, and some slack; deeper data is not a run. */
    private const MAX_DEPTH = 8;

    /** First bytes of a reference. Names may contain them too. */
    private const REFERENCE = 'R:';

    /** Bytes needed to distinguish samples from a profile. */
    public const HEAD = 64;

    /**
     * @param string $name for the message
     *
     * @throws DamagedRun naming the file
     */
    public static function decode(string $bytes, string $name): Profile
    {
        if ($bytes === '') {
            throw new DamagedRun("$name: the file is empty");
        }
        try {
            return self::holdsSamples($bytes)
                ? SampleColumns::fromSamples(self::unserialize($bytes))->tree()->toProfile()
                : Profile::fromEdges(self::unserialize($bytes), str_contains($bytes, self::REFERENCE));
        } catch (InvalidProfile $e) {
            throw new DamagedRun("$name: not a run ({$e->getMessage()})", 0, $e);
        }
    }

    /**
     * @param string $name for the message
     *
     * @return SampleColumns|null null if it is a profile
     *
     * @throws DamagedRun naming the file
     */
    public static function decodeColumns(string $bytes, string $name): ?SampleColumns
    {
        try {
            return self::holdsSamples($bytes) ? SampleColumns::fromSamples(self::unserialize($bytes)) : null;
        } catch (InvalidProfile $e) {
            throw new DamagedRun("$name: not a run ({$e->getMessage()})", 0, $e);
        }
    }

    /**
     * @param string $bytes the first HEAD of a file are enough
     *
     * @return bool whether an array of texts by time follows
     */
    public static function holdsSamples(string $bytes): bool
    {
        return preg_match('/\Aa:[0-9]+:\{(?:i:[0-9]+|s:[0-9]+:"[0-9.]{1,22}");s:/', $bytes) === 1;
    }

    /**
     * @return array<array-key, string>|null time => call stack, as xhprof_sample_disable() gives it; null if it is something else
     */
    public static function decodeSamples(string $bytes): ?array
    {
        try {
            $data = self::unserialize($bytes);
        } catch (InvalidProfile) {
            return null;
        }

        /** @var array<array-key, string> $data */
        return self::isSamples($data) ? $data : null;
    }

    /**
     * @param array<mixed> $data
     *
     * @return bool whether it holds nothing but texts
     */
    public static function isSamples(array $data): bool
    {
        foreach ($data as $stack) {
            if (!is_string($stack)) {
                return false;
            }
        }

        return $data !== [];
    }

    /**
     * Never makes objects of a class.
     *
     * @return array<mixed> handed over, not kept: a large run must not be in memory twice
     *
     * @throws InvalidProfile
     */
    public static function unserialize(string $bytes, int $depth = self::MAX_DEPTH): array
    {
        [$data] = Folder::attempt(
            static fn (): mixed => unserialize($bytes, ['allowed_classes' => false, 'max_depth' => $depth]),
        );
        if (is_array($data)) {
            return $data;
        }
        throw new InvalidProfile($data === false ? 'not serialized data, or cut off' : get_debug_type($data) . ', not an array');
    }
}
