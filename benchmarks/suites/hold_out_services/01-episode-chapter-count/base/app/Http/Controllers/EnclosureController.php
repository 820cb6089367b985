<?php

namespace App\Http\Controllers;

use App\Models\EpisodeDownload;
use Illuminate\Http\Request;

class EnclosureController extends Controller
{
    public function show(Request $request, int $episode)
    {
        EpisodeDownload::create([
            'episode_id' => $episode,
            'ip_hash' => hash('xxh64', $request->ip()),
            'agent' => substr((string) $request->userAgent(), 0, 120),
            'fetched_at' => now(),
        ]);

        return redirect()->away("https://media.ondes.example/e/{$episode}.mp3");
    }
}
