<?php

declare(strict_types=1);

namespace XHProf\Tests\Tools;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** tools/lint/owners.php: a global of the extension is written by its module alone. */
final class OwnersTest extends TestCase
{
    private const GLOBALS = <<<'C'
        ZEND_BEGIN_MODULE_GLOBALS(xhprof)
        	xhprof_tracer tracer; /* trace/tracer */
        	struct {
        		int state;
        		char text[8];
        	} session;            /* hook/session: what runs */
        	struct facts *facts;  /* hook/facts; or NULL */
        ZEND_END_MODULE_GLOBALS(xhprof)
        C;

    private string $folder;

    protected function setUp(): void
    {
        $this->folder = sys_get_temp_dir() . '/xhprof-owners-' . bin2hex(random_bytes(6));
        mkdir("$this->folder/hook", 0700, true);
        mkdir("$this->folder/trace", 0700);
        file_put_contents("$this->folder/php_xhprof.h", self::GLOBALS);
        foreach (['trace/tracer', 'hook/session', 'hook/facts'] as $module) {
            file_put_contents("$this->folder/$module.c", '');
        }
    }

    protected function tearDown(): void
    {
        array_map(unlink(...), glob("$this->folder/{*/*,*.*}", GLOB_BRACE) ?: []);
        array_map(rmdir(...), glob("$this->folder/*") ?: []);
        rmdir($this->folder);
    }

    /** @return array<string, array{string, string}> code of a function, and the module in the message */
    public static function offences(): array
    {
        return [
            'assignment' => ['XHPROF_G(session).state = 1;', 'hook/session'],
            'assignment to an element' => ['XHPROF_G(session).text[i + 1] = 0;', 'hook/session'],
            'to what it points to' => ['*XHPROF_G(session).text = 0;', 'hook/session'],
            'pointer itself' => ['XHPROF_G(facts) = NULL;', 'hook/facts'],
            'operator' => ['XHPROF_G(session).state |= 2;', 'hook/session'],
            'shift' => ['XHPROF_G(session).state <<= 2;', 'hook/session'],
            'increment' => ['XHPROF_G(session).state++;', 'hook/session'],
            'decrement before' => ['if (--XHPROF_G(session).state) {', 'hook/session'],
            'part of a part' => ['XHPROF_G(tracer).tree.nodes = 0;', 'trace/tracer'],
            'within a condition' => ['while ((XHPROF_G(session).state = next())) {', 'hook/session'],
            'globals of a thread' => ['globals->session.state = 0;', 'hook/session'],
            'pointer' => ["xhprof_tracer *tracer = &XHPROF_G(tracer);\n\ttracer->mode = 0;", 'trace/tracer'],
            'pointer to a part' => ["log *samples = &XHPROF_G(tracer).samples;\n\tsamples->count += 2;", 'trace/tracer'],
            'increment by a pointer' => ["xhprof_tracer *tracer = &XHPROF_G(tracer);\n\ttracer->tree.nodes++;", 'trace/tracer'],
            'plain pointer' => ["int *state = &XHPROF_G(session).state;\n\t*state = 1;", 'hook/session'],
            'memory' => ['memset(&XHPROF_G(session), 0, 4);', 'hook/session'],
            'text' => ['memcpy(XHPROF_G(session).text, "idle", 5);', 'hook/session'],
            'atomic' => ['__atomic_add_fetch(&XHPROF_G(session).state, 1, __ATOMIC_RELAXED);', 'hook/session'],
            'function of the file' => ['forget(&XHPROF_G(tracer));', 'trace/tracer'],
        ];
    }

    #[DataProvider('offences')]
    public function testWritingFromAnotherFileIsAnOffence(string $code, string $module): void
    {
        $line = 3 + substr_count($code, "\n");
        $this->write('hook/other.c', $code);
        [$exit, $output] = $this->lint();
        self::assertSame(1, $exit);
        $offence = "~^extension/hook/other\\.c:$line: only $module writes XHPROF_G\\(\\w+\\)\$~";
        self::assertMatchesRegularExpression($offence, $output);
        unlink("$this->folder/hook/other.c");
        $this->write("$module.c", $code);
        self::assertSame([0, ''], $this->lint());
    }

    /** @return array<string, array{string}> */
    public static function others(): array
    {
        return [
            'reading' => ['return XHPROF_G(session).state == 1 && XHPROF_G(session).state <= 2;'],
            'what a pointer leads to' => ['XHPROF_G(facts)->known = true;'],
            'pointer to const' => ["const xhprof_tracer *tracer = &XHPROF_G(tracer);\n\treturn tracer->mode;"],
            'public function' => ['xhprof_tracer_stop(&XHPROF_G(tracer));'],
            'hot path' => ['xhprof_tracer_end_any(&XHPROF_G(tracer), symbol);'],
            'reading by a pointer' => ["xhprof_tracer *tracer = &XHPROF_G(tracer);\n\treturn tracer->mode == 1;"],
            'atomic reading' => ['__atomic_load_n(&XHPROF_G(session).state, __ATOMIC_RELAXED);'],
            'comment' => ["/* XHPROF_G(session).state = 1; */\n\t// XHPROF_G(session).state = 1;"],
            'text' => ['puts("XHPROF_G(session).state = 1;");'],
            'another function' => [
                "xhprof_tracer *tracer = &XHPROF_G(tracer);\n}\n\nvoid other(own *tracer)\n{\n\ttracer->mode = 0;",
            ],
        ];
    }

    #[DataProvider('others')]
    public function testReadingAndCallingIsNone(string $code): void
    {
        $this->write('hook/other.c', $code);
        self::assertSame([0, ''], $this->lint());
    }

    public function testEveryMemberHasAModule(): void
    {
        file_put_contents("$this->folder/php_xhprof.h", str_replace(' /* trace/tracer */', '', self::GLOBALS));
        unlink("$this->folder/hook/session.c");
        self::assertSame([1, implode("\n", [
            'extension/php_xhprof.h: tracer: a comment beside it has to name the module that writes it',
            'extension/php_xhprof.h: session: a comment beside it has to name the module that writes it',
        ])], $this->lint());
    }

    private function write(string $file, string $code): void
    {
        file_put_contents("$this->folder/$file", "void function(void)\n{\n\t$code\n}\n");
    }

    /** @return array{int, string} exit code and output */
    private function lint(): array
    {
        $lint = __DIR__ . '/../../tools/lint/owners.php';
        exec(escapeshellarg(PHP_BINARY) . " -n $lint " . escapeshellarg($this->folder), $lines, $exit);
        return [$exit, implode("\n", $lines)];
    }
}
