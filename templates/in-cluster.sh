#!/bin/sh
# Runs a program so that it finds token, certificate and namespace where a pod would. To be started in a mount
# namespace of its own (unshare --mount), so that nobody else sees it.
#   in-cluster.sh DIRECTORY PROGRAM [ARGUMENT ...]
# DIRECTORY holds token, ca.crt and namespace, and beside it there must be room for a directory of ours.
# No mount is noted (-n): that would be a file in the directory of run-time files.
set -eu
secrets=$1
shift
run=$(readlink -f /var/run)
target=$run/secrets/kubernetes.io/serviceaccount

# mirror FROM TO: gives one directory the entries of another. Those on the way to the target are made anew, because
# what is made inside of them would otherwise be made on the machine itself.
mirror() {
  for entry in "$1"/* "$1"/.[!.]*; do
    name=$2/${entry##*/}
    if [ -L "$entry" ]; then
      cp -P "$entry" "$name"
    elif [ -d "$entry" ]; then
      mkdir -p "$name"
      case $target in
        "$name"/*) mirror "$entry" "$name" ;;
        *) mount -n --rbind "$entry" "$name" ;;
      esac
    elif [ -e "$entry" ]; then
      : >"$name"
      mount -n --bind "$entry" "$name"
    fi
  done
}

if [ ! -d "$target" ]; then
  # It cannot be made on the machine itself without leaving it there. So the directory of run-time files is replaced
  # by one of our own that has the same entries, and that one may have more.
  old=$secrets.run
  mkdir -p "$old"
  mount -n --rbind "$run" "$old"
  mount -n -t tmpfs -o mode=755 tmpfs "$run"
  mirror "$old" "$run"
  mkdir -p "$target"
fi
mount -n --bind "$secrets" "$target"
exec "$@"
