<?php

declare(strict_types=1);

namespace XHProf\Testing;

use XHProf\Check\Addresses;
use XHProf\Check\Baseline;
use XHProf\Check\Bound;
use XHProf\Check\Budget;
use XHProf\Check\Checker;
use XHProf\Check\CheckReport;
use XHProf\Check\FigureName;
use XHProf\Check\FindingsAllowed;
use XHProf\Check\Limit;
use XHProf\Check\Result;
use XHProf\Check\Selector;
use XHProf\Check\Subject;
use XHProf\Check\Traits;
use XHProf\Findings\Findings;
use XHProf\Findings\Rule;
use XHProf\Format\ClosestWord;
use XHProf\Format\QuantityParser;
use XHProf\Format\Text;
use XHProf\Store\DefaultFolder;

/**
 * Assertions on what code does, for a test case of PHPUnit 9 to 12, or Pest: the code is called once, profiled, and what it returns
 * is returned. Where the extension is not loaded the test is skipped.
 *
 * A failure names function, call path and run. That run is kept in the usual folder; those of assertions that hold are deleted,
 * unless XHPROF_KEEP_RUNS=1 is in the environment. XHPROF_URL there is the address of the pages.
 *
 * @phpstan-require-extends \PHPUnit\Framework\TestCase
 */
trait ProfilesCode
{
    /**
     * @template T
     *
     * @param callable(): T $code
     * @param string|null   $kind "sql", "http", "cache" ...; also "sql in loops", "sql duplicates", "sql like SELECT *"
     *
     * @return T
     */
    protected function assertOperationsAtMost(int $most, callable $code, ?string $kind = null): mixed
    {
        return $this->assertProfiled($code, [[$kind ?? FigureName::OPERATIONS, $most]], null);
    }

    /**
     * @template T
     *
     * @param callable(): T $code
     * @param string|null   $function "Shop\Cart::total", "PDO::*", "/^curl_/"; null: all calls that the code makes, without itself
     *     and without the loading of classes
     *
     * @return T
     */
    protected function assertCallsAtMost(int $most, callable $code, ?string $function = null): mixed
    {
        $figure = FigureName::CALLS . ($function === null ? '' : " of $function");

        return $this->assertProfiled($code, [[$figure, $most]], null);
    }

    /**
     * @template T
     *
     * @param int|string    $most bytes, or "32M": growth of the peak while the code runs
     * @param callable(): T $code
     *
     * @return T
     */
    protected function assertPeakAtMost(int|string $most, callable $code): mixed
    {
        $bytes = is_int($most) ? $most : QuantityParser::bytes($most);
        if ($bytes === null) {
            throw new \InvalidArgumentException('assertPeakAtMost() takes bytes, or a size like "32M", not "' . $most . '"');
        }

        return $this->assertProfiled($code, [[FigureName::PEAK, $bytes]], null);
    }

    /**
     * @template T
     *
     * @param callable(): T     $code
     * @param list<string>|null $rules of findings; null: those that count (n-plus-one, exceptions, deep-recursion). Others judge
     *     times, which vary
     *
     * @return T
     */
    protected function assertNoFindings(callable $code, ?array $rules = null): mixed
    {
        $known = array_map(static fn (Rule $rule): string => $rule::NAME, Findings::rules());
        foreach ($rules ?? [] as $rule) {
            if (!in_array($rule, $known, true)) {
                $hint = ClosestWord::hint($rule, $known) ?: '; there are ' . implode(', ', $known);
                throw new \InvalidArgumentException("unknown rule of findings \"$rule\"$hint");
            }
        }

        return $this->assertProfiled($code, [], self::xhprofFindings(FindingsAllowed::NONE, $rules));
    }

    /**
     * Compares calls, operations and findings with those that a file has of this test. With XHPROF_WRITE_BASELINE=1 in the
     * environment they are written there instead.
     *
     * @template T
     *
     * @param callable(): T $code
     * @param string|null   $file null for xhprof-tests.json in the folder where the tests are started
     *
     * @return T
     */
    protected function assertNotMoreThanBaseline(callable $code, ?string $file = null): mixed
    {
        $findings = self::xhprofFindings(FindingsAllowed::NONE_NEW, null);
        $limits = [[FigureName::CALLS, '+0'], [FigureName::OPERATIONS, '+0']];

        return $this->assertProfiled($code, $limits, $findings, $file ?? getcwd() . '/' . TestBaseline::FILE);
    }

    /**
     * @template T
     *
     * @param callable(): T $code
     * @param list<array{string, int|string}> $limits figures and their bounds
     * @param string|null $baseline file
     *
     * @return T
     */
    private function assertProfiled(callable $code, array $limits, ?FindingsAllowed $findings, ?string $baseline = null): mixed
    {
        $budget = self::xhprofBudget($limits, $findings);
        $refusal = Profiler::refusal();
        if ($refusal !== '') {
            static::markTestSkipped("XHProf: $refusal");
        }
        $test = $this->xhprofTestName();
        [$result, $id, $why] = Profiler::profile($code, $test);
        if ($id === null && $why !== '') {
            static::markTestSkipped("XHProf: $why");
        }
        if ($id === null) {
            static::fail('XHProf: the code ended its profile itself, as xhprof_disable() does: what it did is not known');
        }
        $loaders = Profiler::loaders();
        $subject = new Subject($test, [
            static fn (): CodeRun => new CodeRun(Profiler::folder()->open($id), $test, $loaders),
        ], [new Traits(Profiler::folder()->open($id)->meta())]);
        $checker = static fn (?Baseline $known): Checker => new Checker([$test => $subject], [$budget], $known, true);
        if ($baseline !== null && TestBaseline::isWritten()) {
            TestBaseline::add($baseline, $checker);
            $failure = '';
        } else {
            $known = $baseline === null ? null : TestBaseline::read($baseline);
            $failure = self::xhprofFailure($checker($known), $test, $known !== null);
        }
        $this->addToAssertionCount(1);
        if ($failure !== '') {
            static::fail($failure);
        }
        if (in_array(getenv('XHPROF_KEEP_RUNS'), [false, '', '0'], true)) {
            Profiler::folder()->delete($id);
        }

        return $result;
    }

    /** @return string '' if all limits are kept */
    private static function xhprofFailure(Checker $checker, string $test, bool $isOfBaseline): string
    {
        $results = array_values(array_filter($checker->check(), static fn (Result $result): bool => $result->subject === $test));
        $addresses = new Addresses((string) getenv('XHPROF_URL'), DefaultFolder::named() ?? '', (string) getcwd());
        $check = new CheckReport($results, $checker->notes(), $addresses);
        $texts = [];
        foreach ($check->failures() as $result) {
            $in = $result->symbol === '' ? '' : "\n  In " . Text::printable($result->symbol);
            $texts[] = $result->text() . $in . "\n  " . implode("\n  ", $check->details($result));
        }
        if ($texts !== [] && $isOfBaseline) {
            $texts = [...$texts, ...$check->notes, 'If this is meant, ' . TestBaseline::WRITE . '=1 writes the baseline again.'];
        }

        return implode("\n", $texts);
    }

    /** @param list<array{string, int|string}> $limits */
    private static function xhprofBudget(array $limits, ?FindingsAllowed $findings): Budget
    {
        $all = [];
        foreach ($limits as [$name, $most]) {
            $figure = FigureName::parse($name);
            $bound = is_string($figure) ? $figure : Bound::parse($figure, $most);
            if (is_string($figure) || is_string($bound)) {
                throw new \InvalidArgumentException(is_string($bound) ? $bound : '');
            }
            $all[] = new Limit($figure, [$bound]);
        }

        return new Budget('', new Selector([]), $all, $findings);
    }

    /**
     * @param FindingsAllowed::NONE|FindingsAllowed::NONE_NEW $word
     * @param list<string>|null $rules
     */
    private static function xhprofFindings(string $word, ?array $rules): FindingsAllowed
    {
        $steady = array_filter(Findings::rules(), static fn (Rule $rule): bool => !$rule::VARIES);
        $rules ??= array_map(static fn (Rule $rule): string => $rule::NAME, $steady);

        return FindingsAllowed::byRule(array_fill_keys($rules, $word), '', 0);
    }

    /** "Tests\ShopTest::testCart", with the name of the data set; of Pest its words. */
    private function xhprofTestName(): string
    {
        $answers = [];
        // Pest's, PHPUnit's from 10 on, PHPUnit 9's.
        foreach (['getPrintableTestCaseName', 'getPrintableTestCaseMethodName', 'nameWithDataSet', 'getName'] as $method) {
            $answers[] = method_exists($this, $method) ? $this->$method() : null;
        }
        [$class, $words, $name, $old] = array_map(static fn (mixed $text): string => is_string($text) ? $text : '', $answers);

        return Text::utf8($class === '' || $words === '' ? static::class . '::' . ($name ?: $old) : "$class::$words");
    }
}
