<?php

declare(strict_types=1);

namespace XHProf\Graph;

use XHProf\Exception\GraphError;

/** Runs Graphviz's program "dot" to lay out and draw a graph, within a time limit. */
final class Graphviz
{
    private const MAX_BYTES = 64 << 20;

    /**
     * @param float  $seconds how long it may take
     * @param string $command a program of the PATH, or its path
     */
    public function __construct(private readonly float $seconds = 15.0, private readonly string $command = 'dot')
    {
    }

    /**
     * @param string $type one of dot's formats: svg, png, jpg, gif, ps
     *
     * @return string the image
     *
     * @throws GraphError
     */
    public function render(string $dot, string $type): string
    {
        if (preg_match('/\A[a-z]{2,5}\z/', $type) !== 1) {
            throw new GraphError('the type of the image is not one of svg, png, jpg, gif, ps');
        }
        $program = $this->find()
            ?? throw new GraphError('the image needs the program "dot" of Graphviz (on Debian: apt install graphviz)');
        $pipes = [];
        $process = proc_open(
            [$program, '-T' . $type],
            [['pipe', 'r'], ['pipe', 'w'], ['pipe', 'w']],
            $pipes,
        );
        if (!is_resource($process)) {
            throw new GraphError('"dot" could not be started');
        }
        /** @var array{0: resource, 1: resource, 2: resource} $pipes */
        $late = false;
        try {
            [$image, $errors, $late] = $this->talk($pipes, $dot);
        } finally {
            foreach (array_filter($pipes, is_resource(...)) as $pipe) {
                fclose($pipe);
            }
            if ($late) {
                proc_terminate($process, 9);
            }
            $code = proc_close($process);
        }
        if ($late) {
            throw new GraphError(sprintf('"dot" needed more than %g seconds; raise the threshold', $this->seconds));
        }
        if ($code !== 0 || $image === '') {
            $why = strtok(\XHProf\Format\Text::printable(strtr(trim($errors), "\n", ' ')), "\0");
            throw new GraphError("\"dot\" failed with exit code $code" . ($why === false ? '' : ": $why"));
        }

        return $image;
    }

    public function isInstalled(): bool
    {
        return $this->find() !== null;
    }

    private function find(): ?string
    {
        $folders = str_contains($this->command, '/') ? [''] : explode(PATH_SEPARATOR, getenv('PATH') ?: '/usr/bin:/bin');
        foreach ($folders as $folder) {
            $file = $folder === '' ? $this->command : "$folder/$this->command";
            if (str_contains($file, '/') && is_file($file) && is_executable($file)) {
                return $file;
            }
        }

        return null;
    }

    /**
     * Writes and reads at the same time: dot may fill its pipe before it has read everything.
     *
     * @param array{0: resource, 1: resource, 2: resource} $pipes
     *
     * @return array{0: string, 1: string, 2: bool} image, errors, whether time or space ran out
     */
    private function talk(array $pipes, string $input): array
    {
        foreach ($pipes as $pipe) {
            stream_set_blocking($pipe, false);
        }
        $deadline = microtime(true) + $this->seconds;
        $output = [1 => '', 2 => ''];
        $open = [1 => $pipes[1], 2 => $pipes[2]];
        $stdin = $pipes[0];
        while ($open !== []) {
            $left = $deadline - microtime(true);
            if ($left <= 0 || strlen($output[1]) > self::MAX_BYTES) {
                return ['', $output[2], true];
            }
            $read = $open;
            $write = $stdin === null ? [] : [$stdin];
            $except = null;
            @stream_select($read, $write, $except, 0, (int) min(200000, $left * 1000000));
            foreach ($read as $number => $pipe) {
                $output[$number] .= (string) fread($pipe, 65536);
                if (feof($pipe)) {
                    unset($open[$number]);
                }
            }
            if ($stdin !== null && $write !== []) {
                // A broken pipe: dot has ended, and its error stream has the reason.
                $written = @fwrite($stdin, $input);
                $input = $written === false ? '' : substr($input, $written);
                if ($input === '') {
                    fclose($stdin);
                    $stdin = null;
                }
            }
        }

        return [$output[1], $output[2], false];
    }
}
