<?php

declare(strict_types=1);

namespace XHProf\Cli\Command;

use Symfony\Component\Console\Input\InputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\UsageError;
use XHProf\Format\Period;
use XHProf\Format\QuantityParser;
use XHProf\Functions\MetricOrder;
use XHProf\Profile\Metrics;
use XHProf\Report\Order;
use XHProf\Report\Report;
use XHProf\Run\Run;
use XHProf\Store\RunFolder;

/** The arguments and options of a command, checked. What is wrong with one is a UsageError. */
final class Arguments
{
    /** Exit code once the answer is printed, and a line for stderr. */
    public int $exitCode = 0;
    public string $verdict = '';

    public function __construct(private readonly InputInterface $input)
    {
    }

    /** Whether the command has such an option. */
    public function has(string $option): bool
    {
        return $this->input->hasOption($option);
    }

    public function flag(string $option): bool
    {
        return $this->input->getOption($option) === true;
    }

    /** The value as it was given, or the default. */
    public function given(string $option): mixed
    {
        return $this->input->getOption($option);
    }

    public function isGiven(string $option): bool
    {
        return !in_array($this->input->getOption($option), [null, false, []], true);
    }

    /** The option's value, null if it was not given. An empty value is an error. */
    public function text(string $option): ?string
    {
        $value = $this->input->getOption($option);
        if ($value === null) {
            return null;
        }
        if (!is_string($value) || $value === '') {
            throw new UsageError("--$option is empty");
        }

        return $value;
    }

    /** @return list<string> values of an option that may be given several times */
    public function texts(string $option): array
    {
        return self::strings($this->input->getOption($option));
    }

    /**
     * @template T of string
     *
     * @param list<T> $known
     *
     * @return T
     */
    public function oneOf(string $option, array $known): string
    {
        $given = $this->text($option) ?? '';
        $at = array_search($given, $known, true);

        return $at === false
            ? throw new UsageError("--$option takes one of " . implode(', ', $known) . ", not \"$given\"")
            : $known[$at];
    }

    public function number(string $option, int $most = PHP_INT_MAX): int
    {
        $value = $this->input->getOption($option);
        $text = is_scalar($value) ? (string) $value : '';
        if (!ctype_digit($text) || strlen($text) > 18 || (int) $text > $most) {
            $range = $most === PHP_INT_MAX ? 'a number from 0' : "a number from 0 to $most";
            throw new UsageError("--$option takes $range, not \"$text\"");
        }

        return (int) $text;
    }

    /** A number, null if it was not given. */
    public function maybe(string $option, int $most = PHP_INT_MAX): ?int
    {
        return $this->isGiven($option) ? $this->number($option, $most) : null;
    }

    /** Seconds since 1970 of a day or a moment; null if it was not given. */
    public function moment(string $option, bool $isEnd): ?float
    {
        $text = $this->text($option);

        return $text === null ? null : QuantityParser::moment($text, $isEnd)
            ?? throw new UsageError("--$option takes something like 2026-11-21, not \"$text\"");
    }

    /** What --last names; null if it was not given. */
    public function period(): ?Period
    {
        $text = $this->text('last');

        return $text === null ? null : Period::parse($text)
            ?? throw new UsageError('--last takes ' . Period::EXAMPLES . ", not \"$text\"");
    }

    /**
     * The range of time of --from, --to and --last.
     *
     * @return array{from: float|null, until: float|null, sinceRelease: bool} parameters of a RunQuery
     */
    public function range(): array
    {
        [$from, $until, $last] = [$this->moment('from', false), $this->moment('to', true), $this->period()];
        $range = [
            'from' => $last?->from === null ? $from : max($last->from, $from ?? 0.0),
            'until' => $last?->until === null ? $until : min($last->until, $until ?? INF),
            'sinceRelease' => $last?->isRelease() ?? false,
        ];
        if ($range['from'] !== null && $range['until'] !== null && $range['from'] >= $range['until']) {
            throw new UsageError('the range of time ends before it begins: ' . Period::text($range['from'], $range['until']));
        }

        return $range;
    }

    public function argument(string $name): string
    {
        $value = $this->input->getArgument($name);

        return is_string($value) ? $value : '';
    }

    /** @return list<string> */
    public function arguments(string $name): array
    {
        return self::strings($this->input->getArgument($name));
    }

    /** What --dir says; null for the usual direction. */
    public function isDescending(): ?bool
    {
        return $this->text('dir') === null ? null : $this->oneOf('dir', ['asc', 'desc']) === 'desc';
    }

    /**
     * The order that --sort and --dir ask for.
     *
     * @param list<string> $orders that there are; [] for any
     *
     * @return ($usual is null ? Order|null : Order)
     */
    public function order(array $orders, ?string $usual = null): ?Order
    {
        $descending = $this->isDescending();
        $by = $this->text('sort') === null || $orders === [] ? $this->text('sort') : $this->oneOf('sort', $orders);
        $by ??= $usual;

        return $by === null ? null : new Order($by, $descending);
    }

    /** The column of figures to sort by, null if it was not given. */
    public function sort(): ?string
    {
        $sort = $this->text('sort');
        if (!$this->flag('corrected') && Metrics::isCorrected((string) MetricOrder::base((string) $sort))) {
            throw new UsageError("--sort=$sort is a corrected time: it needs --corrected");
        }

        return $sort;
    }

    /** What --sort, --dir and --limit leave of a report that has all rows. */
    public function shown(Report $report): Report
    {
        return $report->shown($report->orders() === [] ? null : $this->order($report->orders()), $this->number('limit'));
    }

    public function store(): RunFolder
    {
        return self::folder($this->text('output-dir'));
    }

    /** @param string|null $path null for the usual folder */
    public static function folder(?string $path): RunFolder
    {
        $store = new RunFolder($path);
        if (!is_dir($store->directory())) {
            throw new CliError("the folder {$store->directory()} does not exist");
        }

        return $store;
    }

    /** Opens the run, or the mean of several, that an argument names. */
    public function run(string $argument = 'run'): Run
    {
        return $this->store()->named($this->argument($argument), $this->text('source'));
    }

    /** @return list<string> */
    private static function strings(mixed $values): array
    {
        return array_values(array_filter(is_array($values) ? $values : [], is_string(...)));
    }
}
