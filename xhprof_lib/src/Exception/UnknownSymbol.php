<?php

declare(strict_types=1);

namespace XHProf\Exception;

/**
 * A report was asked for a function that its profile does not have.
 */
final class UnknownSymbol extends \InvalidArgumentException implements XHProfException
{
}
