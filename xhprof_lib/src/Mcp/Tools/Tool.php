<?php

declare(strict_types=1);

namespace XHProf\Mcp\Tools;

/** A question that an assistant may ask: its name, its arguments, and what answers it. */
final class Tool
{
    public const MAX_BYTES = 'max_bytes';
    public const MAX_SECONDS = 'max_seconds';

    /** Bytes of an answer: unless asked for more, and at most. */
    public const USUAL_BYTES = 8 << 10;
    public const MOST_BYTES = 256 << 10;
    public const LEAST_BYTES = 2 << 10;

    /** Seconds of an answer, unless asked for more, and at most. */
    public const USUAL_SECONDS = 2;
    public const MOST_SECONDS = 600;

    /**
     * @param list<Parameter> $parameters
     * @param \Closure(Given, Desk): Answer $answer
     * @param bool $isReading whether it changes nothing
     * @param int  $seconds that it may take unless asked for more; 0 for USUAL_SECONDS
     * @param array<string, mixed> $slow what to ask in place of it where it takes too long: arguments
     */
    public function __construct(
        public readonly string $name,
        public readonly string $title,
        public readonly string $about,
        public readonly array $parameters,
        public readonly \Closure $answer,
        public readonly bool $isReading = true,
        public readonly int $seconds = 0,
        public readonly array $slow = [],
    ) {
    }

    /** @return list<Parameter> with those of every tool */
    public function allParameters(int $seconds): array
    {
        return [
            ...$this->parameters,
            new Parameter(
                self::MAX_BYTES,
                'integer',
                'Most bytes of the answer',
                self::USUAL_BYTES,
                range: [self::LEAST_BYTES, self::MOST_BYTES],
            ),
            new Parameter(
                self::MAX_SECONDS,
                'number',
                'Seconds after which to give up: raise it for a very large run or snapshot',
                $this->seconds ?: $seconds,
                range: [0.1, self::MOST_SECONDS],
            ),
        ];
    }

    /** @return array<string, mixed> as tools/list has it */
    public function toArray(int $seconds): array
    {
        $properties = [];
        $required = [];
        foreach ($this->allParameters($seconds) as $parameter) {
            $properties[$parameter->name] = $parameter->schema();
            $required = $parameter->isRequired ? [...$required, $parameter->name] : $required;
        }

        return [
            'name' => $this->name,
            'title' => $this->title,
            'description' => $this->about,
            'inputSchema' => [
                'type' => 'object',
                'properties' => $properties,
                ...($required === [] ? [] : ['required' => $required]),
                'additionalProperties' => false,
            ],
            'annotations' => [
                'title' => $this->title,
                'readOnlyHint' => $this->isReading,
                'destructiveHint' => !$this->isReading,
                'idempotentHint' => $this->isReading,
                'openWorldHint' => !$this->isReading,
            ],
        ];
    }
}
