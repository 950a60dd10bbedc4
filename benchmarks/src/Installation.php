<?php

declare(strict_types=1);

namespace XHProf\Bench;

use XHProf\Tools\Servers\Daemon;

/** The files of an application of Debian's package, and programs of PHP that install it, with its settings and environment. */
final class Installation
{
    private const PATIENCE = 180.0;
    /** What tools/frameworks.sh unpacks. */
    private const PACKAGES = __DIR__ . '/../../build/frameworks/debian/usr/share';

    /**
     * @param string $application its name, for messages
     * @param string $folder where the output of the programs goes
     * @param list<string> $settings what PHP needs for it, as "name=value"
     * @param array<string, string> $environment
     */
    public function __construct(
        private readonly string $application,
        private readonly string $folder,
        private readonly array $settings,
        private readonly array $environment,
    ) {
    }

    /** The folder of an application's files. */
    public static function files(string $application): string
    {
        return realpath(self::PACKAGES) . '/' . strtolower($application);
    }

    /**
     * The reason why an application's files cannot be used, or null.
     *
     * @param list<string> $needed paths in its folder
     */
    public static function missingFiles(string $application, array $needed): ?string
    {
        foreach ($needed as $file) {
            if (!is_file(self::files($application) . "/$file")) {
                return "no $application in build/frameworks (tools/frameworks.sh unpacks Debian's)";
            }
        }

        return null;
    }

    /** @param non-empty-list<string> $arguments a script of PHP, and what it is given */
    public function run(array $arguments): void
    {
        // Applications of Debian 12 use what this PHP may call deprecated.
        $options = ['-d', 'error_reporting=0'];
        foreach ([...$this->settings, 'memory_limit=512M'] as $setting) {
            array_push($options, '-d', $setting);
        }
        $log = $this->folder . '/' . basename($arguments[0]) . '.out';
        $program = new Daemon([PHP_BINARY, ...$options, ...$arguments], $log, $this->environment);
        if ($program->finish(self::PATIENCE) !== 0) {
            throw new Failure("$this->application cannot be installed: {$program->output()}");
        }
    }
}
