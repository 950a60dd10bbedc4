<?php

declare(strict_types=1);

namespace XHProf\Tests\Soak;

/** What a soak of fibers does. */
final class FiberOptions
{
    public const USAGE = <<<'TEXT'
        Usage: php tests/soak/fibers.php [OPTION...]

          --requests=N       requests in all (50000)
          --clients=N        connections, each with one request at a time (20)
          --each=N           requests of a connection, before the next one takes its place (100)
          --window=SECONDS   length of a window (10)
          --growth=KB        how much private memory (RssAnon) the server may gain (512)
          --seed=N           the order of the requests (1)
          --help             this text

        TEXT;

    private const NUMBERS = [
        'requests' => [1, 10_000_000], 'clients' => [1, 200], 'each' => [1, 1_000_000], 'window' => [1, 3600],
        'growth' => [1, 10_000_000], 'seed' => [0, PHP_INT_MAX],
    ];

    public bool $help = false;

    /** @param bool $times whether CPU times have to be right: in a test that is short they are not known well enough */
    public function __construct(
        public int $requests = 50_000,
        public int $clients = 20,
        public int $each = 100,
        public int $window = 10,
        public int $growth = 512,
        public int $seed = 1,
        public bool $times = true,
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
            if ($argument === '--help') {
                $options->help = true;
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
            $property = substr($name, 2);
            $options->$property = $number;
        }

        return $options;
    }
}
