<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use PHPUnit\Framework\Attributes\After;
use PHPUnit\Framework\Attributes\Before;

/**
 * Catches the messages of xhprof_error().
 */
trait ErrorLog
{
    private string $logFile = '';
    private string $logBefore = '';

    #[Before]
    protected function catchErrors(): void
    {
        $this->logFile = (string) tempnam(sys_get_temp_dir(), 'xhprof-log');
        $this->logBefore = (string) ini_set('error_log', $this->logFile);
    }

    #[After]
    protected function releaseErrors(): void
    {
        ini_set('error_log', $this->logBefore);
        unlink($this->logFile);
    }

    /**
     * @return string the messages since the last call
     */
    private function logged(): string
    {
        $text = (string) file_get_contents($this->logFile);
        file_put_contents($this->logFile, '');

        return $text;
    }
}
