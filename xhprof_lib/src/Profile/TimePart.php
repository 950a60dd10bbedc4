<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * What wall time was spent on: the parts of which a bar is made, in its order. Kinds of operations are parts, with the extension's
 * names. Each has its label here only.
 */
enum TimePart: string
{
    case Cpu = 'cpu';
    /** CPU time of the engine, in compiling files and texts. */
    case Compile = 'compile';
    /** CPU time of the engine, in collecting cycles. */
    case Gc = 'gc';

    case Sql = 'sql';
    case Http = 'http';
    case Cache = 'cache';
    case Socket = 'socket';
    case File = 'file';
    case Process = 'process';
    case Mail = 'mail';
    case Sleep = 'sleep';
    case Lock = 'lock';
    case Output = 'output';
    /** What compiling waited for: files were read. */
    case CompileWait = 'compile_wait';

    /** Another program had the processor, or the disk had to give memory. */
    case NotRunning = 'not_running';
    /** Other fibers ran, or the loop waited: no function of the run has it. */
    case Suspended = 'suspended';
    /** Wall time of which nothing more is known. */
    case Unknown = 'unknown';

    public const ON_CPU = 'cpu';
    public const WAITING = 'waiting';

    /** @return string for people, at the beginning of a line */
    public function label(): string
    {
        return match ($this) {
            self::Cpu => 'Computing',
            self::Compile => 'Compiling',
            self::Gc => 'Garbage collection',
            self::Sql => 'SQL',
            self::Http => 'HTTP',
            self::Cache => 'Cache',
            self::Socket => 'Sockets',
            self::File => 'Files',
            self::Process => 'Processes',
            self::Mail => 'Mail',
            self::Sleep => 'Sleeping',
            self::Lock => 'Locks and sessions',
            self::Output => 'Output to clients',
            self::CompileWait => 'Reading code',
            self::NotRunning => 'Not running',
            self::Suspended => 'Suspended',
            self::Unknown => 'Not known',
        };
    }

    /** @return string one sentence */
    public function meaning(): string
    {
        return match ($this) {
            self::Cpu => 'The program was on the processor.',
            self::Compile => 'PHP compiled files: opcache keeps them between requests.',
            self::Gc => 'PHP collected cycles of values.',
            self::CompileWait => 'PHP waited for files that it compiled.',
            self::NotRunning => 'Another program had the processor, or the disk had to give memory first.',
            self::Suspended => 'Other fibers ran, or the event loop waited.',
            self::Unknown => 'The run does not say what this time was spent on.',
            default => 'Waiting: functions of this kind did not compute.',
        };
    }

    /** @return string of a group(), in a sentence */
    public static function groupLabel(string $group): string
    {
        return match ($group) {
            self::ON_CPU => 'on CPU',
            self::WAITING => 'waiting',
            default => lcfirst(self::from($group)->label()),
        };
    }

    /** @return 'cpu'|'waiting'|'not_running'|'suspended'|'unknown' */
    public function group(): string
    {
        return match ($this) {
            self::Cpu, self::Compile, self::Gc => self::ON_CPU,
            self::NotRunning => 'not_running',
            self::Suspended => 'suspended',
            self::Unknown => 'unknown',
            default => self::WAITING,
        };
    }
}
