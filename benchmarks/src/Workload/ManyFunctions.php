<?php

declare(strict_types=1);

namespace XHProf\Bench\Workload;

use XHProf\Bench\GeneratedCode;

/** 1000 functions in a scattered order, each calling one of eight others in turn, 1000 too: 9000 edges, hard to predict. */
final class ManyFunctions implements Workload
{
    private const FUNCTIONS = 1000;
    private const CALLEES = 8;

    /** @var list<callable-string> */
    private readonly array $names;

    public function __construct()
    {
        $code = '';
        $names = [];
        for ($i = 0; $i < self::FUNCTIONS; $i++) {
            $arms = '';
            for ($callee = 0; $callee < self::CALLEES; $callee++) {
                $arms .= sprintf(' %d => bench_leaf_%d($n),', $callee, ($i * 7 + $callee * 331) % self::FUNCTIONS);
            }
            $body = sprintf('return match ($n %% %d) {%s };', self::CALLEES, $arms);
            $code .= "function bench_many_$i(int \$n): int { $body }\n";
            $code .= "function bench_leaf_$i(int \$n): int { return \$n + $i; }\n";
            $names[] = 'bench_many_' . $i * 13 % self::FUNCTIONS;
        }
        require_once GeneratedCode::file('many-functions', $code);
        $this->names = array_values(array_filter($names, is_callable(...)));
    }

    public function run(int $units): int
    {
        for ($round = 0; $round < $units; $round++) {
            foreach ($this->names as $name) {
                $name($round);
            }
        }

        return $units * self::FUNCTIONS * 2;
    }
}
