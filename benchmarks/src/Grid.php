<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** N functions that each call the same N others: N * (N + 1) different edges, and as many nodes of the tree. */
final class Grid
{
    /** @var list<callable-string> */
    private readonly array $callers;
    /** @var list<callable-string> */
    private readonly array $callees;

    public function __construct(private readonly int $size)
    {
        $code = '';
        [$callers, $callees] = [[], []];
        for ($i = 0; $i < $size; $i++) {
            $code .= "function bench_grid_caller_$i(array \$callees): void { foreach (\$callees as \$callee) { \$callee(); } }\n";
            $code .= "function bench_grid_callee_$i(): void {}\n";
            $callers[] = "bench_grid_caller_$i";
            $callees[] = "bench_grid_callee_$i";
        }
        require_once GeneratedCode::file("grid-$size", $code);
        $this->callers = array_values(array_filter($callers, is_callable(...)));
        $this->callees = array_values(array_filter($callees, is_callable(...)));
    }

    public function run(): void
    {
        foreach ($this->callers as $caller) {
            $caller($this->callees);
        }
    }

    public function edges(): int
    {
        return $this->size * ($this->size + 1);
    }
}
