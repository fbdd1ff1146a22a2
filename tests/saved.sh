#!/bin/sh
# Saved archives in PyTorch (saved.py). SCANC_TORCH_PYTHON names a Python that has torch; else python3 is tried.
# Usage: saved.sh TOOL CORPUS EXPORTED
python=${SCANC_TORCH_PYTHON:-python3}
"$python" -c 'import torch, numpy, torch.export' 2>/dev/null ||
  { echo "SKIP: '$python' has no torch; name one that has in SCANC_TORCH_PYTHON"; exit 77; }
exec "$python" "$(dirname "$0")/saved.py" "$@"
