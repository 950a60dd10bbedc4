<?php

declare(strict_types=1);

namespace XHProf\Tests\Docs;

use Symfony\Component\Console\Exception\ExceptionInterface;
use XHProf\App\Application;
use XHProf\App\CommandLine;
use XHProf\App\Pages;
use XHProf\Heap\Cli\HeapCommand;
use XHProf\Share\AllFormats;

/** Finds names in a page of the documentation that do not exist in the project. */
final class Checker
{
    /** Names like "xhprof.so", which are files, not settings. */
    private const FILES = ['so', 'c', 'h', 'ini', 'php', 'stub', 'html', 'git', 'conf', 'phar'];

    private readonly Application $application;

    private readonly KnownNames $names;

    /** @var array<string, string> help texts of xhprof-inspect by command; '' without one */
    private array $inspectHelp = [];

    /** @param string $root of the project */
    public function __construct(private readonly string $root)
    {
        $this->application = new Application($root);
        $this->names = new KnownNames($root);
    }

    /**
     * @param string $file relative to the root
     *
     * @return list<string> links that lead nowhere
     */
    public function brokenLinks(string $file, Markdown $page): array
    {
        $broken = [];
        foreach ($page->links() as $link) {
            if (preg_match('~\A(?:https?|mailto):~', $link) === 1) {
                continue;
            }
            [$path, $anchor] = explode('#', $link, 2) + [1 => ''];
            $target = $path === '' ? "$this->root/$file" : $this->root . '/' . dirname($file) . "/$path";
            if (!file_exists($target)) {
                $broken[] = "$file: $link: there is no such file";
            } elseif ($anchor !== '') {
                $of = $path === '' ? $page : new Markdown((string) file_get_contents($target));
                if (!in_array($anchor, $of->anchors(), true)) {
                    $broken[] = "$file: $link: there is no such heading";
                }
            }
        }

        return $broken;
    }

    /**
     * @param string $file relative to the root
     *
     * @return list<string> commands, options and targets that do not exist
     */
    public function wrongCommands(string $file, Markdown $page): array
    {
        $wrong = [];
        // In a line of text arguments may be left out.
        $lines = [...array_fill_keys($page->spans(), false), ...array_fill_keys($page->commandLines(), true)];
        foreach ($lines as $line => $isWhole) {
            $isOfPhpize = preg_match('~phpize|\./configure|cd extension~', (string) $line) === 1;
            foreach (ShellLine::commands((string) $line) as $words) {
                $problem = match (true) {
                    preg_match('~\A(?:\S*/)?xhprof\z~', $words[0]) === 1 => $this->problemOfXhprof($words, $isWhole),
                    preg_match('~\A(?:\S*/)?xhprof-inspect\z~', $words[0]) === 1 => $this->problemOfInspect($words),
                    $words[0] === 'make' && !$isOfPhpize => $this->problemOfMake($words),
                    default => null,
                };
                if ($problem !== null) {
                    $wrong[] = "$file: " . implode(' ', $words) . ": $problem";
                }
            }
        }

        return $wrong;
    }

    /**
     * @param string $file relative to the root
     *
     * @return list<string> settings, functions, variables and source files that do not exist
     */
    public function unknownNames(string $file, Markdown $page): array
    {
        $unknown = [];
        $text = $page->text();
        preg_match_all('~(?<![\w/.%-])((?:xhprof|memprof)\.([a-z_]+))(?![\w*(/-])~', $text, $settings, PREG_SET_ORDER);
        foreach ($settings as [, $name, $end]) {
            if (!in_array($end, self::FILES, true) && !$this->names->isSetting($name)) {
                $unknown[] = "$file: there is no setting $name";
            }
        }
        $isOfSources = preg_match('~\A(?:extension/|malloc/|inspect/|CONTRIBUTING)~', $file) === 1;
        preg_match_all('~(?<![\w/$>.-])((?:tideways_xhprof|memprof|xhprof)_\w+)\(~', $text, $functions);
        foreach ($functions[1] as $name) {
            if (!$this->names->isFunction($name) && !($isOfSources && $this->names->isWord($name))) {
                $unknown[] = "$file: there is no function $name()";
            }
        }
        preg_match_all('~\b(?:XHPROF|MEMPROF)_[A-Z_]*[A-Z_]~', $text, $words);
        foreach ($words[0] as $name) {
            if (!$this->names->isWord($name)) {
                $unknown[] = "$file: no source knows $name";
            }
        }
        if ($isOfSources) {
            array_push($unknown, ...$this->unknownSources($file, $page));
        }

        return array_values(array_unique($unknown));
    }

    /**
     * @return list<string> identifiers and files of the C sources that do not exist
     */
    private function unknownSources(string $file, Markdown $page): array
    {
        $unknown = [];
        $blocks = array_column(array_filter($page->blocks, static fn(array $block): bool => $block['language'] === 'c'), 'text');
        foreach ([...$page->spans(), ...$blocks] as $code) {
            preg_match_all('~\bxhprof_\w+~', $code, $names);
            foreach ($names[0] as $name) {
                if (!$this->names->isWord($name)) {
                    $unknown[] = "$file: no source has $name";
                }
            }
        }
        foreach ($page->spans() as $span) {
            if (preg_match('~\A[\w/]+\.(?:c|h|phpt|inc)\z~', $span) === 1 && !$this->names->isSource($span)) {
                $unknown[] = "$file: there is no $span";
            }
        }

        return $unknown;
    }

    /**
     * @param list<string> $words
     */
    private function problemOfXhprof(array $words, bool $isWhole): ?string
    {
        $before = $_SERVER['argv'] ?? [];
        $_SERVER['argv'] = ['xhprof', ...array_slice($words, 1)];
        try {
            $input = CommandLine::input($this->application);
            $name = $input->getFirstArgument();
            if ($name === null || $name === 'COMMAND') {
                return null;
            }
            $command = $this->application->get($name);
            $command->mergeApplicationDefinition();
            $input->bind($command->getDefinition());
            if ($isWhole && !$input->hasParameterOption(['--help', '-h'], true)) {
                $input->validate();
            }
            $question = $name === HeapCommand::NAME ? $input->getArgument('question') : null;
            if (is_string($question)) {
                return "there is no question $question";
            }
            $format = $name === 'export' ? $input->getOption('format') : null;

            $isKnown = !is_string($format) || array_key_exists($format, AllFormats::of(Pages::all()));

            return $isKnown ? null : "there is no format $format";
        } catch (ExceptionInterface $e) {
            return $e->getMessage();
        } finally {
            $_SERVER['argv'] = $before;
        }
    }

    /**
     * @param list<string> $words
     */
    private function problemOfInspect(array $words): ?string
    {
        $command = $words[1] ?? '';
        if (preg_match('~\A[a-z]+\z~', $command) !== 1) {
            return preg_match('~\A(?:|--help|--version|COMMAND)\z~', $command) === 1 ? null : "there is no command $command";
        }
        if (!str_contains($this->inspectHelp(''), "xhprof-inspect $command ")) {
            return "there is no command $command";
        }
        $help = $this->inspectHelp($command) . ' --help ';
        foreach (array_slice($words, 2) as $word) {
            if ($word === '--') {
                break;
            }
            [$option, $value] = explode('=', $word, 2) + [1 => ''];
            if (str_starts_with($word, '-') && preg_match('~(?<![\w-])' . preg_quote($option, '~') . '(?![\w-])~', $help) !== 1) {
                return "there is no option $option";
            }
            if ($option === '--format' && !$this->inspectTakes($command, $value)) {
                return "there is no format $value";
            }
        }

        return null;
    }

    private function inspectHelp(string $command): string
    {
        return $this->inspectHelp[$command] ??= (string) shell_exec(
            escapeshellarg("$this->root/bin/xhprof-inspect") . ($command === '' ? '' : " $command") . ' --help 2>&1',
        );
    }

    /** Whether the command accepts the arguments and looks for a process, of a number that does not exist. */
    private function inspectTakes(string $command, string $format): bool
    {
        $line = [$this->root . '/bin/xhprof-inspect', $command, "--format=$format", '-p', '2147483647', '-o', '/dev/null'];
        exec(implode(' ', array_map(escapeshellarg(...), $line)) . ' 2>&1', $output, $status);

        return $status !== 2;
    }

    /**
     * @param list<string> $words
     */
    private function problemOfMake(array $words): ?string
    {
        foreach (array_slice($words, 1) as $word) {
            if (str_starts_with($word, '-')) {
                return null;
            }
            if (!str_contains($word, '=') && !$this->names->isTarget($word)) {
                return "there is no target $word";
            }
        }

        return null;
    }
}
