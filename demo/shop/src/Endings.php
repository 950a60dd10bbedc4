<?php

declare(strict_types=1);

namespace Shop;

/** Requests that end in other ways than by returning. */
final class Endings
{
    public function __construct(private readonly string $data)
    {
    }

    public function exit(): void
    {
        $at = (int) ($_GET['at'] ?? 0);
        register_shutdown_function(static function (): void {
            echo ', done';
        });
        echo "leaving at $at";
        array_map(static fn(int $i): int => $i === $at ? exit : $i, [0, 1, 2]);
    }

    public function error(): never
    {
        throw new \DomainException('This was to be expected.');
    }

    public function memory(): never
    {
        echo 'before';
        $all = [];
        for ($i = 0;; $i++) {
            $all[] = str_repeat('x', 100_000) . $i;
        }
    }

    public function time(): never
    {
        set_time_limit(1);
        for ($i = 0;; $i = abs($i % 1000)) {
            $i++;
        }
    }

    /** Answers, and works afterwards; the answer can be finished once. */
    public function finish(): void
    {
        echo 'accepted';
        $this->finishAnswer();
        $this->work(20);
        for ($until = hrtime(true) + 1_000_000 * (int) ($_GET['ms'] ?? 0); hrtime(true) < $until;) {
            usleep(1000);
        }
        $this->finishAnswer();
        file_put_contents("$this->data/finished", "x\n", FILE_APPEND | LOCK_EX);
    }

    private function finishAnswer(): void
    {
        if (function_exists('fastcgi_finish_request')) {
            fastcgi_finish_request();
        }
    }

    public function slow(): void
    {
        $ms = (int) ($_GET['ms'] ?? 200);
        $this->work(intdiv($ms, 10));
        usleep($ms * 1000);
        echo "after $ms ms";
    }

    public function busy(): void
    {
        echo $this->work((int) ($_GET['ms'] ?? 200));
    }

    /** Runs until the client has disconnected, or for very long. */
    public function stream(): void
    {
        ob_implicit_flush();
        while (ob_get_level() > 0) {
            ob_end_flush();
        }
        for ($i = 0; $i < (int) ($_GET['lines'] ?? 2000); $i++) {
            echo str_repeat("line $i ", 500), "\n";
            flush();
            usleep(500);
        }
    }

    /** A program that profiles itself. */
    public function own(): void
    {
        xhprof_enable();
        $this->work(2);
        $edges = xhprof_disable() ?? [];
        echo isset($edges['main()==>Shop\Endings::work']) ? 'profiled' : 'not profiled', ' ', xhprof_save('own');
    }

    private function work(int $ms): string
    {
        $end = hrtime(true) + $ms * 1_000_000;
        $digest = '';
        while (hrtime(true) < $end) {
            $digest = md5(str_repeat($digest, 30));
        }

        return $digest;
    }
}
