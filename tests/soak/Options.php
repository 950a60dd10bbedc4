<?php

declare(strict_types=1);

namespace XHProf\Tests\Soak;

/** What a soak does. */
final class Options
{
    public const USAGE = <<<'TEXT'
        Usage: php tests/soak/soak.php [OPTION...]

          --requests=N       requests in all (50000)
          --workers=N        processes of PHP-FPM (3)
          --clients=N        requests at a time (6)
          --window=SECONDS   length of a window (10)
          --reloads=N        reloads of PHP-FPM, under load (10); 0: none
          --max-requests=N   requests after which a worker is replaced (2000); 0: never
          --kills=N          workers that are killed by SIGKILL, under load (20); 0: none
          --full             the disk of the run folder is full for the second third of the requests: a small tmpfs,
                             as root; workers are killed before that only, as who starts on a full disk has no journal
          --growth=KB        how much private memory (RssAnon) a worker may gain (512)
          --seed=N           which workers are killed when (1)
          --help             this text

        TEXT;

    /** Requests that are sent before all answers are awaited. */
    private const BATCH = 250;
    private const NUMBERS = [
        'requests' => [1, 10_000_000], 'workers' => [1, 64], 'clients' => [1, 200], 'window' => [1, 3600], 'reloads' => [0, 10_000],
        'max-requests' => [0, 1_000_000], 'kills' => [0, 10_000], 'growth' => [1, 10_000_000], 'seed' => [0, PHP_INT_MAX],
    ];

    public bool $help = false;

    public function __construct(
        public int $requests = 50_000,
        public int $workers = 3,
        public int $clients = 6,
        public int $window = 10,
        public int $reloads = 10,
        public int $maxRequests = 2000,
        public int $kills = 20,
        public bool $full = false,
        public int $growth = 512,
        public int $seed = 1,
    ) {
    }

    /**
     * @param list<string> $arguments without the name of the script
     * @throws \InvalidArgumentException
     */
    public static function parse(array $arguments): self
    {
        $options = new self();
        foreach ($arguments as $argument) {
            if ($argument === '--full' || $argument === '--help') {
                $options->{substr($argument, 2)} = true;
                continue;
            }
            [$name, $value] = explode('=', $argument, 2) + ['', ''];
            [$least, $most] = self::NUMBERS[substr($name, 2)] ?? [0, -1];
            if ($most < 0 || !str_starts_with($name, '--')) {
                throw new \InvalidArgumentException("unknown option $argument; --help lists them");
            }
            $number = filter_var($value, FILTER_VALIDATE_INT, ['options' => ['min_range' => $least, 'max_range' => $most]]);
            if ($number === false) {
                throw new \InvalidArgumentException("$name must be a number from $least to $most, not \"$value\"");
            }
            $property = $name === '--max-requests' ? 'maxRequests' : substr($name, 2);
            $options->$property = $number;
        }

        return $options;
    }

    /** How many batches there are. */
    public function steps(): int
    {
        return intdiv($this->requests + self::BATCH - 1, self::BATCH);
    }

    /** Requests of a batch, from 0. */
    public function size(int $step): int
    {
        return min(self::BATCH, $this->requests - $step * self::BATCH);
    }
}
