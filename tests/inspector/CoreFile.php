<?php

declare(strict_types=1);

namespace XHProf\Tests\Inspector;

/**
 * An ELF core file, written as the kernel writes it: of a process that waits, by /proc; or of parts that a test makes up. Pages of
 * files that the process has not changed are left out, except for the first of each.
 */
final class CoreFile
{
    public const X86_64 = 62;
    public const AARCH64 = 183;
    public const PAGE = 4096;

    private const LOAD = 1;
    private const NOTE = 4;

    /** Bytes of the kernel's struct elf_prstatus; pid and registers in it. */
    private const STATUS = [self::X86_64 => [336, 112, 19], self::AARCH64 => [392, 112, 31]];

    /** @var list<array{from: int, to: int, rights: int, bytes: string, file: string, offset: int}> */
    public array $memory = [];

    /** @var array<string, int> what its parts are instead, by name: class, data, machine, type, phentsize, phnum */
    public array $header = [];

    /** @var list<array{int, string}> notes besides those of the process */
    public array $notes = [];

    public int $pid = 1;
    public int $signal = 6;
    public int $stack = 0;
    public string $vector = '';
    public string $arguments = 'php worker.php --password=hush';

    /** Whether the list of mapped files is in it. */
    public bool $hasFiles = true;

    public static function machine(): int
    {
        return php_uname('m') === 'aarch64' ? self::AARCH64 : self::X86_64;
    }

    /** @param \Closure(string $file, string $rights): bool|null $isKept whether memory of a file is in it as a whole */
    public static function ofProcess(int $pid, ?\Closure $isKept = null): self
    {
        $core = new self();
        $core->pid = $pid;
        $core->vector = (string) file_get_contents("/proc/$pid/auxv");
        $memory = fopen("/proc/$pid/mem", 'rb') ?: throw new \RuntimeException('its memory cannot be read');
        foreach (file("/proc/$pid/maps") ?: [] as $line) {
            $isLine = preg_match('/^(\w+)-(\w+) (\S+) (\w+) \S+ \S+ *(.*)$/', rtrim($line, "\n"), $m) === 1;
            if (!$isLine || str_starts_with($m[5], '[v')) {
                continue;
            }
            [$from, $to, $file] = [(int) hexdec($m[1]), (int) hexdec($m[2]), $m[5]];
            $rights = ($m[3][0] === 'r' ? 4 : 0) | ($m[3][1] === 'w' ? 2 : 0) | ($m[3][2] === 'x' ? 1 : 0);
            $isFile = str_starts_with($file, '/');
            $isWhole = !$isFile || $m[3][1] === 'w' || ($isKept !== null && $isKept($file, $m[3]));
            $wanted = $m[3][0] !== 'r' ? 0 : ($isWhole ? $to - $from : ((int) hexdec($m[4]) === 0 ? self::PAGE : 0));
            $bytes = '';
            if ($wanted > 0) {
                fseek($memory, $from);
                do {
                    $part = (string) fread($memory, max(1, min(65536, $wanted - strlen($bytes))));
                    $bytes .= $part;
                } while ($part !== '' && strlen($bytes) < $wanted);
            }
            if ($file === '[stack]') {
                $core->stack = $to - self::PAGE;
            }
            $core->memory[] = ['from' => $from, 'to' => $to, 'rights' => $rights, 'bytes' => $bytes,
                'file' => $isFile ? $file : '', 'offset' => (int) hexdec($m[4])];
        }
        fclose($memory);

        return $core;
    }

    public function write(string $path): void
    {
        $notes = $this->notes();
        $count = count($this->memory) + 1;
        $at = 64 + 56 * $count;
        $headers = self::program(self::NOTE, 0, $at, 0, strlen($notes), 0);
        $at = intdiv($at + strlen($notes) + self::PAGE - 1, self::PAGE) * self::PAGE;
        $begin = $at;
        $bytes = '';
        foreach ($this->memory as $part) {
            $length = strlen($part['bytes']);
            $headers .= self::program(self::LOAD, $part['rights'], $at, $part['from'], $length, $part['to'] - $part['from']);
            $bytes .= $part['bytes'];
            $at += $length;
        }
        $header = $this->header + ['class' => 2, 'data' => 1, 'version' => 1, 'type' => 4, 'machine' => self::machine(),
            'phentsize' => 56, 'phnum' => $count, 'phoff' => 64];
        $elf = "\x7fELF" . chr($header['class']) . chr($header['data']) . chr($header['version']) . str_repeat("\0", 9)
            . pack('vvVPPPV', $header['type'], $header['machine'], 1, 0, $header['phoff'], 0, 0)
            . pack('vvvvvv', 64, $header['phentsize'], $header['phnum'], 0, 0, 0);
        file_put_contents($path, str_pad($elf . $headers . $notes, $begin, "\0") . $bytes);
    }

    public static function note(int $type, string $content, string $name = "CORE\0"): string
    {
        $pad = static fn (string $text): string => str_pad($text, (strlen($text) + 3) & ~3, "\0");

        return pack('VVV', strlen($name), strlen($content), $type) . $pad($name) . $pad($content);
    }

    /** The list of mapped files. */
    public function files(): string
    {
        $files = array_values(array_filter($this->memory, static fn (array $part): bool => $part['file'] !== ''));
        $content = pack('PP', count($files), self::PAGE);
        foreach ($files as $part) {
            $content .= pack('PPP', $part['from'], $part['to'], intdiv($part['offset'], self::PAGE));
        }

        return $content . implode('', array_map(static fn (array $part): string => "$part[file]\0", $files));
    }

    private function notes(): string
    {
        [$size, $registers, $stack] = self::STATUS[self::machine()];
        $status = str_repeat("\0", $size);
        $status = substr_replace($status, pack('v', $this->signal), 12, 2);
        $status = substr_replace($status, pack('V', $this->pid), 32, 4);
        $status = substr_replace($status, pack('P', $this->stack), $registers + 8 * $stack, 8);
        $info = str_pad(pack('CCCCx4PVVVVVV', 0, ord('S'), 0, 0, 0, 0, 0, $this->pid, 1, 1, 1), 40, "\0")
            . str_pad('php', 16, "\0") . str_pad($this->arguments, 80, "\0");
        $files = $this->hasFiles ? [[0x46494c45, $this->files()]] : [];
        $all = [[1, $status], [3, $info], [6, $this->vector], ...$files, ...$this->notes];

        return implode('', array_map(static fn (array $note): string => self::note(...$note), $all));
    }

    private static function program(int $type, int $rights, int $offset, int $from, int $inFile, int $size): string
    {
        return pack('VVPPPPPP', $type, $rights, $offset, $from, 0, $inFile, $size, self::PAGE);
    }
}
