<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use PHPUnit\Framework\Attributes\DataProvider;
use Symfony\Component\Console\Command\Command;
use XHProf\App\Application;
use XHProf\Tests\Docs\Checker;
use XHProf\Tests\Docs\Markdown;

require_once __DIR__ . '/../../tools/docs/autoload.php';
require_once __DIR__ . '/CliTestCase.php';
foreach (['Checker', 'KnownNames', 'Markdown', 'ShellLine'] as $class) {
    require_once __DIR__ . "/../docs/$class.php";
}

/** What every command has, those of tomorrow too: help with examples that work, completion of its options, its part of the man page. */
final class CommandsTest extends CliTestCase
{
    private static ?Application $application = null;

    private static ?string $manual = null;

    /** @var array<string, string> by words */
    private static array $helps = [];

    public static function tearDownAfterClass(): void
    {
        self::$application = self::$manual = null;
        self::$helps = [];
    }

    /** @return iterable<string, array{string}> words behind xhprof: "run", "heap summary" */
    public static function commands(): iterable
    {
        foreach (self::application()->all() as $name => $command) {
            $isQuestion = str_contains($name, ':');
            if ($name === $command->getName() && ($isQuestion || !$command->isHidden())) {
                yield $name => [strtr($name, ':', ' ')];
            }
        }
    }

    public function testThereAreCommandsAndQuestions(): void
    {
        $names = array_keys(iterator_to_array(self::commands()));
        self::assertSame([], array_diff(['run', 'export', 'serve', 'heap', 'heap:summary', 'fleet:routes'], $names));
    }

    /** Each line of an example that names the command is one that it takes. */
    #[DataProvider('commands')]
    public function testItsHelpHasExamplesThatWork(string $words): void
    {
        $help = $this->help($words);
        preg_match_all('/^ +(xhprof .*?[^.\s])(?: {2,}\S.*)?$/m', (string) strstr($help, "\nHelp:\n"), $examples);
        $own = array_values(preg_grep("/(?<![\w-])xhprof $words(?![\w-])/", $examples[1]) ?: []);
        if (self::isAsked($words)) {
            // Its questions have them.
            self::assertSame([], $own);
            self::assertMatchesRegularExpression("/`xhprof $words (\w+) --help` explains one/", $help);
        } else {
            self::assertNotSame([], $own, "the help of `xhprof $words` has no example");
        }
        $page = new Markdown("```console\n$ " . implode("\n$ ", $own ?: ["true"]) . "\n```\n");
        self::assertSame([], (new Checker(self::ROOT))->wrongCommands($words, $page));
    }

    #[DataProvider('commands')]
    public function testItsHelpSaysWhatEachOptionAndArgumentIs(string $words): void
    {
        $command = self::command($words);
        self::assertNotSame('', $command->getDescription());
        foreach ([...$command->getDefinition()->getOptions(), ...$command->getDefinition()->getArguments()] as $one) {
            self::assertNotSame('', trim($one->getDescription()), "$words: {$one->getName()}");
        }
        // A flag that is off is no default that anyone has to know.
        self::assertDoesNotMatchRegularExpression('/\[default: (?:false|null|\[\]|"")\]/', $this->help($words));
    }

    #[DataProvider('commands')]
    public function testItsOptionsAreCompleted(string $words): void
    {
        $typed = ['xhprof', ...explode(' ', $words), '--'];
        $tokens = array_map(static fn (string $word): string => "-i$word", $typed);
        $result = $this->xhprof(['_complete', '-sbash', '-a1', '-c' . (count($typed) - 1), ...$tokens]);
        self::assertSame([0, ''], [$result->exitCode, $result->err]);
        $offered = explode("\n", trim($result->out));
        foreach (self::command($words)->getDefinition()->getOptions() as $option) {
            self::assertContains('--' . $option->getName(), $offered);
        }
    }

    #[DataProvider('commands')]
    public function testItIsInTheManPage(string $words): void
    {
        $section = explode("\n.SH ", (string) strstr($this->manual(), '.SH ' . strtoupper("xhprof $words") . "\n"))[0];
        self::assertNotSame('', $section, "xhprof.1 has no section of `xhprof $words`");
        $plain = self::plain($section);
        foreach (self::command($words)->getDefinition()->getOptions() as $option) {
            self::assertMatchesRegularExpression("/^\.B .*--{$option->getName()}(?![\w-])/m", $plain);
        }
        self::assertStringContainsString(self::command($words)->getDescription(), $plain);
        // What a sentence says of an option is no item of the list.
        preg_match_all('/^\.B (?:-\w, )?--(\w[\w-]*)/m', $plain, $items);
        self::assertSame(array_unique($items[1]), $items[1]);
    }

    private function help(string $words): string
    {
        if (!isset(self::$helps[$words])) {
            $result = $this->xhprof([...explode(' ', $words), '--help']);
            self::assertSame([0, ''], [$result->exitCode, $result->err]);
            self::$helps[$words] = $result->out;
        }

        return self::$helps[$words];
    }

    /** The man page of this program; it is made once. */
    private function manual(): string
    {
        if (self::$manual === null) {
            // Of the other program it wants a help.
            file_put_contents("$this->folder/inspect", "#!/bin/sh\necho 'Looks into processes.'\n");
            chmod("$this->folder/inspect", 0o755);
            $xhprof = (string) realpath(self::ROOT . '/bin/xhprof');
            $result = $this->process([PHP_BINARY, self::ROOT . '/tools/man.php', $xhprof, "$this->folder/inspect", $this->folder]);
            self::assertSame([0, ''], [$result->exitCode, $result->err]);
            self::$manual = (string) file_get_contents("$this->folder/xhprof.1");
        }

        return self::$manual;
    }

    private static function plain(string $roff): string
    {
        return strtr($roff, ['\\-' => '-', '\\e' => '\\']);
    }

    /** Whether it is a command whose questions are commands of their own. */
    private static function isAsked(string $words): bool
    {
        return self::application()->all($words) !== [];
    }

    private static function command(string $words): Command
    {
        $command = self::application()->get(strtr($words, ' ', ':'));
        $command->mergeApplicationDefinition(false);

        return $command;
    }

    private static function application(): Application
    {
        return self::$application ??= new Application(self::ROOT);
    }
}
