<?php

declare(strict_types=1);

namespace XHProf\Mcp;

use XHProf\Format\VisibleName;

/**
 * A server of the Model Context Protocol on two streams: JSON-RPC 2.0, a message per line. It answers one request after the other,
 * and ends when its input does, when nobody reads its output, or by a signal; never by what it is asked.
 */
final class Server
{
    /** Requests that may wait for their answer. */
    private const WAITING = 1000;

    /** Bytes of a name in a message. */
    private const NAMED = 60;

    private const FLAGS = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR;

    private string $version = Versions::LATEST;

    private bool $isOpen = true;

    /** @var list<array{list<Message|array{int|string|null, ProtocolError}>, bool}> lines that wait, and whether they are batches */
    private array $waiting = [];

    /** @var array<string, true> requests that are not to be answered any more */
    private array $cancelled = [];

    private int|string|null $current = null;

    /**
     * @param resource $output
     * @param \Closure(string): void $log lines for people: never the output
     */
    public function __construct(
        private readonly Toolbox $toolbox,
        private readonly string $name,
        private readonly string $title,
        private readonly string $release,
        private readonly Lines $input,
        private $output,
        private readonly \Closure $log,
    ) {
    }

    public function run(): void
    {
        $this->listenToSignals();
        while ($this->isOpen) {
            $this->take();
            $next = array_shift($this->waiting);
            if ($next !== null) {
                $this->handle(...$next);
            } elseif ($this->input->isAtEnd()) {
                return;
            } else {
                $this->input->wait(1.0);
            }
        }
    }

    private function listenToSignals(): void
    {
        if (!function_exists('pcntl_async_signals')) {
            return;
        }
        pcntl_async_signals(true);
        foreach ([SIGTERM, SIGINT, SIGHUP] as $signal) {
            pcntl_signal($signal, function (): void {
                $this->isOpen = false;
                $this->cancelled[self::key($this->current)] = true;
            }, false);
        }
    }

    /**
     * Reads what the client has sent. What it cancels is known at once, before what it has asked earlier is answered, and however
     * much waits.
     */
    private function take(): void
    {
        foreach ($this->input->arrived() as $line) {
            if ($line !== null && trim($line) === '') {
                continue;
            }
            $most = Lines::LONGEST;
            $read = $line === null
                ? [[[null, new ProtocolError(ProtocolError::INVALID_REQUEST, "the line is longer than $most bytes")]], false]
                : Message::read($line);
            if (count($this->waiting) >= self::WAITING) {
                $this->refuse($read[0]);
            } else {
                $this->waiting[] = $read;
            }
            foreach ($read[0] as $message) {
                $id = $message instanceof Message && $message->method === 'notifications/cancelled'
                    ? $message->params['requestId'] ?? null
                    : null;
                if ((is_int($id) || is_string($id)) && $this->isPending($id)) {
                    $this->cancelled[self::key($id)] = true;
                }
            }
        }
    }

    /**
     * Answers requests of which too many wait already.
     *
     * @param list<Message|array{int|string|null, ProtocolError}> $messages
     */
    private function refuse(array $messages): void
    {
        foreach ($messages as $message) {
            if ($message instanceof Message && $message->isRequest()) {
                $why = self::WAITING . ' requests wait for their answer already';
                $this->send(self::failure($message->id, new ProtocolError(ProtocolError::INTERNAL, $why)));
            }
        }
    }

    private function isPending(int|string $id): bool
    {
        $isIt = static fn (mixed $message): bool => $message instanceof Message && $message->id === $id
            && $message->method !== 'initialize';

        return $this->current === $id
            || array_filter($this->waiting, static fn (array $line): bool => array_filter($line[0], $isIt) !== []) !== [];
    }

    private static function key(int|string|null $id): string
    {
        return gettype($id) . ":$id";
    }

    /** @param list<Message|array{int|string|null, ProtocolError}> $messages */
    private function handle(array $messages, bool $isBatch): void
    {
        if ($isBatch && !Versions::hasBatches($this->version)) {
            $why = "version $this->version of the protocol has no batches: send one message per line";
            $this->send(self::failure(null, new ProtocolError(ProtocolError::INVALID_REQUEST, $why)));

            return;
        }
        $answers = [];
        foreach ($messages as $message) {
            $answer = $message instanceof Message ? $this->answered($message, $isBatch) : self::failure(...$message);
            $answers = $answer === null ? $answers : [...$answers, $answer];
        }
        if ($answers !== []) {
            $this->send($isBatch ? $answers : $answers[0]);
        }
    }

    /** @return array<string, mixed>|null null for a notification, and for what was cancelled */
    private function answered(Message $message, bool $isBatch): ?array
    {
        if (!$message->isRequest()) {
            return null;
        }
        $key = self::key($message->id);
        $this->current = $message->id;
        try {
            if ($isBatch && $message->method === 'initialize') {
                throw new ProtocolError(ProtocolError::INVALID_REQUEST, 'initialize must not be part of a batch');
            }
            $result = isset($this->cancelled[$key]) ? null : $this->result($message);
            $answer = ['jsonrpc' => '2.0', 'id' => $message->id, 'result' => $result === [] ? new \stdClass() : $result];
            $answer = $result === null ? null : $answer;
        } catch (ProtocolError $error) {
            $answer = self::failure($message->id, $error);
        } catch (\Throwable $error) {
            ($this->log)(sprintf('%s: %s at %s:%d', $error::class, $error->getMessage(), $error->getFile(), $error->getLine()));
            $answer = self::failure($message->id, new ProtocolError(ProtocolError::INTERNAL, 'internal error: see stderr'));
        }
        $this->take();
        $this->current = null;
        $isCancelled = isset($this->cancelled[$key]);
        unset($this->cancelled[$key]);

        return $isCancelled ? null : $answer;
    }

    /** @return array<string, mixed>|null null for what was cancelled */
    private function result(Message $message): ?array
    {
        return match ($message->method) {
            'initialize' => $this->initialized($message),
            'ping' => [],
            'tools/list' => ['tools' => $this->whole($message, $this->toolbox->tools())],
            'tools/call' => $this->called($message),
            'resources/list' => ['resources' => $this->whole($message, $this->toolbox->resources())],
            'resources/templates/list' => ['resourceTemplates' => $this->whole($message, [])],
            'resources/read' => $this->resource($message),
            'prompts/list' => ['prompts' => $this->whole($message, $this->toolbox->prompts())],
            'prompts/get' => $this->prompt($message),
            default => throw new ProtocolError(
                ProtocolError::UNKNOWN_METHOD,
                'there is no method "' . VisibleName::text($message->method, self::NAMED) . '"',
            ),
        };
    }

    /** @return array<string, mixed> */
    private function initialized(Message $message): array
    {
        $this->version = Versions::negotiate($message->text('protocolVersion'));

        return [
            'protocolVersion' => $this->version,
            'capabilities' => ['tools' => new \stdClass(), 'resources' => new \stdClass(), 'prompts' => new \stdClass()],
            'serverInfo' => ['name' => $this->name, 'title' => $this->title, 'version' => $this->release],
            'instructions' => $this->toolbox->instructions(),
        ];
    }

    /**
     * All lists fit into one answer.
     *
     * @template T
     *
     * @param list<T> $list
     *
     * @return list<T>
     */
    private function whole(Message $message, array $list): array
    {
        return isset($message->params['cursor'])
            ? throw new ProtocolError(ProtocolError::INVALID_PARAMS, 'there is no such cursor: the list has one page')
            : $list;
    }

    /** @return array<string, mixed>|null */
    private function called(Message $message): ?array
    {
        [$tool, $arguments] = [$message->text('name'), $message->members('arguments')];
        try {
            [$seconds, $late] = $this->toolbox->patience($tool, $arguments);
            $key = self::key($message->id);

            return Worker::answer(
                fn (): ToolResult => $this->toolbox->call($tool, $arguments),
                $seconds,
                $late,
                function () use ($key): bool {
                    $this->take();

                    return isset($this->cancelled[$key]);
                },
                $this->input->wait(...),
            )?->toArray();
        } catch (WrongArguments $wrong) {
            return Versions::answersWrongArguments($this->version)
                ? ToolResult::error($wrong->getMessage())->toArray()
                : throw $wrong;
        }
    }

    /** @return array<string, mixed> */
    private function resource(Message $message): array
    {
        $uri = $message->text('uri');
        $text = $this->toolbox->resource($uri)
            ?? throw new ProtocolError(ProtocolError::INVALID_PARAMS, 'there is no such resource: resources/list has all');

        return ['contents' => [['uri' => $uri, 'mimeType' => 'text/markdown', 'text' => $text]]];
    }

    /** @return array<string, mixed> */
    private function prompt(Message $message): array
    {
        $text = $this->toolbox->prompt($message->text('name'), $message->members('arguments'))
            ?? throw new ProtocolError(ProtocolError::INVALID_PARAMS, 'there is no such prompt: prompts/list has all');

        return ['messages' => [['role' => 'user', 'content' => ['type' => 'text', 'text' => $text]]]];
    }

    /** @return array<string, mixed> */
    private static function failure(int|string|null $id, ProtocolError $error): array
    {
        return ['jsonrpc' => '2.0', 'id' => $id, 'error' => ['code' => $error->rpcCode, 'message' => $error->getMessage()]];
    }

    /** @param array<array-key, mixed> $answer */
    private function send(array $answer): void
    {
        $line = json_encode($answer, self::FLAGS) . "\n";
        for ($sent = 0; $sent < strlen($line); $sent += $written) {
            $written = @fwrite($this->output, substr($line, $sent, 1 << 16));
            if ($written === false || $written === 0) {
                // Nobody reads it any more.
                $this->isOpen = false;

                return;
            }
        }
    }
}
