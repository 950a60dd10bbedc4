<?php

declare(strict_types=1);

namespace XHProf\Fleet\ClickHouse;

/** What is kept for a time of its own. */
enum TableRetention: string
{
    case Inbox = 'inbox';
    case Raw = 'raw';
    case TenMinutes = '10m';
    case Hours = '1h';
    case Days = '1d';
    case Names = 'names';
    case Exemplars = 'exemplars';
    case Keys = 'keys';

    /** Days; 0: for good. */
    public function days(): int
    {
        return match ($this) {
            // What came is in all other tables; it helps to see what a host has sent.
            self::Inbox => 1,
            self::Raw => 7,
            self::TenMinutes => 30,
            self::Hours, self::Names => 400,
            self::Days => 0,
            self::Exemplars => 14,
            // Longer than any run waits on its host.
            self::Keys => 60,
        };
    }

    public function about(): string
    {
        return match ($this) {
            self::Inbox => 'what hosts have sent',
            self::Raw => 'call paths by host',
            self::TenMinutes => 'figures of 10 minutes',
            self::Hours => 'figures of an hour',
            self::Days => 'figures of a day',
            self::Names => 'call paths and names that no run has',
            self::Exemplars => 'single requests',
            self::Keys => 'which runs have arrived, and what hosts reported',
        };
    }
}
