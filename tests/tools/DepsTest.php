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

    public function testEveryTargetNamesDependenciesThatAreKnown(): void
    {
        $root = dirname(__DIR__, 2);
        preg_match('/^groups=\((.*)\)$/m', (string) file_get_contents("$root/tools/deps.sh"), $groups);
        preg_match_all('~tools/deps\.sh (\S+)~', (string) file_get_contents("$root/Makefile"), $named);
        self::assertGreaterThan(10, count(array_unique($named[1])));
        self::assertSame([], array_diff($named[1], explode(' ', $groups[1] ?? '')));
        exec("bash $root/tools/deps.sh pakcage 2>&1", $output, $code);
        self::assertSame(2, $code);
        self::assertStringStartsWith('There are no dependencies of "pakcage"; take one of: assets build ', implode("\n", $output));
    }

    public function testThePackageListsAreReadOnceForBuildAndInstall(): void
    {
        $folder = sys_get_temp_dir() . '/xhprof-deps-' . bin2hex(random_bytes(6));
        mkdir("$folder/tools", recursive: true);
        mkdir("$folder/bin");
        foreach (['deps.sh', 'env.sh'] as $script) {
            copy(dirname(__DIR__, 2) . "/tools/$script", "$folder/tools/$script");
        }
        // A machine where root finds a compiler missing, and apt-get notes what it is asked for and installs nothing.
        $programs = [
            'id' => 'echo 0',
            'apt-cache' => 'exit 0',
            'apt-get' => "echo \"\$*\" | grep -oE 'update|install .*' >>'$folder/asked'",
        ];
        foreach ($programs as $program => $code) {
            file_put_contents("$folder/bin/$program", "#!/bin/sh\n$code\n");
            chmod("$folder/bin/$program", 0o755);
        }
        foreach ([1, 2] as $_) {
            $output = [1 => ['pipe', 'w'], 2 => ['pipe', 'w']];
            $deps = proc_open(['bash', "$folder/tools/deps.sh", 'build'], $output, $pipes, $folder, [
                'CC' => "$folder/no-compiler",
                'PATH' => "$folder/bin:" . getenv('PATH'),
            ] + getenv());
            self::assertIsResource($deps);
            stream_get_contents($pipes[1]);
            self::assertStringContainsString('Still missing after the installation: gcc', (string) stream_get_contents($pipes[2]));
            self::assertSame(1, proc_close($deps));
        }
        $install = 'install --no-install-recommends gcc';
        $asked = preg_replace('/ gcc .*/', ' gcc', file("$folder/asked", FILE_IGNORE_NEW_LINES) ?: []);
        exec('rm -r ' . escapeshellarg($folder));
        self::assertSame(['update', $install, $install], $asked);
    }
}
