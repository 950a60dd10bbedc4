<?php
declare(strict_types=1);
namespace XHProf\Web;
final class CallgraphPage { public function __construct(private Runs $r, private View $v) {} public function respond(Request $q): Response { throw new HttpError(404,'x'); } }
