<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\Format\Units;

/**
 * What to make of a possible leak: how bad it is, why it is one, and what to ask next. Terminals, JSON and pages have it from here.
 *
 * @phpstan-import-type Suspect from HeapIndex
 * @phpstan-type Step array{command: string, question: 'retained'|'paths'|'top', address?: string, type?: string, class?: string}
 * @phpstan-type Advice array{severity: 'high'|'medium'|'low', why: string, next: Step}
 */
final class LeakAdvice
{
    /** For each kind the shares of the heap from which it is high, and medium; a smaller one is low. */
    private const SHARES = [
        'accumulates' => [0.2, 0.05], 'chain' => [0.2, 0.05], 'garbage' => [0.1, 0.02], 'unreachable' => [0.05, 0.01],
    ];

    /** Bytes below which nothing is high, and below which nothing is medium, whatever their share. */
    private const HIGH = 1 << 20;
    private const MEDIUM = 1 << 16;

    /** @param string $file the snapshot, as a command names it */
    public function __construct(private readonly HeapIndex $index, private readonly string $file)
    {
    }

    /**
     * @param Suspect $suspect
     * @return Advice
     */
    public function of(array $suspect): array
    {
        return [
            'severity' => $this->severity($suspect['kind'], $suspect['bytes']),
            'why' => $this->why($suspect),
            'next' => $this->next($suspect),
        ];
    }

    /** @return 'high'|'medium'|'low' */
    private function severity(string $kind, int $bytes): string
    {
        [$high, $medium] = self::SHARES[$kind] ?? self::SHARES['accumulates'];
        $share = $bytes / max(1, $this->index->summary()['usage']);

        return match (true) {
            $bytes >= self::HIGH && $share >= $high => 'high',
            $bytes >= self::MEDIUM && $share >= $medium => 'medium',
            default => 'low',
        };
    }

    /** @param Suspect $suspect */
    private function why(array $suspect): string
    {
        $share = Units::percent($suspect['bytes'], $this->index->summary()['usage']) . ' of the heap';

        return $share . match ($suspect['kind']) {
            'chain' => ': each holds the next one, and nothing takes them off its end',
            'garbage' => ': cycles that wait for the collector, or it is off',
            'unreachable' => ': an extension has lost it, or was just using it',
            default => ': a cache without a bound, or a list that only grows',
        };
    }

    /**
     * @param Suspect $suspect
     * @return Step
     */
    private function next(array $suspect): array
    {
        $address = $suspect['node']->hex();
        $hasPaths = $this->index->hasAllocations();
        if ($suspect['kind'] === 'unreachable') {
            return $this->step('top', '--by=' . ($hasPaths ? 'path' : 'object') . ' --type=unreachable', ['type' => 'unreachable']);
        }
        if ($suspect['kind'] !== 'garbage' && $hasPaths && $this->index->group($suspect['type']) !== null) {
            $class = escapeshellarg($suspect['type']);

            return $this->step('top', "--by=path --class=$class", ['class' => $suspect['type']]);
        }

        return $this->step($suspect['kind'] === 'chain' ? 'paths' : 'retained', $address, ['address' => $address]);
    }

    /**
     * @param 'retained'|'paths'|'top' $question
     * @param array{address?: string, type?: string, class?: string} $about
     * @return Step
     */
    private function step(string $question, string $arguments, array $about): array
    {
        $file = preg_match('~\A[\w./+:@-]+\z~', $this->file) === 1 && $this->file[0] !== '-'
            ? $this->file : escapeshellarg($this->file);

        return ['command' => "xhprof heap $question $file $arguments", 'question' => $question] + $about;
    }
}
