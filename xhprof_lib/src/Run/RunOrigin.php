<?php

declare(strict_types=1);

namespace XHProf\Run;

/** Where a run comes from: what was profiled, and where. Everything may be missing (null). */
final class RunOrigin
{
    /**
     * @param string|null $name    of the span (a job of a worker), any bytes
     * @param string|null $route   "GET /users/{id}": common name of requests
     * @param int|null    $status  of the HTTP answer
     * @param string|null $parent  id of the run of the process that this one was forked from
     * @param string|null $traceId of the request's W3C trace context, 32 hexadecimal digits
     * @param string|null $spanId  the caller's span in it, 16 hexadecimal digits
     */
    private function __construct(
        public readonly ?string $sapi,
        public readonly ?string $command,
        public readonly ?string $url,
        public readonly ?string $method,
        public readonly ?string $host,
        public readonly ?string $php,
        public readonly ?bool $zts,
        public readonly ?int $pid,
        public readonly ?string $git,
        public readonly ?string $release,
        public readonly ?string $name,
        public readonly ?string $route,
        public readonly ?int $status,
        public readonly ?string $parent,
        public readonly ?string $traceId,
        public readonly ?string $spanId,
    ) {
    }

    public static function fromMeta(MetaValues $meta): self
    {
        $status = $meta->count('status');

        return new self(
            $meta->text('sapi'),
            $meta->text('command'),
            self::asAsked($meta->text('url')),
            $meta->text('method'),
            $meta->text('host'),
            $meta->text('php'),
            $meta->bool('zts'),
            $meta->count('pid'),
            $meta->text('git'),
            $meta->text('release'),
            $meta->text('name'),
            $meta->text('route'),
            $status !== null && $status >= 100 && $status <= 599 ? $status : null,
            $meta->text('parent'),
            $meta->hexadecimal('trace_id', 32),
            $meta->hexadecimal('span_id', 16),
        );
    }

    /** @return array{trace_id?: string, span_id?: string} of the W3C trace context that came with the request, as far as it is known */
    public function trace(): array
    {
        return array_filter(['trace_id' => $this->traceId, 'span_id' => $this->spanId], is_string(...));
    }

    /** What was deployed: the release, else the beginning of the Git revision; '' if neither is known. */
    public function revision(): string
    {
        return ($this->release ?? '') !== '' ? (string) $this->release : substr($this->git ?? '', 0, 7);
    }

    /** The job, URL or command that the runs of a trend share; '' if unknown. */
    public function subject(): string
    {
        return array_values(array_filter([$this->name, $this->url, $this->command]))[0] ?? '';
    }

    /** @return array<string, mixed> in the shape of RunMeta::fromArray() */
    public function toArray(): array
    {
        $trace = ['trace_id' => $this->traceId, 'span_id' => $this->spanId];

        return $trace + array_diff_key(get_object_vars($this), ['traceId' => 0, 'spanId' => 0]);
    }

    /** A URL without the parameter that asked for its profile: the program was asked for the same as without it. */
    private static function asAsked(?string $url): ?string
    {
        $asked = $url === null ? null : preg_replace('~(?<=[?&])XHPROF_TRIGGER=[^&#]*(?:&|(?=#|\z))~', '', $url);

        return $asked === null || $asked === $url ? $url : preg_replace('~[?&](?=#|\z)~', '', $asked, 1);
    }
}
