#!/bin/sh
# Becomes a program that is a member of control groups from its first instruction on, under the same pid.
#   in-cgroup.sh COUNT DIRECTORY ... PROGRAM [ARGUMENT ...]
# COUNT says how many directories there are.
set -eu
count=$1
shift
while [ "$count" -gt 0 ]; do
  echo $$ >"$1/cgroup.procs"
  shift
  count=$((count - 1))
done
exec "$@"
