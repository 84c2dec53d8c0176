#!/bin/sh
# locus NAME: print one locus of the skill.
folder="${LABAGENT_SKILL:-}/references"
file="$folder/${1:-}.md"
case "${1:-}" in
    "" | *[!A-Za-z0-9._-]* | .*) file="" ;;
esac
if [ -n "$file" ] && [ -f "$file" ]; then
    exec cat "$file"
fi
echo "use: locus NAME, NAME being one of:" >&2
for found in "$folder"/*.md; do
    [ -f "$found" ] && basename "$found" .md >&2
done
exit 2
