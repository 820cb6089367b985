<?php

namespace App\Http\Middleware;

use Closure;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Log;

final class LogMissingToken
{
    public function handle(Request $request, Closure $next)
    {
        if ($request->bearerToken() === null) {
            Log::warning('partner call without token', ['ip' => $request->ip()]);
        }
        return $next($request);
    }
}
