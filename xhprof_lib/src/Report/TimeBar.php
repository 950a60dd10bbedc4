<?php

declare(strict_types=1);

namespace XHProf\Report;

use XHProf\Format\Units;
use XHProf\Profile\TimePart;
use XHProf\Profile\TimeParts;

/**
 * Where the time was, for people: a bar of parts that add up to the wall time, and their names, times and shares in the same
 * order. Terminals, Markdown and pages show the same one.
 *
 * @phpstan-type Piece array{key: string, label: string, text: string, share: string, exact: string, meaning: string, x: float,
 *     width: float}
 */
final class TimeBar
{
    /** Key in JSON. */
    public const KEY = 'where';

    public const TITLE = 'Where the time was';

    private const BY_SAMPLES = 'by samples';

    /**
     * @param int $scale ns of the whole width; 0: those of the bar. Bars beside each other have the same one
     * @param bool $isPlain without the notes
     */
    public function __construct(
        public readonly TimeParts $times,
        private readonly int $scale = 0,
        private readonly bool $isPlain = false,
    ) {
    }

    /** @return self|null null for a run without times, or of none */
    public static function of(?TimeParts $times): ?self
    {
        return $times === null || $times->total() === 0 ? null : new self($times);
    }

    /** @return list<string> "Computing 41.0 ms (58.2 %)" of each part, in the order of the bar */
    public function parts(): array
    {
        return array_map(
            fn (string $key, int $ns): string => $this->words(TimePart::from($key)->label(), $ns),
            array_keys($this->times->ns),
            $this->times->ns,
        );
    }

    /** @return list<string> the same of groups: "on CPU 41.0 ms (58.2 %)"; [] where each is a single part */
    public function groups(): array
    {
        $groups = $this->times->groups();

        return count($groups) === count($this->times->ns) ? [] : array_map(
            fn (string $group, int $ns): string => $this->words(TimePart::groupLabel($group), $ns),
            array_keys($groups),
            $groups,
        );
    }

    private function words(string $label, int $ns): string
    {
        return sprintf('%s %s (%s)', $label, Units::us($ns / 1000), Units::percent($ns, $this->times->total()));
    }

    /** The bar in one sentence, for those who do not see it. */
    public function sentence(): string
    {
        $groups = $this->groups();

        return self::TITLE . ($this->times->bySamples ? ', ' . self::BY_SAMPLES : '') . ': '
            . ($groups === [] ? '' : implode(', ', $groups) . ': ') . implode(', ', $this->parts());
    }

    /** @return list<string> sentences on what is not known, and what to do */
    public function notes(): array
    {
        return $this->isPlain ? [] : $this->times->notes;
    }

    /**
     * @return array{title: string, sentence: string, by_samples: bool, total: string, groups: string, pieces: list<Piece>,
     *     notes: list<string>} for a page; x and width in percent
     */
    public function drawn(): array
    {
        $scale = max(1, $this->scale, $this->times->total());
        $pieces = [];
        $before = 0;
        foreach ($this->times->ns as $key => $ns) {
            $part = TimePart::from($key);
            $us = $ns / 1000;
            $pieces[] = [
                'key' => $key,
                'label' => $part->label(),
                'text' => Units::us($us),
                'share' => Units::percent($ns, $this->times->total()),
                'exact' => Unit::Microseconds->whole($us),
                'meaning' => $part->meaning(),
                'x' => round(100 * $before / $scale, 3),
                'width' => round(100 * $ns / $scale, 3),
            ];
            $before += $ns;
        }

        return [
            'title' => self::TITLE,
            'sentence' => $this->sentence(),
            'by_samples' => $this->times->bySamples,
            'total' => Units::us($this->times->total() / 1000),
            'groups' => implode(', ', $this->groups()),
            'pieces' => $pieces,
            'notes' => $this->notes(),
        ];
    }

    /** @return array<string, mixed> for programs */
    public static function json(?TimeParts $times): array
    {
        return [self::KEY => $times?->toArray()];
    }
}
