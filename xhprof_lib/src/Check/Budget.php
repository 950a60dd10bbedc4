<?php

declare(strict_types=1);

namespace XHProf\Check;

/** What the runs of a selector may take. */
final class Budget
{
    /**
     * @param string      $name  for people; '' for the selector's text
     * @param list<Limit> $limits
     * @param string      $file  '' for one that no file has
     * @param int         $line  of the selector
     */
    public function __construct(
        private readonly string $name,
        public readonly Selector $selector,
        public readonly array $limits,
        public readonly ?FindingsAllowed $findings,
        public readonly bool $isOptional = false,
        public readonly string $file = '',
        public readonly int $line = 0,
    ) {
    }

    public function name(): string
    {
        return $this->name === '' ? $this->selector->text() : $this->name;
    }

    /** Whether it says something of a growth. */
    public function needsBaseline(): bool
    {
        $growing = array_filter($this->limits, static fn (Limit $limit): bool => $limit->needsBaseline());

        return $growing !== [] || $this->findings?->needsBaseline() === true;
    }

    /** What is checked against a baseline where there are no budgets: operations, and findings that are new. */
    public static function usual(): self
    {
        $figure = FigureName::parse(FigureName::OPERATIONS);
        $bound = is_string($figure) ? $figure : Bound::parse($figure, '+0');
        $limits = is_string($figure) || is_string($bound) ? [] : [new Limit($figure, [$bound])];

        return new self('', new Selector([]), $limits, FindingsAllowed::all(FindingsAllowed::NONE_NEW));
    }
}
