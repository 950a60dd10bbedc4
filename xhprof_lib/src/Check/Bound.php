<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Format\JsonNode;
use XHProf\Format\QuantityParser;

/** How much a figure may be, or may grow from the baseline. */
final class Bound
{
    /**
     * @param int|float $amount of the figure's unit; of a share 0.05 for 5 %
     * @param bool      $isGrowth from the baseline
     * @param bool      $isShare  of the value in the baseline
     * @param string    $text     as it was written
     * @param string    $file     '' for one that no file has
     */
    private function __construct(
        public readonly int|float $amount,
        public readonly bool $isGrowth,
        public readonly bool $isShare,
        public readonly string $text,
        public readonly string $file,
        public readonly int $line,
    ) {
    }

    /** @return self|string a sentence without a full stop where it is none */
    public static function read(FigureName $figure, JsonNode $node): self|string
    {
        if (!is_int($node->value) && !is_float($node->value) && !is_string($node->value)) {
            return "\"$figure->text\" takes a number or a text, not {$node->article()}";
        }

        return self::parse($figure, $node->value, $node->file, $node->line);
    }

    /** @return self|string a sentence without a full stop where it is none */
    public static function parse(FigureName $figure, string|int|float $given, string $file = '', int $line = 0): self|string
    {
        $text = trim((string) $given);
        if (!str_starts_with($text, '+')) {
            $amount = $figure->amount($given);

            return is_string($amount) ? $amount : new self($amount, false, false, $text, $file, $line);
        }
        $rest = trim(substr($text, 1));
        $share = QuantityParser::share($rest);
        // Of nothing the unit does not matter.
        $amount = $share ?? ($rest === '0' ? 0 : $figure->amount($rest));

        return is_string($amount) ? $amount : new self($amount, true, $share !== null, $text, $file, $line);
    }

    /** What it allows, for people: "at most 20", "at most 5 % more". */
    public function words(FigureName $figure): string
    {
        return match (true) {
            !$this->isGrowth => 'at most ' . $figure->show($this->amount),
            $this->amount == 0 => 'no more than the baseline',
            $this->isShare => 'at most ' . round(100 * $this->amount, 3) . ' % more than the baseline',
            default => 'at most ' . $figure->show($this->amount) . ' more than the baseline',
        };
    }
}
