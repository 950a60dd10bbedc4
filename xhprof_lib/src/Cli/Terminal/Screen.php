<?php

declare(strict_types=1);

namespace XHProf\Cli\Terminal;

use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use Symfony\Component\Console\Output\StreamOutput;
use XHProf\Format\Text;
use XHProf\Format\Units;

/** Destination of a report: its width, whether a person looks at it, and its characters. */
final class Screen
{
    private const DEFAULT_WIDTH = 80;
    private const MIN_WIDTH = 40;

    /** Nothing is shortened, no column is left out. */
    public const UNBOUNDED = PHP_INT_MAX;

    /** Whether --wide was given. */
    private static bool $isWide = false;

    public function __construct(
        private readonly OutputInterface $output,
        public readonly int $width = self::DEFAULT_WIDTH,
        public readonly bool $isTerminal = false,
        public readonly bool $isUnicode = true,
    ) {
    }

    /** Turns --wide on: lines of full length, on a terminal too. */
    public static function setWide(bool $isWide): void
    {
        self::$isWide = $isWide;
    }

    /** The variable COLUMNS decides; without it the terminal's size. A file or a pipe has no width. */
    public static function detect(OutputInterface $output): self
    {
        $terminal = $output instanceof StreamOutput && stream_isatty($output->getStream()) ? $output->getStream() : null;
        $columns = (string) getenv('COLUMNS');
        $width = match (true) {
            self::$isWide => self::UNBOUNDED,
            ctype_digit($columns) && (int) $columns > 0 => (int) $columns,
            $terminal !== null => self::terminalWidth($terminal),
            default => self::UNBOUNDED,
        };

        return new self($output, max(self::MIN_WIDTH, $width), $terminal !== null, self::unicode());
    }

    /** The stream for messages, separate from the one for results. */
    public static function errors(OutputInterface $output): OutputInterface
    {
        return $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
    }

    /** @param string|list<string> $lines formatted for symfony/console */
    public function writeln(string|array $lines): void
    {
        $this->output->writeln($lines);
    }

    /** A line that is shown as it is, whatever is in it. */
    public function text(string $text, string $style = ''): void
    {
        $text = OutputFormatter::escape($text);
        $this->output->writeln($style === '' ? $text : "<$style>$text</>");
    }

    /** A text of whatever is in it, broken between words; nothing for ''. */
    public function say(string $text, string $style = ''): void
    {
        foreach ($text === '' ? [] : $this->wrap(Text::printable($text)) as $line) {
            $this->text($line, $style);
        }
    }

    /** Says that --limit has left some out, if it has. */
    public function rest(int $shown, int $all, string $what = ''): void
    {
        if ($shown < $all) {
            $this->text(rtrim(Units::count($shown) . ' of ' . Units::count($all) . " $what") . '; --limit=0 shows all');
        }
    }

    public function ellipsis(): string
    {
        return $this->isUnicode ? '…' : '...';
    }

    /**
     * @param int $indent columns that stand before each line
     *
     * @return list<string> the text, broken between words
     */
    public function wrap(string $text, int $indent = 0): array
    {
        $width = $this->width === self::UNBOUNDED ? self::DEFAULT_WIDTH : $this->width;

        return explode("\n", wordwrap($text, max(20, $width - $indent)));
    }

    /** Separator between a function and its caller. */
    public function calledBy(): string
    {
        return $this->isUnicode ? ' ← ' : ' <- ';
    }

    /**
     * @param float $share 0 to 1
     * @param int   $width columns
     */
    public function bar(float $share, int $width): string
    {
        $share = max(0.0, min(1.0, $share));
        if (!$this->isUnicode) {
            return str_repeat('#', (int) round($share * $width));
        }
        $eighths = (int) round($share * $width * 8);
        $rest = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][$eighths % 8];

        return str_repeat('█', intdiv($eighths, 8)) . $rest;
    }

    /**
     * A picture of values, a character each: the height is the share of the largest one.
     *
     * @param list<int|float|null> $values none negative; null: not known
     */
    public function sparkline(array $values): string
    {
        $heights = $this->isUnicode ? ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] : ['_', '.', ':', '-', '=', '+', '*', '#'];
        $most = max([0, ...array_map(static fn (int|float|null $value): int|float => $value ?? 0, $values)]);
        $line = '';
        foreach ($values as $value) {
            $line .= $value === null ? ' ' : $heights[$most > 0 ? min(7, (int) floor($value / $most * 8)) : 0];
        }

        return $line;
    }

    /** @param resource $stream a terminal, which may be another one than stdin is */
    private static function terminalWidth($stream): int
    {
        if (!function_exists('proc_open')) {
            return self::DEFAULT_WIDTH;
        }
        $ends = [0 => $stream, 1 => ['pipe', 'w'], 2 => ['file', '/dev/null', 'w']];
        $stty = @proc_open(['stty', 'size'], $ends, $pipes);
        if (!is_resource($stty)) {
            return self::DEFAULT_WIDTH;
        }
        $size = (string) stream_get_contents($pipes[1]);
        proc_close($stty);

        return preg_match('/^\d+ ([1-9]\d*)$/', trim($size), $match) === 1 ? (int) $match[1] : self::DEFAULT_WIDTH;
    }

    private static function unicode(): bool
    {
        foreach (['LC_ALL', 'LC_CTYPE', 'LANG'] as $name) {
            $value = (string) getenv($name);
            if ($value !== '') {
                return stripos($value, 'utf-8') !== false || stripos($value, 'utf8') !== false;
            }
        }

        return false;
    }
}
