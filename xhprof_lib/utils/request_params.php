<?php

/**
 * The classic functions that read request parameters. Included by xhprof_lib.php.
 */

declare(strict_types=1);

use XHProf\Format\Text;
use XHProf\Run\RunId;

const XHPROF_STRING_PARAM = 1;
const XHPROF_UINT_PARAM = 2;
const XHPROF_FLOAT_PARAM = 3;
const XHPROF_BOOL_PARAM = 4;

/**
 * @param string $param
 *
 * @return string|null from the URL, else from the posted form; null if there is none or it is no text
 */
function xhprof_get_param_helper($param)
{
    $value = $_GET[$param] ?? $_POST[$param] ?? null;

    return is_string($value) ? $value : null;
}

/**
 * @param string      $param
 * @param string|null $default
 *
 * @return string|null
 */
function xhprof_get_string_param($param, $default = '')
{
    return xhprof_get_param_helper($param) ?? $default;
}

/**
 * @param string          $param
 * @param int|string|null $default
 *
 * @return int|string|null digits; null (and an xhprof_error) if it is something else
 */
function xhprof_get_uint_param($param, $default = 0)
{
    $value = xhprof_get_param_helper($param);
    if ($value === null) {
        return $default;
    }
    $value = trim($value);
    if (ctype_digit($value)) {
        return $value;
    }
    xhprof_error("$param is " . Text::printable($value) . '. It must be an unsigned integer.');

    return null;
}

/**
 * @param string                $param
 * @param int|float|string|null $default
 *
 * @return int|float|string|null a finite float; null (and an xhprof_error) if it is something else
 */
function xhprof_get_float_param($param, $default = 0)
{
    $value = xhprof_get_param_helper($param);
    if ($value === null) {
        return $default;
    }
    $value = trim($value);
    if (is_numeric($value) && is_finite((float) $value)) {
        return (float) $value;
    }
    xhprof_error("$param is " . Text::printable($value) . '. It must be a float.');

    return null;
}

/**
 * @param string    $param
 * @param bool|null $default
 *
 * @return bool|null from 0/1, off/on, false/true, no/yes; null (and an xhprof_error) if it is something else
 */
function xhprof_get_bool_param($param, $default = false)
{
    $value = xhprof_get_param_helper($param);
    if ($value === null) {
        return $default;
    }
    $known = array_fill_keys(['0', 'off', 'false', 'no'], false) + array_fill_keys(['1', 'on', 'true', 'yes'], true);
    $value = strtolower(trim($value));
    if (isset($known[$value])) {
        return $known[$value];
    }
    xhprof_error("$param is " . Text::printable($value) . '. It must be a valid boolean string.');

    return null;
}

/**
 * Creates a global variable for each parameter. Ids in run, run1 and run2, and the source, are as
 * XHProfRuns_Default names them. Ids that could name a file elsewhere are removed, such a source gives its default. Other texts
 * are unchanged: escape them.
 *
 * @param array<string, array{0: int, 1: mixed}> $params name => one of XHPROF_*_PARAM, default
 *
 * @return void
 */
function xhprof_param_init($params)
{
    foreach ($params as $name => [$type, $default]) {
        $value = match ($type) {
            XHPROF_STRING_PARAM => xhprof_get_string_param($name, $default),
            XHPROF_UINT_PARAM => xhprof_get_uint_param($name, $default),
            XHPROF_FLOAT_PARAM => xhprof_get_float_param($name, $default),
            XHPROF_BOOL_PARAM => xhprof_get_bool_param($name, $default),
            default => throw new InvalidArgumentException("the parameter $name has no known type"),
        };
        if (is_string($value) && in_array($name, ['run', 'run1', 'run2'], true)) {
            $ids = array_filter(explode(',', $value), xhprof_is_name(...));
            $value = implode(',', array_map(static fn (string $id): string => RunId::ofProgram($id, '')->id, $ids));
        }
        if (is_string($value) && $name === 'source') {
            $value = xhprof_is_name($value) ? RunId::ofProgram('', $value)->source : $default;
        }
        $GLOBALS[$name] = $value;
    }
}

/**
 * @internal
 *
 * @param string $text an id or a source
 *
 * @return bool false if it is empty, or names something in another folder
 */
function xhprof_is_name(string $text): bool
{
    $leads = strpbrk($text, "/\\\0") !== false || str_starts_with($text, '.') || str_contains($text, '..');

    return $text !== '' && !$leads;
}
