<?php

declare(strict_types=1);

namespace XHProf\Bench;

use XHProf\Bench\Workload\Allocations;
use XHProf\Bench\Workload\CommonMarkProgram;
use XHProf\Bench\Workload\CpuMix;
use XHProf\Bench\Workload\DeepRecursion;
use XHProf\Bench\Workload\EmptyFunction;
use XHProf\Bench\Workload\Fibonacci;
use XHProf\Bench\Workload\InternalFunction;
use XHProf\Bench\Workload\ManyFunctions;
use XHProf\Bench\Workload\Methods;
use XHProf\Bench\Workload\PhpParserProgram;
use XHProf\Bench\Workload\SqlStatement;
use XHProf\Bench\Workload\TwigProgram;

/** The list of workloads. */
final class Workloads
{
    private const ROOT = __DIR__ . '/../..';

    /** @return array<string, WorkloadSpec> by name */
    public static function all(): array
    {
        $specs = [
            new WorkloadSpec('empty function', EmptyFunction::class, false, 100_000, 5_000),
            new WorkloadSpec('fib', Fibonacci::class, false, 5, 1),
            new WorkloadSpec('internal function', InternalFunction::class, false, 100_000, 5_000),
            new WorkloadSpec('methods', Methods::class, false, 50_000, 2_500),
            new WorkloadSpec('2000 functions', ManyFunctions::class, false, 50, 1),
            new WorkloadSpec('deep recursion', DeepRecursion::class, false, 5, 1),
            new WorkloadSpec('SQL statement', SqlStatement::class, false, 10_000, 500, null, ['pdo', 'pdo_sqlite']),
            new WorkloadSpec('CPU mix', CpuMix::class, true, 8, 1),
            new WorkloadSpec('allocations', Allocations::class, true, 8_192, 500),
            new WorkloadSpec('PHP parser', PhpParserProgram::class, true, 50, 2, self::ROOT . '/vendor/nikic/php-parser', [
                'tokenizer', 'ctype',
            ]),
            new WorkloadSpec('Twig', TwigProgram::class, true, 6, 1, self::ROOT . '/vendor/twig/twig', ['ctype', 'mbstring']),
            new WorkloadSpec('CommonMark', CommonMarkProgram::class, true, 5, 1, CommonMarkProgram::LIBRARY, [
                'ctype', 'mbstring',
            ]),
        ];

        return array_combine(array_column($specs, 'name'), $specs);
    }
}
