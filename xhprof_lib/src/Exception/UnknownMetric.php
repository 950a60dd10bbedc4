<?php

declare(strict_types=1);

namespace XHProf\Exception;

/**
 * A report was asked for a metric that its profile does not have.
 */
final class UnknownMetric extends \InvalidArgumentException implements XHProfException
{
}
