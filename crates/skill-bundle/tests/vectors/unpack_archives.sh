#!/bin/sh
# Unpacks every archive in the folder $1 with the tool $2 into $3/NAME, and says in $3/NAME.failed that it could not.
for archive in "$1"/*; do
    to="$3/${archive##*/}"
    case "$2:$archive" in
        unzip:*.zip) unzip -qq -o "$archive" -d "$to" ;;
        bsdtar:*) bsdtar -xpf "$archive" -C "$to" ;;
        # From a pipe: it cannot go to the end of a zip first.
        streamed:*) bsdtar -xpf - -C "$to" < "$archive" ;;
        tar:*.tar) tar -xpf "$archive" -C "$to" ;;
        tar:*.gz) tar -xzpf "$archive" -C "$to" ;;
        tar:*.zst) tar --zstd -xpf "$archive" -C "$to" ;;
        *) continue ;;
    esac > "$to.said" 2>&1
    code=$?
    # unzip's 1 is a warning.
    [ "$code" = 0 ] || { [ "$2:$code" = unzip:1 ]; } || echo "$code" > "$to.failed"
done
