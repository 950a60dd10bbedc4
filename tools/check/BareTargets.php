<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/**
 * The targets of `make help` in a Debian that has git and make only: each has to install what it needs. Rotation takes one at a
 * time.
 */
final class BareTargets
{
    /**
     * Target => minutes as in Rotation, of the clock as it waits for downloads, and settings with which it is short.
     *
     * @var array<string, array{float, list<string>}>
     */
    public const ALL = [
        'demo-fleet' => [4.0, ['SERVE=0']],
        'check-zts' => [5.0, ['PHPT=extension/tests/settings']],
        'build' => [2.0, []],
        'check-memory' => [5.0, ['PHPT=extension/tests/settings']],
        'bench' => [4.0, ['BENCH=--quick']],
        'release' => [6.0, []],
        'check' => [5.0, ['SUITES=build phpunit-docs']],
        'check-musl' => [5.0, ['PHPT=extension/tests/settings']],
        'fuzz' => [4.0, ['SEED=1', 'ROUNDS=1']],
        'demo' => [3.0, ['SERVE=0']],
        'soak' => [4.0, ['SOAK=--requests=500 --kills=0', 'FIBERS=--requests=500']],
        'check-engine' => [4.0, ['PART=1/100']],
        'install' => [4.0, []],
        'check-84' => [4.0, ['SUITES=build preload']],
        'arginfo' => [2.5, []],
        'check-servers' => [5.0, []],
        'reference' => [1.5, []],
        'check-fleet' => [5.0, []],
        'format' => [2.0, []],
        'screenshots' => [4.0, []],
        'site' => [4.0, []],
        'package.xml' => [1.5, []],
        'names' => [1.5, []],
        'skills' => [1.5, []],
        'phar' => [1.5, []],
        'check-engine-all' => [4.0, ['MODES=exact', 'PART=1/200']],
        'lint' => [6.0, []],
        'assets' => [3.0, []],
        'uninstall' => [0.5, []],
        'frameworks' => [2.0, []],
        'check-85' => [4.0, ['SUITES=build preload']],
        'clean' => [0.5, []],
        'deps' => [3.0, []],
        'distclean' => [0.5, []],
        'check-86' => [4.0, ['SUITES=build preload']],
        'check-packages' => [6.0, ['SUITES=phpunit-phar']],
    ];

    /** Target => why it is not started so. */
    public const LEFT_OUT = [
        'help' => 'it prints the list',
        'test' => 'it is make check with other suites',
        'check-all' => 'it is make check with other suites, for two hours',
        'check-turn' => 'it is make check with other suites, of which this is one',
        'check-bare' => 'it is all of these',
        'turn' => 'it makes a commit',
        'check-arm64' => 'the emulation takes an hour',
    ];

    /** @param int $turn from 0 */
    public static function ofTurn(int $turn): string
    {
        return array_keys(self::ALL)[$turn % count(self::ALL)];
    }
}
