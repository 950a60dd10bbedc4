<?php

declare(strict_types=1);

namespace XHProf\Bridge;

use Throwable;

/**
 * Records a request or a job as a run, when it was asked for and nothing else records it: every call, and the operations. Nothing
 * is thrown, and nothing is printed; problem() has what went wrong. One object serves one request, or job, after the other.
 *
 *     $recorder->begin($next->take($cookie));
 *     ...
 *     $id = $recorder->end('GET app_product');
 */
final class Recorder
{
    /** What exact runs record beside calls and wall time, by the names of the setting xhprof.flags. */
    public const FLAGS = ['cpu', 'memory', 'timeline'];

    /** Of what nothing has named, in a process that serves many requests or jobs. */
    public const NO_ROUTE = '(no route)';

    private const SOURCE = 'web';

    private bool $isRecording = false;

    private bool $isGuarded = false;

    private ?string $runId = null;

    private ?string $problem = null;

    private bool $isBySettings = false;

    private readonly string $source;

    /**
     * @param string $source of its runs: 1 to 64 letters, digits, "_" or "-"
     * @param string|null $folder of the runs; null or '' for the one of the settings
     * @param list<string> $flags of cpu, memory, alloc, timeline, no_builtins
     */
    public function __construct(
        string $source = self::SOURCE,
        private readonly ?string $folder = null,
        private readonly array $flags = self::FLAGS,
    ) {
        $this->source = preg_match('/\A[A-Za-z0-9_-]{1,64}\z/', $source) === 1 ? $source : self::SOURCE;
    }

    /**
     * Begins a request or job.
     *
     * @param bool $isAsked whether it is to be recorded
     * @return bool whether the bridge records it: then end() is to be called
     */
    public function begin(bool $isAsked): bool
    {
        $this->reset();
        $this->isBySettings = Extension::records();
        if (!$isAsked || $this->isBySettings) {
            return false;
        }
        $this->problem = Extension::problem();
        if ($this->problem !== null) {
            return false;
        }
        try {
            ini_set('xhprof.collect_additional_info', '1');
            if (PHP_SAPI === 'cli') {
                // The process may have served others, which PHP does not know: the name of one would stay.
                xhprof_set_route(self::NO_ROUTE);
            }
            xhprof_enable($this->mask());
            $this->isRecording = true;
            $this->guard();
        } catch (Throwable $e) {
            $this->problem = self::sentence($e);
        }

        return $this->isRecording;
    }

    /**
     * Ends the request or job, and saves its run.
     *
     * @param string|null $route by which runs are compared; null for the one that xhprof_set_route() was given since begin(), or
     *     that the extension finds
     * @param array<string, mixed> $meta to keep with the run
     * @return string|null the id of its run; null where there is none: problem() may have the reason
     */
    public function end(?string $route = null, array $meta = []): ?string
    {
        if ($this->isRecording) {
            $this->isRecording = false;
            try {
                if ($route !== null && $route !== '') {
                    xhprof_set_route($route);
                }
                xhprof_disable();
                $this->runId = $this->save($meta);
            } catch (Throwable $e) {
                $this->problem = self::sentence($e);
            }
        }

        return $this->runId();
    }

    /** Ends the recording without a run. */
    public function drop(): void
    {
        if ($this->isRecording) {
            $this->isRecording = false;
            xhprof_disable();
        }
    }

    /** Forgets the request before, in a process that serves many. */
    public function reset(): void
    {
        $this->drop();
        $this->runId = $this->problem = null;
        $this->isBySettings = false;
    }

    public function isRecording(): bool
    {
        return $this->isRecording;
    }

    /** Whether settings of the extension record this request. */
    public function isBySettings(): bool
    {
        return $this->isBySettings;
    }

    /** @return string|null of this request: that of the settings' run, which is saved when the request ends, or our own after end() */
    public function runId(): ?string
    {
        return $this->runId ?? Extension::runId();
    }

    /** @return string the source of runId() */
    public function source(): string
    {
        return $this->runId === null && Extension::runId() !== null ? Extension::source() : $this->source;
    }

    /** @return string|null why the request was not recorded although it was asked for, as a sentence */
    public function problem(): ?string
    {
        return $this->problem;
    }

    private function mask(): int
    {
        $bits = [
            'no_builtins' => XHPROF_FLAGS_NO_BUILTINS,
            'cpu' => XHPROF_FLAGS_CPU,
            'memory' => XHPROF_FLAGS_MEMORY,
            'alloc' => XHPROF_FLAGS_ALLOC,
            'timeline' => XHPROF_FLAGS_TIMELINE,
        ];

        return array_sum(array_intersect_key($bits, array_flip($this->flags)));
    }

    /** @param array<string, mixed> $meta */
    private function save(array $meta): string
    {
        $before = ($this->folder ?? '') === '' ? false : ini_set('xhprof.output_dir', (string) $this->folder);
        try {
            return xhprof_save($this->source, $meta);
        } finally {
            if ($before !== false) {
                ini_set('xhprof.output_dir', $before);
            }
        }
    }

    /** A request that exit() or a fatal error ends is saved as it is. */
    private function guard(): void
    {
        if (!$this->isGuarded) {
            $this->isGuarded = true;
            register_shutdown_function(fn (): ?string => $this->isRecording ? $this->end() : null);
        }
    }

    private static function sentence(Throwable $error): string
    {
        return 'This request was not recorded: ' . rtrim($error->getMessage(), '.') . '.';
    }
}
