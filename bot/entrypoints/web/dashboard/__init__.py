"""The pages: server-rendered, without scripts, each shown only to who may read the repository on GitHub."""
