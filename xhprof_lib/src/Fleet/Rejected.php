<?php

declare(strict_types=1);

namespace XHProf\Fleet;

use XHProf\Exception\XHProfException;

/** The store refuses runs for what they are: to send the same ones again is no use. The message is the reason. */
final class Rejected extends \RuntimeException implements XHProfException
{
}
