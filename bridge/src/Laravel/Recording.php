<?php

declare(strict_types=1);

namespace XHProf\Bridge\Laravel;

use Illuminate\Contracts\Foundation\Application;
use Psr\Log\LoggerInterface;
use Throwable;
use XHProf\Bridge\Recorder;

/**
 * The one recording of this process: of a request, a job or a command. What begins within it belongs to it. A worker serves one
 * after the other.
 */
final class Recording
{
    /** @var \WeakReference<object>|null the request or job that is recorded, or was last */
    private ?\WeakReference $of = null;

    private ?Recorder $recorder = null;

    /** @param \Closure(string): void $say passes a sentence on */
    public function __construct(
        private readonly ?string $folder,
        /** @var list<string> */
        private readonly array $flags,
        private readonly \Closure $say,
    ) {
    }

    public static function of(Application $app): self
    {
        $settings = $app->make(Settings::class);

        return new self($settings->folder(), $settings->flags(), static function (string $sentence) use ($app): void {
            try {
                $app->make(LoggerInterface::class)->warning("XHProf: $sentence");
            } catch (Throwable) {
                error_log("XHProf: $sentence");
            }
        });
    }

    /**
     * @param object $of the request, job or command
     * @param string $source of its run
     */
    public function begin(object $of, string $source): void
    {
        if ($this->recorder?->isRecording() === true) {
            return;
        }
        $this->of = \WeakReference::create($of);
        $this->recorder = new Recorder($source, $this->folder, $this->flags);
        $this->recorder->begin(true);
        $this->complain();
    }

    /** Whether this request, job or command was asked for. */
    public function isOf(object $of): bool
    {
        return $this->of?->get() === $of;
    }

    /**
     * @param string|null $route null for the one that the extension finds
     * @param array<string, mixed> $meta to keep with the run
     * @return string|null the id of the run
     */
    public function end(object $of, ?string $route = null, array $meta = []): ?string
    {
        if (!$this->isOf($of) || $this->recorder === null) {
            return null;
        }
        $wasRecording = $this->recorder->isRecording();
        $id = $this->recorder->end($route, $meta);
        if ($wasRecording) {
            $this->complain();
        }

        return $id;
    }

    /** Ends without a run what its worker has left. */
    public function forget(): void
    {
        $this->recorder?->drop();
        $this->recorder = $this->of = null;
    }

    public function source(): string
    {
        return $this->recorder?->source() ?? '';
    }

    public function problem(): ?string
    {
        return $this->recorder?->problem();
    }

    private function complain(): void
    {
        $problem = $this->recorder?->problem();
        if ($problem !== null) {
            ($this->say)($problem);
        }
    }
}
