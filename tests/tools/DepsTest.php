<?php

declare(strict_types=1);

namespace XHProf\Tests\Tools;

use PHPUnit\Framework\TestCase;

/** tools/deps.sh reports problems, not what is present. */
final class DepsTest extends TestCase
{
    public function testAPhpConfigThatDoesNotExistIsNoMissingPackage(): void
    {
        foreach (['/opt/none/bin/php-config' => 'does not exist', __FILE__ => 'cannot be executed'] as $config => $why) {
            $root = dirname(__DIR__, 2);
            $deps = proc_open(['bash', "$root/tools/deps.sh", 'build'], [2 => ['pipe', 'w']], $pipes, $root, [
                'PHP_CONFIG' => $config,
            ] + getenv());
            self::assertIsResource($deps);
            $errors = stream_get_contents($pipes[2]);
            self::assertSame(1, proc_close($deps));
            self::assertSame("$config $why\n", $errors);
        }
    }
}
