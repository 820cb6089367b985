"""Infrastructure manifests: what one side of a change declares, and what differs between the sides."""

from context_graph.manifests.compare import setting_changes
from context_graph.manifests.read import Manifests, NotRead, could_be_manifest, read_manifests
from context_graph.manifests.settings import SettingElsewhere, place_of

__all__ = ["Manifests", "NotRead", "SettingElsewhere", "could_be_manifest", "place_of", "read_manifests", "setting_changes"]
