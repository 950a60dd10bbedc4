<?php

declare(strict_types=1);

namespace XHProf\Fleet;

use XHProf\Exception\SendError;

/** An address with what it takes to send there. */
final class Destination
{
    /** Seconds that one request may take. */
    public const TIMEOUT = 30.0;

    /**
     * @param string      $url      as --to has it, without user and password
     * @param string      $user     '' for none
     * @param string      $password '' for none
     * @param string|null $caFile   PEM file of the authorities to trust; null for those of the system
     * @param float       $timeout  seconds that one request may take
     */
    public function __construct(
        public readonly string $url,
        public readonly string $user = '',
        #[\SensitiveParameter]
        public readonly string $password = '',
        public readonly ?string $caFile = null,
        public readonly float $timeout = self::TIMEOUT,
    ) {
    }

    /**
     * @param string      $to              address as its user has written it
     * @param string|null $credentialsFile see Credentials::ofFile(); null: those of the environment
     * @param float       $timeout         seconds that one request may take
     *
     * @throws WrongAddress if it has a user or a password
     * @throws SendError if a file cannot be read
     */
    public static function named(string $to, ?string $credentialsFile, ?string $caFile, float $timeout = self::TIMEOUT): self
    {
        // All users of the machine see the command line.
        if (self::hasCredentials($to)) {
            throw new WrongAddress('--to has a user or a password: give them by --credentials, or in the environment');
        }
        if ($caFile !== null && !is_readable($caFile)) {
            throw new SendError("$caFile cannot be read");
        }
        $credentials = $credentialsFile === null ? Credentials::ofEnvironment() : Credentials::ofFile($credentialsFile);

        return new self($to, $credentials->user, $credentials->password, $caFile, $timeout);
    }

    /** Whether the address has a user or a password. */
    public static function hasCredentials(string $url): bool
    {
        return preg_match('~\A[^/?#]*//[^/?#]*@~', $url) === 1;
    }

    /** In lower case; '' if the address has none. */
    public function scheme(): string
    {
        return preg_match('~\A([a-z][a-z0-9+.-]*):~i', $this->url, $match) === 1 ? strtolower($match[1]) : '';
    }

    /** The address as it may be shown: without parameters. */
    public function shown(): string
    {
        return (string) strtok($this->url, '?#');
    }
}
