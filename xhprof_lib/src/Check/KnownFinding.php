<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Findings\Finding;
use XHProf\Format\Text;
use XHProf\Operations\OperationRow;
use XHProf\Profile\StableNames;

/**
 * What makes a finding the same in another run: its rule, the function under a name that lines above do not change, and the text of
 * the operation. Closures of one function share it: the number of them counts.
 */
final class KnownFinding
{
    public function __construct(public readonly string $rule, public readonly string $where, public readonly string $what)
    {
    }

    /** @param OperationRow|null $row of its operation */
    public static function of(Finding $finding, ?OperationRow $row): self
    {
        return new self(
            $finding->rule,
            Text::utf8(StableNames::parts($finding->symbol)[0]),
            Text::utf8($row->text ?? ''),
        );
    }

    public function key(): string
    {
        return "$this->rule\0$this->where\0$this->what";
    }
}
