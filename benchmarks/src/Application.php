<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** A real application with all that it needs, which a server of its own serves with one script. */
interface Application
{
    public static function name(): string;

    /** The reason why it cannot run here, or null. */
    public static function missing(): ?string;

    /** @return non-empty-array<string, string> what is requested: title => path with query */
    public static function pages(): array;

    /** Installs and fills it, always with the same contents, and starts what it needs, for as long as this object lives. */
    public function __construct();

    /** @return list<string> names of PHP's extensions that it needs besides those of settings() */
    public static function extensions(): array;

    /** The file that answers all requests. */
    public function script(): string;

    /** @return list<string> what PHP needs for it, and what loads the extension for its database, as "name=value" */
    public function settings(): array;

    /** @return array<string, string> environment of PHP */
    public function environment(): array;
}
