<?php

declare(strict_types=1);

namespace XHProf\Mcp;

/** What a server offers, whatever it is about: the protocol knows no profile. */
interface Toolbox
{
    /** What a client should tell its model about this server. */
    public function instructions(): string;

    /** @return list<array<string, mixed>> tools as tools/list has them */
    public function tools(): array;

    /**
     * Answers a call. What goes wrong in it is part of the answer.
     *
     * @param array<string, mixed> $arguments
     *
     * @throws ProtocolError for a tool that there is not; WrongArguments for arguments that it does not take
     */
    public function call(string $tool, array $arguments): ToolResult;

    /**
     * The seconds that a call may take, and the answer if it takes longer.
     *
     * @param array<string, mixed> $arguments
     *
     * @return array{float, ToolResult}
     */
    public function patience(string $tool, array $arguments): array;

    /** @return list<array{uri: string, name: string, title: string, description: string, mimeType: string}> */
    public function resources(): array;

    /** @return string|null its text; null for a resource that there is not */
    public function resource(string $uri): ?string;

    /** @return list<array<string, mixed>> prompts as prompts/list has them */
    public function prompts(): array;

    /**
     * @param array<string, mixed> $arguments
     *
     * @return string|null what the user says; null for a prompt that there is not
     *
     * @throws WrongArguments
     */
    public function prompt(string $name, array $arguments): ?string;
}
