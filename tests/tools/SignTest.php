<?php

declare(strict_types=1);

namespace XHProf\Tests\Tools;

use PHPUnit\Framework\TestCase;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/../lib/Support/TemporaryFolder.php';

/** tools/sign.sh: the list of sums of a release, signed with a key that is made here and thrown away. */
final class SignTest extends TestCase
{
    use TemporaryFolder;

    private const KEY = 'Throwaway <release@example.org>';

    private string $sums;

    protected function setUp(): void
    {
        if (trim((string) shell_exec('command -v gpg')) === '') {
            self::markTestSkipped('gpg is missing (apt-get install gnupg)');
        }
        $this->sums = "$this->folder/SHA256SUMS";
        file_put_contents($this->sums, hash('sha256', 'phar') . "  xhprof.phar\n");
    }

    protected function tearDown(): void
    {
        // Its agent ends with its folder, a little later: it would write into a folder that is being removed.
        is_dir("$this->folder/gpg") && $this->gpg('gpgconf --kill all');
    }

    public function testTheSignatureIsOfThisListAndKey(): void
    {
        $this->makeKey('gpg');
        [$code, $printed] = $this->sign('release@example.org');
        self::assertSame([0, "SHA256SUMS is signed with release@example.org: SHA256SUMS.asc\n"], [$code, $printed]);
        self::assertStringStartsWith('-----BEGIN PGP SIGNATURE-----', (string) file_get_contents("$this->sums.asc"));
        self::assertSame(0, $this->gpg("gpg --batch --verify '$this->sums.asc' '$this->sums'")[0]);
        // One who has only the public key verifies it, and sees a change.
        $public = "gpg --batch --armor --export release@example.org > '$this->folder/public.asc'";
        self::assertSame(0, $this->gpg($public)[0]);
        mkdir("$this->folder/other", 0o700);
        $other = ['GNUPGHOME' => "$this->folder/other"];
        self::assertSame(0, $this->shell("gpg --batch --import '$this->folder/public.asc'", $other)[0]);
        self::assertSame(0, $this->shell("gpg --batch --verify '$this->sums.asc' '$this->sums'", $other)[0]);
        file_put_contents($this->sums, hash('sha256', 'another') . "  xhprof.phar\n");
        [$code, $printed] = $this->shell("gpg --batch --verify '$this->sums.asc' '$this->sums'", $other);
        self::assertSame(1, $code);
        self::assertStringContainsString('BAD signature', $printed);
        $this->shell('gpgconf --kill all', $other);
    }

    public function testWithoutAKeyItSaysSoAndLeavesNoOldSignature(): void
    {
        file_put_contents("$this->sums.asc", 'of another list');
        self::assertSame([0, "SHA256SUMS is not signed: XHPROF_SIGN_KEY names no key\n"], $this->sign(''));
        self::assertFileDoesNotExist("$this->sums.asc");
    }

    public function testAKeyThatIsNotThereIsNoReleaseWithoutASignature(): void
    {
        mkdir("$this->folder/gpg", 0o700);
        [$code, $printed] = $this->sign('nobody@example.org');
        self::assertNotSame(0, $code);
        self::assertStringContainsString('nobody@example.org', $printed);
        self::assertFileDoesNotExist("$this->sums.asc");
    }

    private function makeKey(string $folder): void
    {
        mkdir("$this->folder/$folder", 0o700);
        $make = "gpg --batch --pinentry-mode loopback --passphrase '' --quick-generate-key '" . self::KEY . "' ed25519 sign never";
        [$code, $printed] = $this->gpg($make);
        self::assertSame(0, $code, $printed);
    }

    /** @return array{int, string} */
    private function sign(string $key): array
    {
        return $this->gpg(dirname(__DIR__, 2) . "/tools/sign.sh '$this->sums'", ['XHPROF_SIGN_KEY' => $key]);
    }

    /**
     * @param array<string, string> $environment
     *
     * @return array{int, string}
     */
    private function gpg(string $command, array $environment = []): array
    {
        return $this->shell($command, ['GNUPGHOME' => "$this->folder/gpg"] + $environment);
    }

    /**
     * @param array<string, string> $environment
     *
     * @return array{int, string} exit code, all that it prints
     */
    private function shell(string $command, array $environment): array
    {
        $output = ['file', "$this->folder/.printed", 'w'];
        $streams = [['file', '/dev/null', 'r'], $output, $output];
        $process = proc_open("$command 2>&1", $streams, $pipes, null, $environment + getenv());
        self::assertIsResource($process);
        $code = proc_close($process);
        return [$code, (string) file_get_contents("$this->folder/.printed")];
    }
}
