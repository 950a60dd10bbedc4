<?php

declare(strict_types=1);

namespace XHProf\Mcp\Tools;

use XHProf\Format\ClosestWord;
use XHProf\Format\Period;
use XHProf\Format\QuantityParser;
use XHProf\Format\VisibleName;
use XHProf\Mcp\WrongArguments;

/** The arguments of a call, checked. */
final class Given
{
    /** Bytes of a name in a message. */
    private const NAMED = 60;

    /** @param array<string, mixed> $values with the defaults */
    private function __construct(private readonly array $values)
    {
    }

    /**
     * @param list<Parameter> $parameters
     * @param array<string, mixed> $arguments
     *
     * @throws WrongArguments
     */
    public static function of(array $parameters, array $arguments): self
    {
        $known = array_column($parameters, null, 'name');
        foreach (array_diff_key($arguments, $known) as $name => $_) {
            $meant = ClosestWord::of((string) $name, array_keys($known));
            throw new WrongArguments('there is no argument "' . VisibleName::text((string) $name, self::NAMED) . '"; '
                . ($meant === null ? 'there are ' . implode(', ', array_keys($known)) : "did you mean \"$meant\"?"));
        }
        $values = [];
        foreach ($known as $name => $parameter) {
            $value = $arguments[$name] ?? $parameter->default;
            if ($value === null && $parameter->isRequired) {
                throw new WrongArguments("the argument \"$name\" is missing: $parameter->about");
            }
            $wrong = $value === null ? null : $parameter->wrong($value);
            $values[$name] = $wrong === null ? $value : throw new WrongArguments($wrong);
        }

        return new self($values);
    }

    public function text(string $name): string
    {
        $value = $this->values[$name] ?? '';

        return is_string($value) ? $value : '';
    }

    /** @return list<string> */
    public function texts(string $name): array
    {
        $values = $this->values[$name] ?? [];

        return is_array($values) ? array_values(array_filter($values, is_string(...))) : [];
    }

    public function number(string $name): int
    {
        $value = $this->values[$name] ?? 0;

        return is_numeric($value) ? (int) $value : 0;
    }

    public function maybe(string $name): ?int
    {
        return isset($this->values[$name]) ? $this->number($name) : null;
    }

    public function flag(string $name): bool
    {
        return ($this->values[$name] ?? false) === true;
    }

    /**
     * The range of time of "from", "to" and "last".
     *
     * @return array{from: float|null, until: float|null, sinceRelease: bool} parameters of a RunQuery
     *
     * @throws WrongArguments
     */
    public function range(): array
    {
        $moment = fn (string $name, bool $isEnd): ?float => $this->text($name) === '' ? null
            : QuantityParser::moment($this->text($name), $isEnd)
                ?? throw new WrongArguments("\"$name\" is a day or a moment: 2026-11-21, \"2026-11-21 14:30\"");
        $last = $this->text('last') === '' ? null
            : Period::parse($this->text('last')) ?? throw new WrongArguments('"last" is a period: ' . Period::EXAMPLES);
        [$from, $until] = [$moment('from', false), $moment('to', true)];

        return [
            'from' => $last?->from === null ? $from : max($last->from, $from ?? 0.0),
            'until' => $last?->until === null ? $until : min($last->until, $until ?? INF),
            'sinceRelease' => $last?->isRelease() ?? false,
        ];
    }

    public function period(): string
    {
        return $this->text('last') === '' ? '' : Period::parse($this->text('last'))->label ?? '';
    }

    /** @return list<Parameter> what range() reads */
    public static function rangeParameters(): array
    {
        return [
            new Parameter('from', 'string', 'Only since this day or moment: 2026-11-21, "2026-11-21 14:30"'),
            new Parameter('to', 'string', 'Only until then, inclusive'),
            new Parameter('last', 'string', 'Only of a period: ' . Period::EXAMPLES),
        ];
    }
}
