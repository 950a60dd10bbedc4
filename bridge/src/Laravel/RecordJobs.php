<?php

declare(strict_types=1);

namespace XHProf\Bridge\Laravel;

use Illuminate\Contracts\Foundation\Application;
use Illuminate\Contracts\Queue\Job;
use Illuminate\Queue\Events\JobAttempted;
use Illuminate\Queue\Events\JobExceptionOccurred;
use Illuminate\Queue\Events\JobProcessed;
use Illuminate\Queue\Events\JobProcessing;
use Illuminate\Queue\Events\WorkerStarting;
use XHProf\Bridge\Extension;

/**
 * Listeners of a queue's worker: a run of one job in config('xhprof.jobs.one_in'), and of those that ask for it. Jobs that
 * settings of php.ini record, as spans of the worker, are left to them. A job of the connection "sync" is a part of what
 * dispatched it.
 */
final class RecordJobs
{
    /** Event => method. */
    public const LISTENERS = [
        WorkerStarting::class => 'start',
        JobProcessing::class => 'begin',
        JobProcessed::class => 'end',
        JobExceptionOccurred::class => 'end',
        JobAttempted::class => 'end',
    ];

    /** In the payload of a job that asks for a run. */
    public const MARK = 'xhprof';

    private const SYNC = 'sync';

    /** @var \Closure(int): int */
    private readonly \Closure $chance;

    /** @param (\Closure(int): int)|null $chance a number from 1 to the given one */
    public function __construct(private readonly Application $app, ?\Closure $chance = null)
    {
        $this->chance = $chance ?? static fn (int $most): int => random_int(1, $most);
    }

    public function start(): void
    {
        if ($this->app->make(Settings::class)->jobsOneIn() > 0) {
            Extension::sayOnce(fn (string $sentence): mixed => $this->app->make('log')->warning("XHProf: $sentence"));
        }
    }

    public function begin(JobProcessing $event): void
    {
        $job = $event->job;
        if ($job->getConnectionName() === self::SYNC || !$this->isAsked($job)) {
            return;
        }
        $recording = $this->app->make(Recording::class);
        $recording->begin($job, 'queue');
    }

    public function end(JobProcessed|JobExceptionOccurred|JobAttempted $event): void
    {
        if (!$this->app->resolved(Recording::class)) {
            return;
        }
        $job = $event->job;
        $this->app->make(Recording::class)->end($job, $job->resolveName(), ['job' => [
            'connection' => $event->connectionName,
            'queue' => $job->getQueue(),
            'attempt' => $job->attempts(),
            'uuid' => $job->uuid(),
            'failed' => $event instanceof JobExceptionOccurred,
        ]]);
    }

    /**
     * @param array<string, mixed> $payload of a job that is being dispatched
     * @return array<string, bool> to add to it
     */
    public static function mark(array $payload): array
    {
        $job = $payload['data']['command'] ?? null;
        $isMarked = is_object($job) && method_exists($job, 'isToBeProfiled') && $job->isToBeProfiled() === true;

        return $isMarked ? [self::MARK => true] : [];
    }

    private function isAsked(Job $job): bool
    {
        $payload = $job->payload();
        if (($payload[self::MARK] ?? null) === true || $this->isOfKind($payload)) {
            return true;
        }
        $oneIn = $this->app->make(Settings::class)->jobsOneIn();

        return $oneIn > 0 && ($this->chance)($oneIn) === 1;
    }

    /** @param array<mixed> $payload */
    private function isOfKind(array $payload): bool
    {
        // A listener, a mail or a notification is wrapped in a job of Laravel's; its own class is then the display name.
        foreach ([$payload['data']['commandName'] ?? null, $payload['displayName'] ?? null, $payload['job'] ?? null] as $class) {
            if (is_string($class) && is_subclass_of($class, ShouldProfile::class)) {
                return true;
            }
        }

        return false;
    }
}
