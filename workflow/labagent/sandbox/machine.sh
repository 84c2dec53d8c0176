# Prints one line a fact: name, tab, value. Each tool is asked in the background; none may block.
say() { printf '%s\t%s\n' "$1" "$2"; }
ask() {
    local name=$1 program=$2
    shift 2
    program=$(command -v "$program") || return 0
    say "$name" "$(timeout 5 "$program" "$@" 2>&1 </dev/null | head -n 1)"
}
ask tool:perl perl -e 'printf "%vd", $^V' &
for tool in gcc g++ gfortran clang make cmake rustc cargo Rscript git; do
    ask "tool:$tool" "$tool" --version &
done
for tool in R julia java conda mamba micromamba uv pip apptainer; do
    if found=$(command -v "$tool"); then say "have:$tool" "$(readlink -f "$found")"; fi
done
# The folder of a JDK says its version; starting one takes a tenth of a second.
if found=$(command -v java); then
    home=$(dirname "$(dirname "$(readlink -f "$found")")")
    for file in "$home/release" "$(dirname "$home")/release"; do
        if [ -r "$file" ]; then say tool:java "$(sed -n 's/^JAVA_VERSION="\(.*\)"$/\1/p' "$file")"; fi
    done
fi
if command -v nvidia-smi >/dev/null; then
    timeout 5 nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader 2>/dev/null |
        while read -r line; do say gpu "$line"; done &
    say cuda "$(timeout 5 nvidia-smi 2>/dev/null | sed -n 's/.*CUDA Version: *\([0-9.]*\).*/\1/p')" &
fi
IFS=:
for folder in $PATH; do
    for program in "$folder"/python3.[0-9] "$folder"/python3.[0-9][0-9]; do
        if [ -x "$program" ]; then say python "${program##*python}"; fi
    done
done
say python-default "$(python3 -c 'import platform; print(platform.python_version())' 2>/dev/null)"
say system "$(uname -s) $(uname -m)"
say libc "$(getconf GNU_LIBC_VERSION 2>/dev/null)"
if [ -r /etc/os-release ]; then say distribution "$(sed -n 's/^PRETTY_NAME="\(.*\)"$/\1/p' /etc/os-release)"; fi
if [ -r /proc/meminfo ]; then say memory_kb "$(sed -n 's/^MemTotal: *\([0-9]*\) kB$/\1/p' /proc/meminfo)"; fi
say cores "$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)"
wait
