# shellcheck shell=bash
# Sourced by every script of this repository, so that all of them run the pinned Node.js and pnpm.

SVC_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
export SVC_ROOT

# Scripts call each other; PATH must not grow with every level.
case :$PATH: in
  ":$SVC_ROOT/.tools/bin:"*) ;;
  *) export PATH="$SVC_ROOT/.tools/bin:$PATH" ;;
esac
