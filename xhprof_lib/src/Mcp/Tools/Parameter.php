<?php

declare(strict_types=1);

namespace XHProf\Mcp\Tools;

/** An argument of a tool: its name, its type, what it is, and which values it takes. */
final class Parameter
{
    /**
     * @param 'string'|'integer'|'number'|'boolean'|'strings' $type "strings": a list of texts
     * @param list<string> $oneOf that it takes; [] for any text
     * @param array{int|float, int|float}|null $range of a number
     */
    public function __construct(
        public readonly string $name,
        public readonly string $type,
        public readonly string $about,
        public readonly string|int|float|bool|null $default = null,
        public readonly array $oneOf = [],
        public readonly ?array $range = null,
        public readonly bool $isRequired = false,
    ) {
    }

    public static function run(string $name = 'run', string $about = ''): self
    {
        $which = 'Id of a run as list_runs shows it, its beginning, or "latest"';

        return new self($name, 'string', $about === '' ? $which : "$about. $which", $name === 'run' ? 'latest' : null);
    }

    public static function limit(string $what, int $default): self
    {
        return new self('limit', 'integer', "Most $what", $default, range: [1, 500]);
    }

    /** @return array<string, mixed> JSON schema */
    public function schema(): array
    {
        $type = $this->type === 'strings' ? ['type' => 'array', 'items' => ['type' => 'string']] : ['type' => $this->type];

        return $type + ['description' => $this->about]
            + ($this->oneOf === [] ? [] : ['enum' => $this->oneOf])
            + ($this->range === null ? [] : ['minimum' => $this->range[0], 'maximum' => $this->range[1]])
            + ($this->default === null ? [] : ['default' => $this->default]);
    }

    /** @return string|null what is wrong with a value; null for nothing */
    public function wrong(mixed $value): ?string
    {
        $isOfType = match ($this->type) {
            'string' => is_string($value),
            'integer' => is_int($value),
            'number' => is_int($value) || is_float($value),
            'boolean' => is_bool($value),
            'strings' => is_array($value) && array_is_list($value) && array_filter($value, is_string(...)) === $value,
        };
        if (!$isOfType) {
            return '"' . $this->name . '" is ' . match ($this->type) {
                'string' => 'a text',
                'integer' => 'a whole number',
                'number' => 'a number',
                'boolean' => 'true or false',
                'strings' => 'a list of texts',
            };
        }
        if ($this->oneOf !== [] && !in_array($value, $this->oneOf, true)) {
            return "\"$this->name\" is one of " . implode(', ', $this->oneOf);
        }
        if ($this->range !== null && ($value < $this->range[0] || $value > $this->range[1])) {
            return "\"$this->name\" is from {$this->range[0]} to {$this->range[1]}";
        }

        return null;
    }
}
