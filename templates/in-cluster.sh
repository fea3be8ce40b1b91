#!/bin/sh
# Runs a program so that it finds token, certificate and namespace where a pod would. To be started in a mount
# namespace of its own (unshare --mount), so that nobody else sees it.
#   in-cluster.sh DIRECTORY PROGRAM [ARGUMENT ...]
# DIRECTORY holds token, ca.crt and namespace, and beside it there must be room for a directory of ours.
set -eu
secrets=$1
shift
target=/var/run/secrets/kubernetes.io/serviceaccount
if [ ! -d "$target" ]; then
  # It cannot be made on the machine itself without leaving it there. So the directory of run-time files is replaced
  # by one of our own that has the same entries, and that one may have more.
  run=$(readlink -f /var/run)
  old=$secrets.run
  mkdir -p "$old"
  mount --rbind "$run" "$old"
  mount -t tmpfs -o mode=755 tmpfs "$run"
  for entry in "$old"/* "$old"/.[!.]*; do
    name=$run/${entry##*/}
    if [ -L "$entry" ]; then
      cp -P "$entry" "$name"
    elif [ -d "$entry" ]; then
      mkdir "$name"
      mount --rbind "$entry" "$name"
    elif [ -e "$entry" ]; then
      : >"$name"
      mount --bind "$entry" "$name"
    fi
  done
  mkdir -p "$target"
fi
mount --bind "$secrets" "$target"
exec "$@"
