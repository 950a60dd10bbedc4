<?php

declare(strict_types=1);

namespace XHProf\Fleet\Ship;

use XHProf\Exception\SendError;

/** What is said of every run of this host, and which free labels of runs may leave it. */
final class Labels
{
    /** Values of a free label, and routes that one shipper sends. */
    public const MOST_VALUES = ['' => 100, self::ROUTE => 2000];

    public const ROUTE = 'route';

    /** Free labels. */
    private const MOST = 16;

    private const NAME = '/\A[a-z_][a-z0-9_]{0,62}\z/i';

    /** Names that outputs have for what every run has. */
    private const TAKEN = ['service', 'env', 'release', 'route', 'host', 'php', 'source', 'function', 'le', 'job', 'instance'];

    /**
     * @param string|null           $service null: the source of each run
     * @param string|null           $release null: the release that each run has, else its Git revision
     * @param array<string, string> $fixed   free labels of every run
     * @param list<string>          $allowed names of the data that a program attaches to its runs
     */
    private function __construct(
        public readonly ?string $service,
        public readonly string $env,
        public readonly ?string $release,
        public readonly string $host,
        public readonly array $fixed,
        public readonly array $allowed,
    ) {
    }

    /**
     * @param list<string> $labels "NAME" of a label that runs may have, "NAME=VALUE" of one that all have
     *
     * @throws SendError
     */
    public static function parse(?string $service, string $env, ?string $release, string $host, array $labels): self
    {
        $fixed = $allowed = [];
        foreach ($labels as $label) {
            $name = explode('=', $label, 2)[0];
            $value = $name === $label ? null : substr($label, strlen($name) + 1);
            if (preg_match(self::NAME, $name) !== 1 || in_array(strtolower($name), self::TAKEN, true)) {
                throw new SendError("--label takes NAME or NAME=VALUE, of letters, digits and \"_\", not \"$name\"");
            }
            if ($value === null) {
                $allowed[] = $name;
            } else {
                $fixed[$name] = $value;
            }
        }
        if (count($labels) > self::MOST) {
            throw new SendError('--label takes at most ' . self::MOST . ' labels');
        }

        return new self($service, $env, $release, $host, $fixed, array_values(array_unique($allowed)));
    }
}
