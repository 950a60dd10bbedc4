<?php

declare(strict_types=1);

namespace XHProf\Web\Http;

use XHProf\Store\Folder;
use XHProf\Store\OpenFile;
use XHProf\Store\UserCache;

/**
 * Wrong passwords by client address, in a file of this user's cache: after MAX_TRIES of them within a minute the address
 * has to wait for the end of that minute. No other client and no process waits.
 */
final class LoginFailures
{
    public const MAX_TRIES = 10;

    private const SECONDS = 60;

    /** Beyond this number the oldest ones are dropped. */
    private const MAX_ADDRESSES = 1000;

    private const NAME = 'wrong-passwords';

    private const LINE = '/^(a[0-9a-f]{15}) ([0-9]{1,12}) ([0-9]{1,6})$/m';

    /**
     * @param string                $file of this user's, perhaps not yet there
     * @param (\Closure(): int)|null $now  seconds since 1970
     */
    public function __construct(private readonly string $file, private readonly ?\Closure $now = null)
    {
    }

    /** @return self|null null if this user has no cache */
    public static function ofUser(): ?self
    {
        foreach (UserCache::folders() as $folder) {
            return new self("$folder/" . self::NAME);
        }

        return null;
    }

    /** @return int seconds that the address has to wait; 0 for none */
    public function wait(Request $request): int
    {
        $file = UserCache::open($this->file);
        if ($file === null) {
            return 0;
        }
        flock($file->stream, LOCK_SH);
        $known = $this->known($file);
        fclose($file->stream);

        return $this->secondsLeft($known[self::key($request)] ?? null);
    }

    /** @return int seconds that the address has to wait after one more wrong password; 0 for none */
    public function add(Request $request): int
    {
        $file = $this->open();
        if ($file === null) {
            return 0;
        }
        flock($file->stream, LOCK_EX);
        $known = $this->known($file);
        $key = self::key($request);
        [$since, $count] = $known[$key] ?? [$this->now(), 0];
        unset($known[$key]);
        $known[$key] = [$since, min($count + 1, 999999)];
        $lines = '';
        foreach (array_slice($known, -self::MAX_ADDRESSES, null, true) as $address => [$began, $failures]) {
            $lines .= "$address $began $failures\n";
        }
        Folder::attempt(static fn (): bool => rewind($file->stream) && ftruncate($file->stream, 0)
            && fwrite($file->stream, $lines) !== false);
        fclose($file->stream);

        return $count + 1 > self::MAX_TRIES ? $this->secondsLeft($known[$key]) : 0;
    }

    private function open(): ?OpenFile
    {
        [$new] = Folder::attempt(fn () => fopen($this->file, 'xb'));
        if ($new !== false) {
            Folder::attempt(fn (): bool => chmod($this->file, 0600));
            fclose($new);
        }

        return UserCache::open($this->file, 'r+b');
    }

    /** @return array<string, array{int, int}> by address: when its minute began, wrong passwords since; none that is over */
    private function known(OpenFile $file): array
    {
        $known = [];
        preg_match_all(self::LINE, (string) stream_get_contents($file->stream, 1 << 17, 0), $lines, PREG_SET_ORDER);
        foreach ($lines as [, $key, $since, $count]) {
            $entry = [(int) $since, (int) $count];
            if ($this->secondsOf($entry) > 0) {
                $known[$key] = $entry;
            }
        }

        return $known;
    }

    /** @param array{int, int}|null $entry */
    private function secondsLeft(?array $entry): int
    {
        return $entry !== null && $entry[1] >= self::MAX_TRIES ? $this->secondsOf($entry) : 0;
    }

    /** @param array{int, int} $entry */
    private function secondsOf(array $entry): int
    {
        $age = $this->now() - $entry[0];

        // A clock that was set back does not lock anyone out.
        return $age < 0 ? 0 : max(0, self::SECONDS - $age);
    }

    private function now(): int
    {
        return $this->now === null ? time() : ($this->now)();
    }

    /**
     * For IPv6 the network: one machine has as many addresses as it likes. Behind a proxy of this machine, the last client it
     * names.
     */
    private static function key(Request $request): string
    {
        $address = $request->server('REMOTE_ADDR');
        $packed = filter_var($address, FILTER_VALIDATE_IP) === false ? $address : (string) inet_pton($address);
        $network = strlen($packed) === 16 ? substr($packed, 0, 8) : $packed;
        $for = explode(',', $request->server('HTTP_X_FORWARDED_FOR'));

        // A letter first: PHP turns a key of digits into a number.
        return 'a' . substr(hash('sha256', "$network\0" . trim(end($for))), 0, 15);
    }
}
