<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Model;

class EpisodeDownload extends Model
{
    public $timestamps = false;

    protected $fillable = ['episode_id', 'ip_hash', 'agent', 'fetched_at', 'chapters_skipped'];
}
