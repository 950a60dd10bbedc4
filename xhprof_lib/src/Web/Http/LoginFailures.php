<?php

declare(strict_types=1);

namespace XHProf\Web\Http;

use XHProf\File\Folder;
use XHProf\File\OpenFile;
use XHProf\Store\UserCache;

/**
 * Wrong passwords, counted in a file of this user's cache. After MAX_TRIES of them within a minute a client's address has to
 * wait for the end of that minute; after MAX_OF_ALL of all addresses each one has to that has not given the right password
 * lately. Where nothing can be counted, no password may be tried.
 */
final class LoginFailures
{
    public const MAX_TRIES = 10;

    /** Guesses from many addresses at once. */
    public const MAX_OF_ALL = 100;

    private const SECONDS = 60;

    /** A right password counts as "lately" for so long. */
    private const KNOWN_SECONDS = 3600;

    /** Beyond this number the oldest ones are dropped: more than MAX_OF_ALL, as more of them do not get a try. */
    private const MAX_ADDRESSES = 200;

    private const NAME = 'wrong-passwords';

    /** "a": an address that failed, "g": one that gave the right password. */
    private const LINE = '/^([ag][0-9a-f]{15}) ([0-9]{1,12}) ([0-9]{1,6})$/m';

    /** The file has all its bytes from its first use: a disk that is full later does not stop the count. */
    private const SIZE = 16384;

    /**
     * @param string|null            $file of this user's, perhaps not yet there; null if there is no place for one
     * @param (\Closure(): int)|null $now  seconds since 1970
     */
    public function __construct(private readonly ?string $file, private readonly ?\Closure $now = null)
    {
    }

    public static function ofUser(): self
    {
        foreach (UserCache::folders() as $folder) {
            return new self("$folder/" . self::NAME);
        }

        return new self(null);
    }

    /** @return int|null seconds that the client has to wait before its next password; 0 for none; null if it cannot be counted */
    public function wait(Request $request): ?int
    {
        return $this->update(fn (array $known): array => [$this->secondsLeft($known, self::key($request)), null]);
    }

    /**
     * Before a password is compared: it counts as wrong until right() takes that back, so that no number of requests at once gets
     * more tries. A client that has given the right one lately may send many requests at once; wrong() counts it.
     *
     * @return int|null as wait()
     */
    public function begin(Request $request): ?int
    {
        return $this->update(function (array $known) use ($request): array {
            $key = self::key($request);
            $left = $this->secondsLeft($known, $key);

            return [$left, $left > 0 || isset($known["g$key"]) ? null : $this->counted($known, $key)];
        });
    }

    public function wrong(Request $request): void
    {
        $this->update(function (array $known) use ($request): array {
            $key = self::key($request);

            return [0, isset($known["g$key"]) ? $this->counted($known, $key) : null];
        });
    }

    public function right(Request $request): void
    {
        $this->update(function (array $known) use ($request): array {
            $key = self::key($request);
            $since = $known["g$key"][0] ?? null;
            if ($since !== null && $this->now() - $since < self::KNOWN_SECONDS / 2) {
                return [0, null];
            }
            if ($since === null && isset($known["a$key"])) {
                $known["a$key"][1] = max(0, $known["a$key"][1] - 1);
            }
            unset($known["g$key"]);

            return [0, $known + ["g$key" => [$this->now(), 0]]];
        });
    }

    /**
     * @param array<string, array{int, int}> $known
     *
     * @return array<string, array{int, int}> with one more of this address, which is the newest then
     */
    private function counted(array $known, string $key): array
    {
        [$since, $count] = $known["a$key"] ?? [$this->now(), 0];
        unset($known["a$key"]);

        return $known + ["a$key" => [$since, min($count + 1, 999999)]];
    }

    /**
     * @param \Closure(array<string, array{int, int}>): array{int, array<string, array{int, int}>|null} $change of what is known:
     *     the answer, and what is known from now on; null for the same
     */
    private function update(\Closure $change): ?int
    {
        $file = $this->open();
        if ($file === null || !flock($file->stream, LOCK_EX) || !self::fill($file)) {
            return null;
        }
        [$answer, $known] = $change($this->known($file));
        $isWritten = $known === null || self::write($file, $known);
        fclose($file->stream);

        return $isWritten ? $answer : null;
    }

    /** @param array<string, array{int, int}> $known */
    private static function write(OpenFile $file, array $known): bool
    {
        $lines = '';
        foreach (['a', 'g'] as $kind) {
            $ofKind = array_filter($known, static fn (string $key): bool => $key[0] === $kind, ARRAY_FILTER_USE_KEY);
            foreach (array_slice($ofKind, -self::MAX_ADDRESSES, null, true) as $key => [$began, $failures]) {
                $lines .= "$key $began $failures\n";
            }
        }
        $bytes = str_pad($lines, self::SIZE, "\n");
        [$isWritten] = Folder::attempt(static fn (): bool => rewind($file->stream)
            && fwrite($file->stream, $bytes) === strlen($bytes) && fflush($file->stream));

        return $isWritten;
    }

    private function open(): ?OpenFile
    {
        $name = $this->file;
        if ($name === null) {
            return null;
        }
        [$new] = Folder::attempt(static fn () => fopen($name, 'xb'));
        if ($new !== false) {
            Folder::attempt(static fn (): bool => chmod($name, 0600));
            fclose($new);
        }

        return UserCache::open($name, 'r+b');
    }

    /** Fills up a locked file, unless another process has done so meanwhile and may have counted in it. */
    private static function fill(OpenFile $file): bool
    {
        $missing = self::SIZE - (fstat($file->stream)['size'] ?? 0);
        if ($missing <= 0) {
            return true;
        }
        [$isFilled] = Folder::attempt(static fn (): bool => fseek($file->stream, 0, SEEK_END) === 0
            && fwrite($file->stream, str_repeat("\n", $missing)) === $missing && fflush($file->stream));

        return $isFilled;
    }

    /** @return array<string, array{int, int}> by address: since when, wrong passwords since; none that is over */
    private function known(OpenFile $file): array
    {
        $known = [];
        preg_match_all(self::LINE, (string) stream_get_contents($file->stream, 1 << 17, 0), $lines, PREG_SET_ORDER);
        foreach ($lines as [, $key, $since, $count]) {
            if ($this->secondsOf((int) $since, $key[0] === 'a' ? self::SECONDS : self::KNOWN_SECONDS) > 0) {
                $known[$key] = [(int) $since, (int) $count];
            }
        }

        return $known;
    }

    /** @param array<string, array{int, int}> $known */
    private function secondsLeft(array $known, string $key): int
    {
        [$since, $count] = $known["a$key"] ?? [0, 0];
        if ($count >= self::MAX_TRIES) {
            return $this->secondsOf($since, self::SECONDS);
        }
        $all = 0;
        $first = PHP_INT_MAX;
        foreach ($known as $mark => [$since, $count]) {
            $all += $count;
            $first = $mark[0] === 'a' ? min($first, $since) : $first;
        }

        return $all >= self::MAX_OF_ALL && !isset($known["g$key"]) ? $this->secondsOf($first, self::SECONDS) : 0;
    }

    private function secondsOf(int $since, int $most): int
    {
        $age = $this->now() - $since;

        // A clock that was set back does not lock anyone out.
        return $age < 0 ? 0 : max(0, $most - $age);
    }

    private function now(): int
    {
        return $this->now === null ? time() : ($this->now)();
    }

    private static function key(Request $request): string
    {
        return substr(hash('sha256', ClientAddress::fromRequest($request)), 0, 15);
    }
}
