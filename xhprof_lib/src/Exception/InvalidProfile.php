<?php

declare(strict_types=1);

namespace XHProf\Exception;

/**
 * The data is not a profile: wrong shape, wrong types, or numbers too large to add up.
 */
final class InvalidProfile extends \UnexpectedValueException implements XHProfException
{
}
