<?php

declare(strict_types=1);

namespace XHProf\Bridge\WordPress\QueryMonitor;

use XHProf\Bridge\WordPress\Administrator;
use XHProf\Bridge\WordPress\Recording;

/** What Query Monitor asks for when a page ends: whether it is recorded, and the run before. */
final class Collector extends \QM_Collector
{
    public const ID = 'xhprof';

    /** @var string */
    public $id = self::ID;

    public bool $isRecorded = false;

    /** ID.SOURCE of the last run of this administrator; '' for none. */
    public string $run = '';

    /** Reads state of this request alone: no run is opened before its panel is made. */
    public function process(): void
    {
        $this->isRecorded = Recording::token() !== '' || Recording::bySettings() !== null;
        $this->run = Administrator::last()['run'] ?? '';
    }
}
