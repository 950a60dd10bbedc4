<?php

declare(strict_types=1);

namespace XHProf\Status;

use XHProf\Store\DefaultFolder;

/** The user that a server runs PHP as, and the location of its runs if no folder is set. */
final class ServerUser
{
    /** Usual names. */
    public const NAMES = ['www-data', 'nginx', 'apache', 'http'];

    private function __construct(public readonly string $name, private readonly ?int $id)
    {
    }

    /**
     * @param string|null $user of a pool, a name or a number; null for the first of the usual ones that exists here
     */
    public static function find(?string $user): self
    {
        foreach ($user === null ? self::NAMES : [$user] as $name) {
            $account = match (true) {
                !function_exists('posix_getpwnam') => false,
                ctype_digit($name) => posix_getpwuid((int) $name),
                default => posix_getpwnam($name),
            };
            if ($account !== false) {
                return new self($account['name'], $account['uid']);
            }
        }

        return new self($user ?? self::NAMES[0], ctype_digit((string) $user) ? (int) $user : null);
    }

    /** @return string "/tmp/xhprof-33"; "/tmp/xhprof-UID" where the user is not known here */
    public function folder(): string
    {
        return $this->id === null ? dirname(DefaultFolder::path()) . '/xhprof-UID' : DefaultFolder::path($this->id);
    }
}
