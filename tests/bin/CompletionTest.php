<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use PHPUnit\Framework\Attributes\DataProvider;

require_once __DIR__ . '/CliTestCase.php';

/** The words offered to a shell, requested as by the scripts of `xhprof completion`. */
final class CompletionTest extends CliTestCase
{
    /** bash-completion's helpers, as far as the script uses them. */
    private const HELPERS = <<<'BASH'
        _get_comp_words_by_ref() { cur=${COMP_WORDS[COMP_CWORD]}; words=("${COMP_WORDS[@]}"); cword=$COMP_CWORD; }
        __ltrim_colon_completions() { :; }
        BASH;

    protected function setUp(): void
    {
        parent::setUp();
        $this->store()->save(['main()' => ['ct' => 1, 'wt' => 9]], 'web', 'aaaa1111', ['command' => "php a\tb.php"]);
    }

    /** @return iterable<string, array{list<string>, list<string>, list<string>}> words, offered words, words not offered */
    public static function lines(): iterable
    {
        yield 'commands' => [['rep'], ['report'], ['run', 'heap:retained', '_complete']];
        yield 'all commands' => [[''], ['run', 'heap', 'serve', 'list'], ['overview']];
        yield 'options' => [['report', '--so'], ['--sort', '--source'], ['--no-interaction']];
        yield 'runs' => [['report', ''], ['latest', 'aaaa1111'], []];
        yield 'the second run' => [['diff', 'latest', ''], ['latest', 'aaaa1111'], []];
        yield 'runs of a check, and its forms' => [['check', ''], ['latest', 'aaaa1111'], []];
        yield 'forms' => [['check', '--format='], ['junit', 'markdown'], ['speedscope']];
        yield 'formats' => [['export', '--format='], ['speedscope', 'chrome'], []];
        yield 'questions' => [['heap', 's'], ['summary'], []];
        yield 'options of a question' => [['heap', 'paths', '--cl'], ['--class'], ['--native']];
        yield 'shells' => [['completion', ''], ['bash', 'zsh', 'fish'], []];
        yield 'nothing of ours' => [['import', ''], [], ['aaaa1111']];
    }

    /**
     * The call that each script makes, with its own options.
     *
     * @param list<string> $words
     * @param list<string> $offered
     * @param list<string> $others
     */
    #[DataProvider('lines')]
    public function testWhatScriptsAskForIsAnswered(array $words, array $offered, array $others): void
    {
        foreach (['bash', 'zsh', 'fish'] as $shell) {
            $options = $this->optionsOf($shell);
            $typed = array_filter(['xhprof', ...$words], static fn (string $word): bool => $word !== '');
            $tokens = array_map(static fn (string $word): string => "-i$word", array_values($typed));
            $result = $this->xhprof(['_complete', ...$options, '-c' . count($words), '-a1', ...$tokens]);
            self::assertSame([0, ''], [$result->exitCode, $result->err], $shell);
            $answers = array_map(
                static fn (string $line): string => explode("\t", $line)[0],
                array_filter(explode("\n", $result->out)),
            );
            self::assertSame([], array_diff($offered, $answers), "$shell: $result->out");
            self::assertSame([], array_intersect($others, $answers), $shell);
        }
    }

    /** @return list<string> with which the script of a shell asks for answers; each script is printed once for all questions */
    private function optionsOf(string $shell): array
    {
        static $known = [];
        if (!isset($known[$shell])) {
            $script = $this->xhprof(['completion', $shell]);
            self::assertSame([0, ''], [$script->exitCode, $script->err]);
            $call = '/"?\b_complete\b"?((?: +"?--?[a-z-]+(?:\d+|\b)"?)+)/';
            self::assertSame(1, preg_match($call, $script->out, $match), $shell);
            $options = preg_split('/[" ]+/', trim($match[1] ?? '', '" ')) ?: [];
            self::assertContains("-s$shell", $options);
            $known[$shell] = array_values(array_filter($options, static fn (string $option): bool => $option !== '-c'));
        }

        return $known[$shell];
    }

    /**
     * @param list<string> $words
     * @param list<string> $offered
     * @param list<string> $others
     */
    #[DataProvider('lines')]
    public function testInBashItself(array $words, array $offered, array $others): void
    {
        $this->need('bash');
        $quoted = implode(' ', array_map(escapeshellarg(...), ['xhprof', ...$words]));
        $lines = [self::HELPERS, 'source <(xhprof completion bash)', "COMP_WORDS=($quoted)", 'COMP_CWORD=' . count($words)];
        $lines[] = '_sf_xhprof; printf "%s\n" "${COMPREPLY[@]}"; complete -p xhprof';
        $result = $this->process(['bash', '-c', implode("\n", $lines)], '', $this->path());
        self::assertSame([0, ''], [$result->exitCode, $result->err]);
        $answers = explode("\n", trim($result->out));
        self::assertSame('complete -o default -F _sf_xhprof xhprof', array_pop($answers), 'files where there is nothing else');
        self::assertSame([], array_diff($offered, $answers), $result->out);
        self::assertSame([], array_intersect($others, $answers));
    }

    /**
     * @param list<string> $words
     * @param list<string> $offered
     * @param list<string> $others
     */
    #[DataProvider('lines')]
    public function testInZshItself(array $words, array $offered, array $others): void
    {
        $answers = $this->inZsh($words);
        self::assertSame([], array_diff($offered, $answers), implode(' ', $answers));
        self::assertSame([], array_intersect($others, $answers));
        self::assertSame($offered === [], in_array('(files)', $answers, true), 'files where there is nothing else');
    }

    /**
     * @param list<string> $words
     * @param list<string> $offered
     * @param list<string> $others
     */
    #[DataProvider('lines')]
    public function testInFishItself(array $words, array $offered, array $others): void
    {
        file_put_contents("$this->folder/a-file", '');
        $answers = array_map(
            static fn (string $answer): string => (string) preg_replace('/^--[a-z-]+=/', '', $answer),
            $this->inFish($words),
        );
        self::assertSame([], array_diff($offered, $answers), implode(' ', $answers));
        self::assertSame([], array_intersect($others, $answers));
        self::assertSame($offered === [], in_array('a-file', $answers, true), 'files where there is nothing else');
    }

    public function testFilesBehindAnOption(): void
    {
        self::assertContains('compset -P -*=', $this->inZsh(['list', "--output-dir=$this->folder/ru"]));
        self::assertSame(["--output-dir=$this->folder/runs/"], $this->inFish(['list', "--output-dir=$this->folder/ru"]));
    }

    public function testNoOtherShells(): void
    {
        self::assertUsageError('name the shell: bash, zsh, fish', $this->xhprof(['completion', 'cmd']));
    }

    /**
     * Replaces zsh's own functions, which work in its line editor only, by ones that print their arguments.
     *
     * @param list<string> $words
     *
     * @return list<string>
     */
    private function inZsh(array $words): array
    {
        $this->need('zsh');
        $quoted = implode(' ', array_map(escapeshellarg(...), ['xhprof', ...$words]));
        $result = $this->process(['zsh', '-f', '-c', <<<ZSH
            compdef() { : }
            _describe() { print -rl -- "\${(@)completions%%:*}"; (( \$#completions )) }
            compset() { print -r -- "compset \$*" }
            _files() { print -r -- '(files)' }
            source <(xhprof completion zsh)
            words=($quoted) CURRENT=\$#words
            _sf_xhprof
            ZSH], '', $this->path());
        self::assertSame([0, ''], [$result->exitCode, $result->err]);

        return explode("\n", trim($result->out));
    }

    /**
     * @param list<string> $words
     *
     * @return list<string>
     */
    private function inFish(array $words): array
    {
        $this->need('fish');
        $lines = ["cd $this->folder", 'xhprof completion fish | source', 'complete -C (string join -- " " xhprof $argv)'];
        $home = ['HOME' => $this->folder, 'XDG_CONFIG_HOME' => $this->folder, 'XDG_DATA_HOME' => $this->folder];
        $result = $this->process(['fish', '--no-config', '-c', implode("\n", $lines), ...$words], '', $this->path() + $home);
        self::assertSame([0, ''], [$result->exitCode, $result->err]);

        return array_map(static fn (string $line): string => explode("\t", $line)[0], explode("\n", trim($result->out)));
    }

    /** @return array<string, string> an environment with the commands xhprof and php */
    private function path(): array
    {
        if (!is_dir("$this->folder/bin")) {
            mkdir("$this->folder/bin");
            symlink(self::program(), "$this->folder/bin/xhprof");
            symlink(PHP_BINARY, "$this->folder/bin/php");
        }

        return ['PATH' => "$this->folder/bin:" . getenv('PATH')];
    }

    private function need(string $shell): void
    {
        $process = @proc_open([$shell, '-c', 'exit 0'], [], $pipes);
        if (!is_resource($process) || proc_close($process) !== 0) {
            self::markTestSkipped("$shell is not installed");
        }
    }
}
