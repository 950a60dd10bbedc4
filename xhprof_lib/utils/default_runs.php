<?php

/**
 * The classic run store. Included by xhprof_runs.php.
 */

declare(strict_types=1);

require_once __DIR__ . '/raw_profiles.php';

use XHProf\Exception\DamagedRun;
use XHProf\Exception\XHProfException;
use XHProf\Run\ClassicFile;
use XHProf\Run\RunId;
use XHProf\Store\DefaultFolder;
use XHProf\Store\RunFolder;
use XHProf\Store\UserCache;

/** A store of runs. A program may give the reports a store of its own, such as a database. */
interface iXHProfRuns
{
    /**
     * @param string $run_id
     * @param string $type     the source, e.g. the name of the application
     * @param mixed  $run_desc is set to a text that describes the run
     *
     * @return array<string, array<string, int>>|null raw profile, or samples if samples were saved; null if there is no such run
     */
    public function get_run($run_id, $type, &$run_desc);

    /**
     * @param array<mixed>|null $xhprof_data raw profile, or samples
     * @param string            $type        any text; see XHProf\Run\RunId::ofProgram()
     * @param string|null       $run_id      null for a new one
     *
     * @return string|null id of the run, as the lists show it; null if the run could not be saved
     */
    public function save_run($xhprof_data, $type, $run_id = null);
}

/**
 * Keeps runs in one folder, as files ID.SOURCE.xhprof, and reads runs that the extension has saved there. Errors are reported to
 * xhprof_error(), so that the profiled program goes on.
 */
class XHProfRuns_Default implements iXHProfRuns
{
    private ?RunFolder $store = null;

    /**
     * @param string|null $dir folder of the runs; null for xhprof.output_dir of php.ini, else XHPROF_OUTPUT_DIR of the
     *                         environment, else the user's own folder below the one for temporary files. That last folder also
     *                         finds the user's old runs, but does not list them
     */
    public function __construct(private $dir = null)
    {
    }

    public function get_run($run_id, $type, &$run_desc)
    {
        try {
            $id = RunId::ofProgram((string) $run_id, (string) $type);
            $run = $this->read($id);
            $run_desc = "XHProf Run (Namespace=$type)";

            return $run;
        } catch (XHProfException $e) {
            xhprof_error('XHProf: ' . $e->getMessage());
            $name = \XHProf\Format\Text::printable((string) $run_id);
            $run_desc = $e instanceof DamagedRun ? "Damaged Run Id = $name" : "Invalid Run Id = $name";

            return null;
        }
    }

    public function save_run($xhprof_data, $type, $run_id = null)
    {
        if (!is_array($xhprof_data)) {
            xhprof_error('XHProf: there is no profile to save (was the profiler running?)');

            return null;
        }
        try {
            $name = RunId::ofProgram((string) $run_id, (string) $type);
            $save = ClassicFile::isSamples($xhprof_data) ? $this->store()->saveSamples(...) : $this->store()->saveClassic(...);

            return $save($xhprof_data, $name->source, $run_id === null ? null : $name->id)->id;
        } catch (XHProfException $e) {
            xhprof_error('XHProf: the run was not saved: ' . $e->getMessage());

            return null;
        }
    }

    /**
     * @return array<string, array<string, int>> raw profile, or samples
     *
     * @throws XHProfException
     */
    private function read(RunId $id): array
    {
        $store = $this->store();
        $isDefault = $store->directory() === DefaultFolder::path();
        $store = $isDefault && !$store->has($id) ? self::legacyFolder($id) ?? $store : $store;
        /** @var array<string, array<string, int>> $data samples, as they were saved */
        $data = $store->open($id)->recordedSamples() ?? $store->open($id)->profile()->recorded()->edges();

        return $data;
    }

    /** @throws XHProfException */
    /**
     * Finds a run that was saved directly into the folder for temporary files, where PECL's package saves runs.
     *
     * @return RunFolder|null null if the run is not there, or its file is not this user's own
     */
    private static function legacyFolder(RunId $id): ?RunFolder
    {
        $folder = rtrim(sys_get_temp_dir(), '/');

        return UserCache::isOwn("$folder/" . $id->fileName(RunId::CLASSIC)) ? new RunFolder($folder) : null;
    }

    private function store(): RunFolder
    {
        return $this->store ??= new RunFolder($this->dir);
    }

    /**
     * Prints links to all runs, the newest first.
     *
     * @return void
     */
    public function list_runs()
    {
        try {
            $runs = $this->store()->list();
        } catch (XHProfException $e) {
            echo '<p>', htmlspecialchars($e->getMessage(), ENT_QUOTES | ENT_SUBSTITUTE), "</p>\n";

            return;
        }
        $script = is_string($_SERVER['SCRIPT_NAME'] ?? null) ? $_SERVER['SCRIPT_NAME'] : '';
        echo "<hr/>Existing runs:\n<ul>\n";
        foreach ($runs as $run) {
            $query = http_build_query(['run' => $run->id->id, 'source' => $run->id->source]);
            printf(
                "<li><a href=\"%s\">%s</a><small> %s %s</small></li>\n",
                htmlspecialchars("$script?$query", ENT_QUOTES | ENT_SUBSTITUTE),
                htmlspecialchars(basename($this->store()->path($run->id)), ENT_QUOTES | ENT_SUBSTITUTE),
                date('Y-m-d H:i:s', (int) $run->time),
                htmlspecialchars($run->error ?? $run->title, ENT_QUOTES | ENT_SUBSTITUTE),
            );
        }
        echo "</ul>\n";
    }
}
