<?php

declare(strict_types=1);

namespace XHProf\Bench;

/**
 * Costs of large profiles: ending one with 100,000 edges, saving a tree of 1,000,000 nodes, and their memory; tracking
 * 1,000,000 blocks of memory.
 */
final class LargeProfiles implements Part
{
    /** Name for --only. */
    public const NAME = 'large';
    public const DISABLE = 'disable with 100k edges, ms';
    public const SAVE = 'save of a 1M-node tree, ms';
    public const PER_NODE = 'memory per tree node, bytes';
    public const REGISTER = 'register of 1M live blocks, MB';
    public const LEFT = 'memory left after the request, kB';

    private const EDGES = 317;
    private const NODES = 1000;
    private const BLOCKS = 1_000_000;
    private const QUICK = 30;
    /** Seconds per round, for the estimate. */
    private const AROUND = 3.5;

    /**
     * @param array<string, array{setting: string, api: string}> $profilers
     */
    public function __construct(
        private readonly Php $php,
        private readonly array $profilers,
        private readonly int $rounds,
        private readonly bool $quick,
    ) {
    }

    public function steps(): int
    {
        return (count($this->profilers) + (isset($this->profilers['own']) ? 4 : 0)) * $this->rounds;
    }

    public function estimate(): float
    {
        return $this->quick ? 1.0 : self::AROUND * $this->rounds;
    }

    public function run(Results $results, Progress $progress): void
    {
        $samples = [];
        for ($round = 1; $round <= $this->rounds; $round++) {
            foreach ($this->profilers as $name => ['setting' => $setting, 'api' => $api]) {
                $title = $name === 'own' ? self::DISABLE : self::DISABLE . " $name";
                $progress->step($this->title($title, $round));
                if (isset($results->failures[$title])) {
                    continue;
                }
                try {
                    $samples[$title][] = $this->disable($setting, $api);
                } catch (Failure $failure) {
                    if ($name === 'own') {
                        throw new Failure("$title: {$failure->getMessage()}");
                    }
                    $results->failures[$title] = $failure->getMessage();
                    unset($samples[$title]);
                }
            }
            if (!isset($this->profilers['own'])) {
                continue;
            }
            $measures = [
                self::SAVE => $this->save(...),
                self::PER_NODE => $this->perNode(...),
                self::REGISTER => $this->register(...),
                self::LEFT => $this->left(...),
            ];
            foreach ($measures as $title => $measure) {
                $progress->step($this->title($title, $round));
                try {
                    $samples[$title][] = $measure($this->profilers['own']['setting']);
                } catch (Failure $failure) {
                    throw new Failure("$title: {$failure->getMessage()}");
                }
            }
        }
        foreach ($samples as $title => $values) {
            $results->large[$title] = new Figure($values);
        }
    }

    private function title(string $what, int $round): string
    {
        return "$what, round $round/$this->rounds";
    }

    private function disable(string $setting, string $api): float
    {
        return $this->worker($setting, 'disable', $api, $this->quick ? self::QUICK : self::EDGES)['ms'];
    }

    private function save(string $setting): float
    {
        return $this->worker($setting, 'save', 'xhprof', $this->quick ? self::QUICK : self::NODES)['ms'];
    }

    private function perNode(string $setting): float
    {
        $size = $this->quick ? self::QUICK : self::NODES;
        $result = $this->worker($setting, 'memory', 'xhprof', $size);

        return $result['bytes'] / ($size * ($size + 1) + 1);
    }

    private function register(string $setting): float
    {
        return $this->worker($setting, 'register', 'xhprof', $this->quick ? self::QUICK : self::BLOCKS)['bytes'] / (1 << 20);
    }

    /** A server's process serves several requests: the same work without and then with a profile, memory read after each. */
    private function left(string $setting): float
    {
        $server = new RequestServer($this->php->command(
            [$setting, 'xhprof.max_nodes=2000000'],
            ['-S', '{address}', dirname(__DIR__) . '/request.php'],
        ));
        try {
            $size = $this->quick ? self::QUICK : self::NODES;
            for ($i = 0; $i < 3; $i++) {
                $server->get("run?$size");
            }
            $before = $server->get('rss');
            $server->get("profile?$size");

            return ($server->get('rss') - $before) / 1024;
        } finally {
            $server->stop();
        }
    }

    /** @return array{ms: float, bytes: int} */
    private function worker(string $setting, string $what, string $api, int $size): array
    {
        $settings = [$setting, 'xhprof.max_nodes=2000000', 'xhprof.output_dir=' . GeneratedCode::folder() . '/runs'];
        $result = $this->php->json($settings, [dirname(__DIR__) . '/large.php', $what, $api, (string) $size]);
        if (!is_array($result) || !isset($result['ms'], $result['bytes'])) {
            throw new Failure('the benchmark process gave no figures');
        }

        return $result;
    }
}
