<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Profile\CallTree;
use XHProf\Store\RunId;
use XHProf\Web\HttpError;
use XHProf\Web\Request;
use XHProf\Web\Response;
use XHProf\Web\Runs;

/** get=tree: the call paths of a run as columns in preorder, in the shape of tree.json; of several runs their mean by path. */
final class TreeEndpoint
{
    /** A tree of more call paths than that is not passed on whole: browsers hold it, people cannot read it. */
    private const MOST_NODES = 1000000;

    /** Bytes of a tree.json that hold the number of its nodes. */
    private const HEAD = 4096;

    public function __construct(private readonly Runs $runs)
    {
    }

    /** @throws HttpError 404 where no call tree was saved */
    public function respond(Request $request): Response
    {
        [$ids] = $this->runs->identify($request->text('run'), $request->text('source'), $request->text('wts'));
        $file = count($ids) === 1 ? $this->runs->reading($ids, fn (): ?string => $this->wholeFile($ids[0])) : null;
        if ($file !== null) {
            return Response::jsonFile($file);
        }
        $tree = $this->runs->reading($ids, fn (): ?CallTree => $this->runs->store->tree($ids[0]));
        if ($tree === null) {
            return Json::error(404, self::NO_TREE, 'no-tree');
        }

        return Json::answer('tree', $tree->toArray());
    }

    private const NO_TREE = 'This run has no call tree: it was saved without its call paths. Calls alone do not tell which of '
        . 'them belong together.';

    /** @return string|null the path of a file that can be passed on as it is */
    private function wholeFile(RunId $id): ?string
    {
        $file = $this->runs->store->treeFile($id);
        if ($file === null) {
            return null;
        }
        $head = (string) file_get_contents($file['path'], false, null, 0, self::HEAD);
        $nodes = preg_match('/"n":([0-9]{1,12})[,}]/', $head, $match) === 1 ? (int) $match[1] : PHP_INT_MAX;

        return $nodes <= self::MOST_NODES ? $file['path'] : null;
    }
}
