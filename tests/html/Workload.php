<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

/**
 * Makes the profile of an imaginary shop application: a random, but reproducible tree of calls
 * folded into classic edges. Times in microseconds, memory in bytes.
 */
final class Workload
{
    private const LAYERS = [
        ['App\Kernel', 'App\Http\Router', 'App\Http\Firewall', 'App\EventDispatcher'],
        ['App\Controller\OrderController', 'App\Controller\CartController', 'App\Security\Voter', 'App\Form\FormFactory'],
        ['App\Service\Pricing', 'App\Service\Stock', 'App\Service\Discount\RuleEngine', 'App\Template\Engine'],
        ['App\Repository\OrderRepository', 'App\Repository\ProductRepository', 'App\Template\Node\ForNode', 'App\Cache\Pool'],
        ['Doctrine\ORM\UnitOfWork', 'Doctrine\ORM\Hydrator', 'Twig\Template', 'Monolog\Logger', 'Symfony\Intl\Formatter'],
    ];

    private const METHODS = [
        'handle', 'boot', 'get', 'find', 'load', 'compile', 'render', 'apply', 'hydrate', 'normalize', 'validate', 'resolve',
        'dispatch', 'format',
    ];

    private const INTERNAL = [
        'strlen', 'preg_match', 'array_map', 'PDOStatement::execute', 'PDOStatement::fetch', 'json_decode', 'sprintf',
        'htmlspecialchars', 'str_replace', 'array_merge', 'is_callable', 'DateTimeImmutable::__construct', 'file_get_contents',
        'usort', 'mb_strtolower', 'iterator_to_array',
    ];

    /** @var array<string, array<string, int>> */
    private array $edges = [];

    /** @var array<string, int> function => its index */
    private array $names = [];

    /** @var array{fn: list<int>, depth: list<int>, self: array<string, list<int>>} one node per call */
    private array $nodes = ['fn' => [], 'depth' => [], 'self' => []];

    /** @var array<string, int> how many calls of a function are running */
    private array $running = [];

    private int $random;

    /**
     * @param array<string, float> $factors function => factor on its own time
     * @param bool $full also CPU and memory
     * @param int $variety number of methods of each name
     */
    private function __construct(
        int $seed,
        private readonly array $factors,
        private readonly bool $full,
        private readonly int $variety,
    ) {
        $this->random = $seed;
    }

    /**
     * @param array<string, float> $factors
     * @return array<string, array<string, int>> edges
     */
    public static function edges(int $seed, int $calls = 400, array $factors = [], bool $full = true, int $variety = 1): array
    {
        $workload = new self($seed, $factors, $full, $variety);
        $left = $calls;
        $main = $workload->call(null, 'main()', 0, $left);
        $workload->edges['main()'] = $full ? $main : ['ct' => 1, 'wt' => $main['wt']];

        return $workload->edges;
    }

    /**
     * The same program as a call tree with corrected times: a part of each counts as the profiler's.
     *
     * @return array<string, mixed> a call tree in the shape of a saved one
     */
    public static function tree(int $seed, int $calls): array
    {
        $workload = new self($seed, [], true, 1);
        $left = $calls;
        $workload->call(null, 'main()', 0, $left);
        $corrected = [];
        foreach (['wt', 'cpu'] as $metric) {
            foreach ($workload->nodes['self'][$metric] as $node => $figure) {
                $corrected[$metric][] = intdiv($figure * (95 - $node * 37 % 60), 100);
            }
        }
        $count = count($workload->nodes['fn']);
        $tree = ['n' => $count, 'names' => array_keys($workload->names)];

        return $tree + $workload->nodes + ['ct' => array_fill(0, $count, 1), 'corrected' => $corrected];
    }

    /**
     * @param int $left calls still to be made, counted down
     * @return array<string, int> inclusive figures of this call
     */
    private function call(?string $caller, string $function, int $depth, int &$left): array
    {
        $level = $this->running[$function] ?? 0;
        $this->running[$function] = $level + 1;
        $symbol = $level === 0 ? $function : "$function@$level";
        $own = (int) round((1 + $this->next(90) * ($depth >= 4 ? 1 : 6)) * ($this->factors[$function] ?? 1.0));
        $sum = ['ct' => 1, 'wt' => $own, 'cpu' => intdiv($own * (60 + $this->next(40)), 100)];
        $sum += ['mu' => $this->next(9000) - 1500, 'pmu' => $this->next(3000)];
        $this->nodes['fn'][] = $this->names[$function] ??= count($this->names);
        $this->nodes['depth'][] = $depth;
        foreach (['wt' => 1000, 'cpu' => 1000, 'mu' => 1, 'pmu' => 1] as $metric => $factor) {
            $this->nodes['self'][$metric][] = $sum[$metric] * $factor;
        }
        $children = $depth === 0 ? PHP_INT_MAX : ($depth > 9 ? 0 : $this->next(7));
        for ($i = 0; $i < $children && $left > 0; $i++) {
            $left--;
            $name = $this->name($depth);
            $child = $this->call($symbol, $name, $depth + 1, $left);
            foreach (['wt', 'cpu', 'mu', 'pmu'] as $metric) {
                $sum[$metric] += $child[$metric];
            }
        }
        $this->running[$function] = $level;
        if ($caller !== null) {
            $this->add("$caller==>$symbol", $sum);
        }

        return $sum;
    }

    /** @param array<string, int> $figures */
    private function add(string $key, array $figures): void
    {
        foreach ($this->full ? $figures : ['ct' => 1, 'wt' => $figures['wt']] as $metric => $value) {
            $this->edges[$key][$metric] = ($this->edges[$key][$metric] ?? 0) + $value;
        }
    }

    private function name(int $depth): string
    {
        if ($depth >= 3 && $this->next(3) > 0) {
            return self::INTERNAL[$this->next(count(self::INTERNAL))];
        }
        $layer = self::LAYERS[min($depth, count(self::LAYERS) - 1)];
        $class = $layer[$this->next(count($layer))];
        $method = self::METHODS[$this->next(count(self::METHODS))];

        $method .= $this->variety > 1 ? 'Step' . $this->next($this->variety) : '';

        return match ($this->next(24)) {
            0 => 'load::' . strtolower(substr((string) strrchr($class, '\\'), 1)) . "/$method.php",
            1 => "$class::{closure:src/$method.php:" . (10 + $this->next(3)) . '}',
            default => "$class::$method",
        };
    }

    /** A number from 0 to $below - 1: the minimal standard generator, the same on every machine. */
    private function next(int $below): int
    {
        $this->random = ($this->random * 48271) % 2147483647;

        return intdiv($this->random, 8) % $below;
    }
}
