<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Findings\Finding;
use XHProf\Format\Text;
use XHProf\Operations\OperationReport;
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

    /** @param array<string, string> $texts of operations by OperationRow::id() */
    public static function of(Finding $finding, array $texts): self
    {
        return new self(
            $finding->rule,
            Text::utf8(StableNames::parts($finding->symbol)[0]),
            Text::utf8($texts[$finding->operation] ?? ''),
        );
    }

    /** @return array<string, string> */
    public static function texts(?OperationReport $report): array
    {
        $texts = [];
        foreach ($report?->rows() ?? [] as $row) {
            $texts[$row->id()] = $row->text;
        }

        return $texts;
    }

    public function key(): string
    {
        return "$this->rule\0$this->where\0$this->what";
    }
}
