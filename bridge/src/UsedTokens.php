<?php

declare(strict_types=1);

namespace XHProf\Bridge;

use Throwable;
use XHProf\File\Folder;
use XHProf\Store\UserCache;

/**
 * Which tokens of NextRequest a request of this machine has used: an empty file for each, in the user's folder of caches, until the
 * token is out of date. Where no file can be made, a token is good until then. It is only asked with tokens that the site has
 * signed.
 */
final class UsedTokens
{
    /** In the folder of caches. */
    private const FOLDER = 'next-request';

    /** @param string|null $folder that exists, null for the user's folder of caches */
    public function __construct(private readonly ?string $folder = null)
    {
    }

    /**
     * Uses a token. Of several processes that do so at once one succeeds.
     *
     * @param string $token "UNTIL.RANDOM" in digits and letters
     * @param int $now seconds since 1970
     * @return bool false where it was used before
     */
    public function take(string $token, int $now): bool
    {
        foreach ($this->folders() as $folder) {
            [$file] = Folder::attempt(static fn () => fopen("$folder/$token", 'x'));
            if ($file !== false) {
                fclose($file);
                self::forget($folder, $now);

                return true;
            }
            if (is_file("$folder/$token")) {
                return false;
            }
        }

        return true;
    }

    public function has(string $token): bool
    {
        foreach ($this->folders() as $folder) {
            if (is_file("$folder/$token")) {
                return true;
            }
        }

        return false;
    }

    /** The token may be used once more. */
    public function giveBack(string $token): void
    {
        foreach ($this->folders() as $folder) {
            Folder::attempt(static fn (): bool => is_file("$folder/$token") && unlink("$folder/$token"));
        }
    }

    /** Removes those that are out of date. */
    private static function forget(string $folder, int $now): void
    {
        [$names] = Folder::attempt(static fn () => scandir($folder, SCANDIR_SORT_NONE));
        foreach ($names === false ? [] : $names as $name) {
            if (preg_match('/\A([0-9]{1,12})\.[0-9a-f]{16}\z/', $name, $match) === 1 && (int) $match[1] < $now) {
                Folder::attempt(static fn (): bool => unlink("$folder/$name"));
            }
        }
    }

    /** @return list<string> that are there, the best first; none where the library is not installed */
    private function folders(): array
    {
        $folders = [];
        try {
            clearstatcache();
            foreach ($this->folder === null ? UserCache::folders() : [$this->folder] as $cache) {
                $folder = "$cache/" . self::FOLDER;
                [$isThere] = Folder::attempt(static fn (): bool => is_dir($folder) || mkdir($folder, 0700));
                if ($isThere || is_dir($folder)) {
                    $folders[] = $folder;
                }
            }
        } catch (Throwable) {
        }

        return $folders;
    }
}
