#!/bin/sh
# locus NAME: print one locus of the skill.
folder="${LABAGENT_SKILL:-}/references"
name="${1:-}"
file="$folder/$name.md"
case "$name" in
    "" | *[!A-Za-z0-9._-]* | .*) file="" ;;
esac
if [ -n "$file" ] && [ -f "$file" ]; then
    exec cat "$file"
fi
if [ ! -d "$folder" ]; then
    echo "locus: no skill was given, so there is nothing to print" >&2
    exit 2
fi
if [ -n "$name" ]; then
    printf 'locus: the skill has no "%s"; it has:\n' "$name" >&2
else
    echo "use: locus NAME, NAME being one of:" >&2
fi
for found in "$folder"/*.md; do
    [ -f "$found" ] && basename "$found" .md >&2
done
exit 2
