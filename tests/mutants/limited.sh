#!/bin/sh
# Runs a test program with limits: a mutant may go on for ever, or fill the memory.
ulimit -t "${MUTANT_SECONDS:-20}"
ulimit -v 4194304 2>/dev/null || true
exec "$@"
