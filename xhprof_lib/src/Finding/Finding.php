<?php

declare(strict_types=1);

namespace XHProf\Finding;

/** Something in a run that is worth a look, with its figure and the reason. */
final class Finding
{
    /**
     * @param string      $rule   Rule::name()
     * @param string      $figure "1 000 queries, 58.2 % of the time"
     * @param string      $symbol function of the run where it is: bytes from outside, to be made printable
     * @param string      $why    one sentence
     * @param float       $weight the heaviest come first: the share of the run that it takes, as far as that is known, 0 to 2
     * @param string      $view   view of the run's pages that shows it; '' for the function's page
     * @param string      $operation of the view "operations" OperationRow::id() of what it shows; '' for none
     * @param list<string> $path  call path to the function, from the outermost one; [] where it is on several
     */
    public function __construct(
        public readonly string $rule,
        public readonly string $figure,
        public readonly string $symbol,
        public readonly string $why,
        public readonly float $weight,
        public readonly string $view = '',
        public readonly string $operation = '',
        public readonly array $path = [],
    ) {
    }

    /** @return array{rule: string, figure: string, function: string, why: string} for JSON */
    public function toArray(): array
    {
        return ['rule' => $this->rule, 'figure' => $this->figure, 'function' => $this->symbol, 'why' => $this->why];
    }
}
