<?php

declare(strict_types=1);

namespace XHProf\Exception;

/** A run does not fit into this PHP's memory; the message names the file and the limit. */
final class RunTooLarge extends DamagedRun
{
}
