<?php

declare(strict_types=1);

namespace XHProf\Tests\Tools;

use PHPUnit\Framework\TestCase;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/../lib/Support/TemporaryFolder.php';

/** What the scripts in tools share. */
final class EnvTest extends TestCase
{
    use TemporaryFolder;

    protected function setUp(): void
    {
        mkdir("$this->folder/tools", recursive: true);
        mkdir("$this->folder/bin");
        copy(dirname(__DIR__, 2) . '/tools/env.sh', "$this->folder/tools/env.sh");
    }

    public function testAllProgramsHaveToBeThere(): void
    {
        self::assertSame([0, ''], $this->shell('have sh cat'));
        self::assertSame([1, ''], $this->shell('have sh no-such-program'));
        self::assertSame([1, ''], $this->shell('have no-such-program sh'));
    }

    public function testAStepIsDoneOnceForEachKey(): void
    {
        $step = fn(string $key): string => "once step $key '$this->folder/made' 'Making it' touch '$this->folder/made'";
        self::assertSame([0, "Making it ...\n"], $this->shell($step('a')));
        self::assertSame([0, ''], $this->shell($step('a')));
        self::assertSame([0, "Making it ...\n"], $this->shell($step('b')));
        unlink("$this->folder/made");
        self::assertSame([0, "Making it ...\n"], $this->shell($step('b')));
        self::assertSame([1, "Failing ...\n"], $this->shell("once step c '$this->folder/made' Failing false"));
        self::assertSame([0, ''], $this->shell($step('b')));
    }

    /** Only root can read the lists of packages again. */
    public function testAFailedDownloadIsTriedAgainWithNewLists(): void
    {
        $this->program('apt-get', "echo \"\$*\" | sed 's/.*Timeout=300 //' >>'$this->folder/asked'; exit 100");
        $downloads = [
            '0' => ['download -o APT::Sandbox::User=root a b', 'update'],
            '1000' => ['download a b'],
        ];
        foreach ($downloads as $user => $asked) {
            $this->program('id', "echo $user");
            self::assertNotSame(0, $this->shell('with_new_lists apt_download a b')[0]);
            self::assertSame($asked, file("$this->folder/asked", FILE_IGNORE_NEW_LINES));
            unlink("$this->folder/asked");
        }
        $this->program('apt-get', "case \$* in *update) touch '$this->folder/lists' ;; *) test -e '$this->folder/lists' ;; esac");
        $this->program('id', 'echo 0');
        self::assertSame(0, $this->shell('with_new_lists apt_download a b')[0]);
    }

    /** As dpkg-query answers: it ends well for what was removed, for what others only name, and for two architectures. */
    public function testWhatDpkgOnlyKnowsIsNotInstalled(): void
    {
        $this->program('dpkg-query', 'for name; do :; done; case $name in
            here) echo "ii " ;; both) printf "un \\nii \\n" ;;
            half) echo "iU " ;; named) echo "un " ;; removed) echo "rc " ;; *) exit 1 ;;
            esac');
        foreach (['here', 'both', 'here both'] as $packages) {
            self::assertSame([0, ''], $this->shell("is_installed $packages"), $packages);
        }
        foreach (['half', 'named', 'removed', 'unknown', 'here named', 'removed here'] as $packages) {
            self::assertSame([1, ''], $this->shell("is_installed $packages"), $packages);
        }
    }

    /** No script asks dpkg in another way. */
    public function testOneFunctionSaysWhatIsInstalled(): void
    {
        $asking = [];
        foreach (glob(dirname(__DIR__, 2) . '/{tools,tools/*,tests/*}/*.sh', GLOB_BRACE) ?: [] as $script) {
            // A version that is asked for is not of what is installed alone.
            $asks = '~dpkg-query(?! -W -f \'\$\{Version\}\')|dpkg (-s|-l|--status|--list)\b~';
            if (preg_match($asks, (string) file_get_contents($script)) === 1) {
                $asking[] = basename($script);
            }
        }
        self::assertSame(['env.sh'], $asking);
    }

    private function program(string $name, string $code): void
    {
        file_put_contents("$this->folder/bin/$name", "#!/bin/sh\n$code\n");
        chmod("$this->folder/bin/$name", 0o755);
    }

    /**
     * @return array{int, string} exit code and output
     * @phpstan-impure
     */
    private function shell(string $command): array
    {
        $environment = ['PATH' => "$this->folder/bin:" . getenv('PATH')] + getenv();
        $bash = proc_open(
            ['bash', '-c', ". '$this->folder/tools/env.sh'; $command"],
            [1 => ['pipe', 'w'], 2 => ['file', '/dev/null', 'w']],
            $pipes,
            $this->folder,
            $environment,
        );
        self::assertIsResource($bash);
        $output = (string) stream_get_contents($pipes[1]);

        return [proc_close($bash), $output];
    }
}
