<?php

declare(strict_types=1);

namespace XHProf\Tests\Inspector;

use PHPUnit\Framework\Attributes\Group;

require_once __DIR__ . '/InspectorTestCase.php';

/** Images that are damaged or made up: one line, or a snapshot of the readable parts; never a crash or a hang. */
#[Group('inspect')]
final class ImageTest extends InspectorTestCase
{
    private const PAGE = 4096;

    private string $image = '';

    protected function setUp(): void
    {
        parent::setUp();
        $pid = $this->target(<<<'PHP'
            class Item { public $x; public $y; }
            $all = [];
            for ($i = 0; $i < 200; $i++) { $item = new Item(); $item->x = "item $i"; $item->y = fn () => $item; $all[] = $item; }
            $map = new WeakMap();
            $map[$item] = new SplObjectStorage();
            $fiber = new Fiber(function () { Fiber::suspend(); });
            $fiber->start();
            function generate() { yield 1; }
            $generator = generate();
            $generator->current();
            wait();
            PHP);
        $result = $this->inspect(['image', '-p', (string) $pid, '-o', "$this->folder/image"]);
        self::assertSame(0, $result->exitCode, $result->err);
        $this->image = (string) file_get_contents("$this->folder/image");
        posix_kill($pid, SIGKILL);
    }

    public function testNoImage(): void
    {
        file_put_contents("$this->folder/text", str_repeat('no image ', 1000));

        self::assertRefusal(11, '/it is not an image of xhprof-inspect/', $this->inspect(['memory', "--image=$this->folder/text"]));
        self::assertRefusal(11, '/No such file/', $this->inspect(['memory', "--image=$this->folder/absent"]));
        self::assertRefusal(11, '/it is not a file/', $this->inspect(['memory', "--image=$this->folder"]));
        $other = substr_replace($this->image, 'API20990101,NTS', 16, 15);
        file_put_contents("$this->folder/other", $other);
        self::assertRefusal(11, '/another version of PHP/', $this->inspect(['memory', "--image=$this->folder/other"]));
    }

    public function testImageThatIsCutShort(): void
    {
        mt_srand(1);
        for ($i = 0; $i < 10; $i++) {
            $this->assertEndsWell(substr($this->image, 0, mt_rand(0, strlen($this->image) - 1)), [11]);
        }
    }

    public function testDamagedImages(): void
    {
        mt_srand(2);
        $used = [];
        for ($at = 0; $at + self::PAGE <= strlen($this->image); $at += self::PAGE) {
            if (trim(substr($this->image, $at, self::PAGE), "\0") !== '') {
                $used[] = $at;
            }
        }
        $page = static fn (): int => $used[mt_rand(0, count($used) - 1)];
        for ($i = 0; $i < 24; $i++) {
            $bytes = $this->image;
            for ($n = [1, 30, 1000, 10000][mt_rand(0, 3)]; $n > 0; $n--) {
                $to = $page();
                match ($i % 4) {
                    0 => $bytes[$to + mt_rand(0, self::PAGE - 1)] = chr(mt_rand(0, 255)),
                    // A pointer to another place.
                    1 => self::put($bytes, $to + 8 * mt_rand(0, 511), substr($this->image, $page() + 8 * mt_rand(0, 511), 8)),
                    2 => $n % 50 === 0 && self::put($bytes, $to, substr($this->image, $page(), self::PAGE)),
                    3 => $bytes[mt_rand(0, 12000)] = chr(mt_rand(0, 255)),
                };
            }
            $this->assertEndsWell($bytes, [0, 1, 11]);
        }
    }

    private static function put(string &$bytes, int $at, string $what): bool
    {
        for ($i = 0; $i < strlen($what); $i++) {
            $bytes[$at + $i] = $what[$i];
        }

        return true;
    }

    /** @param list<int> $codes */
    private function assertEndsWell(string $bytes, array $codes): void
    {
        file_put_contents("$this->folder/damaged", $bytes);

        $result = $this->inspect(['memory', "--image=$this->folder/damaged"]);

        self::assertContains($result->exitCode, $codes, $result->err);
        if ($result->exitCode === 0) {
            self::assertSame('', $result->err);
            $last = strrpos(rtrim($result->out, "\n"), "\n");
            // As an array: PHP's objects have no property whose name begins with NUL.
            json_decode(substr($result->out, (int) $last), true, 512, JSON_THROW_ON_ERROR);
        } else {
            self::assertMatchesRegularExpression('/\Axhprof-inspect: [^\n]+\n\z/', $result->err);
        }
    }
}
