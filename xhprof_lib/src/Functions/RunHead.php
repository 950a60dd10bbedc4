<?php

declare(strict_types=1);

namespace XHProf\Functions;

use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Metrics;
use XHProf\Report\Heading;
use XHProf\Report\TimeBar;
use XHProf\Run\MeanRun;
use XHProf\Run\OriginText;
use XHProf\Run\Run;
use XHProf\Run\RunMeta;

/** What is said of a run above its figures, on terminals and on pages: what it is, how much it was, and how it came about. */
final class RunHead
{
    /** Message for a run without corrected times that was asked for them. */
    public const NOT_CORRECTED = 'this run has no corrected times: another tool or an older version recorded it, it has no call'
        . ' tree, or the profiler could not measure its own cost';

    public function __construct(private readonly Run $run)
    {
    }

    /** One line with the whole id, ready to be copied. */
    public function title(string $label = 'Run'): Heading
    {
        return new Heading(
            str_replace('Run mean', 'Mean', "$label " . $this->run->name()),
            subject: $this->run->subject(),
        );
    }

    /** @param int $functions rows of the table of functions */
    public function heading(int $functions): Heading
    {
        $parts = [];
        foreach ($this->totals() as $metric => $value) {
            // The value's unit shows already that it is a time.
            $words = match (true) {
                $metric === 'ct' => $this->counted($value, $functions),
                $metric === 'wt' && OriginText::suspended($this->run->meta()) !== null => OriginText::ownTime($this->run->meta()),
                default => str_replace(' time', '', Metrics::of($metric)->words()),
            };
            $parts[] = Units::ofMetric($value, $metric) . " $words";
        }
        $folded = OriginText::folded($this->run->meta());

        return new Heading(
            $this->title()->title,
            $this->run instanceof MeanRun ? [] : $this->origin($this->run->meta()),
            $folded === null ? [] : [$folded],
            $this->run->subject(),
            $parts,
            TimeBar::of($this->run->times()->whole()),
        );
    }

    /** @return array<string, int|float> by metric, the count of calls or samples last */
    public function totals(): array
    {
        $totals = $this->run->profile()->totals();

        return array_diff_key($totals, ['ct' => 0]) + ['ct' => $totals['ct'] ?? 0];
    }

    /** @return array{int, int} number of functions, and of rows that have each level of a recursion ("f@1") for itself */
    public function functions(): array
    {
        $symbols = $this->run->profile()->symbols();

        return [count(array_unique(array_map(EdgeKey::stripRecursion(...), $symbols))), count($symbols)];
    }

    /**
     * The meaning of corrected times, for a report that has some.
     *
     * @param list<string> $metrics of the report
     *
     * @return array{corrected?: string}
     */
    public static function corrected(array $metrics): array
    {
        return array_filter($metrics, Metrics::isCorrected(...)) === [] ? [] : ['corrected' => CorrectedTimes::MEANING];
    }

    /**
     * @param list<string> $metrics
     *
     * @return list<string> the same as a sentence
     */
    public static function correctedNote(array $metrics): array
    {
        return self::corrected($metrics) === [] ? [] : ['corr: corrected times, ' . CorrectedTimes::MEANING];
    }

    private function counted(int|float $count, int $functions): string
    {
        $noun = CountKind::ofRuns($this->run)->noun();

        return ($count === 1 ? substr($noun, 0, -1) : $noun) . ' of ' . Units::counted($functions, 'function');
    }

    /** @return list<string> sentences */
    private function origin(RunMeta $meta): array
    {
        $window = $meta->window;

        return array_values(array_filter([
            $meta->recording->samples === null ? '' : OriginText::sampling($meta),
            $window === null ? '' : sprintf(
                '%s in %s, from %s to %s',
                $window->requests === 0 ? 'Samples of unfinished requests' : Units::counted($window->requests, 'request'),
                $window->windows > 0
                    ? Units::counted($window->windows, 'window')
                    : Units::counted($window->processes, 'process', 'processes'),
                $window->from > 0 ? date('Y-m-d H:i:s', (int) $window->from) : '?',
                $window->to > 0 ? date('H:i:s', (int) $window->to) : '?',
            ),
            ucfirst(Text::printable(OriginText::line($meta))),
            OriginText::trace($meta),
        ], static fn (string $text): bool => $text !== ''));
    }
}
